"""A named run on generated data opens in another browser, and exported animations open offline."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from pages._ui.clustering.view import example as cluster_example
from pages._ui.components.html_files import write_film as write_cluster_film
from pages._ui.mean.exports import write_film as write_mean_film
from pages._ui.mean.view import example as mean_example
from tests.browser.places import until
from tests.browser.player_page import STATE, press, wait_for_player

APP = Path(__file__).parents[2] / "app.py"
IN_FILE = "document.querySelector('.player')?.__player?.state()"


@pytest.fixture
def visit(serve, open_page):
    """Return a function that opens a page of the app in a separate browser and waits for its
    title.
    """

    def open_(path="", **options):
        page = open_page(f"{serve(APP)}/{path}", **options)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return page

    return open_


def wait_for_run(page):
    expect(page.get_by_text(re.compile("^Done: "))).to_be_visible()
    wait_for_player(page)


def generate_name_and_reopen(visit):
    """Perform eight interactions, from the Data page to the named run in a second browser."""
    page = visit("data")
    page.get_by_role("radio", name="Generate").click()
    gallery = page.get_by_role("img", name=re.compile("^A gallery of"))
    picture = gallery.locator("image")
    before = picture.get_attribute("href")
    page.get_by_role("slider", name=re.compile("± θ · turn")).press("ArrowLeft")
    expect(picture).not_to_have_attribute("href", before)
    page.get_by_role("link", name="Run attention on this data set").click()
    wait_for_run(page)
    link = page.url
    assert "job=" in link
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("button", name="Name").first.click()
    page.get_by_role("textbox", name="Name").fill("Made by hand")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="Made by hand").first).to_be_visible()
    other = visit(link.partition("/iterations")[1][1:] + link.partition("/iterations")[2],
                  reduced_motion="reduce")  # fmt: skip
    wait_for_run(other)
    return other


def test_a_named_run_on_generated_data_opens_by_its_link_in_a_second_browser(visit):
    other = generate_name_and_reopen(visit)
    assert other.evaluate(f"{STATE}.last") > 0
    expect(other.get_by_role("link", name="Made by hand")).to_be_visible()


def wait_until(file, expression):
    """Evaluate repeatedly from outside, because the file's security policy forbids waiting
    inside.
    """
    until(file, lambda: file.evaluate(f"Boolean({expression})"))


@pytest.fixture
def open_file(browser, tmp_path):
    """Return a function that opens a file offline; the file must not send requests or raise
    errors.
    """
    asked, errors, contexts = [], [], []

    def open_(path):
        contexts.append(browser.new_context(offline=True, reduced_motion="reduce"))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert errors == []


def test_the_exported_player_opens_offline_and_sends_no_request(visit, open_file, tmp_path):
    page = visit("iterations?steps=1", reduced_motion="reduce")
    page.get_by_role("button", name="Run", exact=True).click()
    wait_for_run(page)
    page.get_by_text("Files of this run").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Player, HTML").click()
    path = tmp_path / "run.html"
    download.value.save_as(path)
    file = open_file(path)
    wait_until(file, f"{IN_FILE}?.last === 1 && {IN_FILE}?.paints > 0")
    file.locator(".player").focus()
    press(file, "End")
    wait_until(file, f"{IN_FILE}.position === 1")


def test_the_animation_of_a_mean_opens_offline_and_sends_no_request(open_file, tmp_path):
    path = tmp_path / "mean.html"
    path.write_bytes(write_mean_film(mean_example(), "A mean </script><b>"))
    file = open_file(path)
    film = "document.querySelector('.film')?.__film?.state()"
    wait_until(file, f"{film}?.last === 50")
    assert file.get_by_role("heading", level=1).inner_text() == "A mean </script><b>"
    file.locator(".film").focus()
    press(file, "End")
    wait_until(file, f"{film}.at === 50")
    expect(file.locator("canvas.mean")).to_be_visible()


def test_the_animation_of_a_clustering_opens_offline_and_sends_no_request(open_file, tmp_path):
    path = tmp_path / "clustering.html"
    path.write_bytes(write_cluster_film(cluster_example(), "Digits, clustered"))
    file = open_file(path)
    film = "document.querySelector('.clusters')?.__film?.state()"
    wait_until(file, f"{film}?.paints > 0")
    file.locator(".clusters .chart").focus()
    press(file, "End")
    wait_until(file, f"{film}.at === {film}.last")
    file.get_by_role("button", name=re.compile("^Prototype 4,")).click()
    wait_until(file, f"{film}.chosen === 3")
