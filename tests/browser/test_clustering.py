"""The Clustering page in a browser: the example plays, and the page responds during a run."""

import re
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from ia_engine.runs.comparison.config import TITLES
from tests.browser.places import at_rest, expect_accessible
from tests.browser.player_page import HOSTS, press

APP = Path(__file__).parents[2] / "app.py"
FILM = f"{HOSTS}.map(host => host.shadowRoot?.querySelector('.clusters')).find(Boolean)"
STATE = f"{FILM}?.__film.state()"


@pytest.fixture
def clustering(serve, open_page):
    """Return a function that opens the page and waits for the pictures of the animation."""

    def open_(query="", **options):
        page = open_page(f"{serve(APP)}/clustering?{query}", **options)
        page.wait_for_function(f"{STATE}?.paints > 0")
        return page

    return open_


def begin(page):
    """Press Run and wait until the prototypes have changed."""
    before = page.evaluate(STATE)["run"]
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function(f"before => {STATE}?.run !== before && {STATE}?.changes > 1", arg=before)


def stop(page):
    page.get_by_role("button", name="Cancel", exact=True).first.click()
    expect(page.get_by_text(re.compile("Cancelled (after|before)")).first).to_be_visible()


def answer(page, k):
    """Select a prototype, and wait until Python has responded."""
    page.locator(".tile").nth(k).click()
    page.wait_for_function(f"k => {STATE}?.chosen === k", arg=k)


def test_the_example_plays_automatically(clustering):
    clustering().wait_for_function(f"{STATE}.at > 3")


def test_the_keyboard_steps_through_the_animation(clustering):
    page = clustering(reduced_motion="reduce")
    page.locator(".clusters .chart").focus()
    press(page, "Home", "ArrowRight", "ArrowRight")
    page.wait_for_function(f"{STATE}.at === 2")
    press(page, "End")
    page.wait_for_function(f"{STATE}.at === {STATE}.last")


def test_prototypes_keep_changing_while_the_page_responds(clustering):
    page = clustering("budget=60", reduced_motion="reduce")
    begin(page)
    before = page.evaluate(STATE)["changes"]
    for k in (1, 4, 7):
        answer(page, k)
    page.wait_for_function(f"before => {STATE}.changes > before + 1", arg=before)
    stop(page)


def test_a_paused_run_resumes_and_its_samples_can_be_clicked(clustering):
    page = clustering("budget=30&modules=affine&k=4", reduced_motion="reduce")
    begin(page)
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_text("Paused after").first).to_be_visible()
    page.locator(".tile").nth(2).click()
    expect(page.get_by_text("Prototype 3 transformed to fit").first).to_be_visible()
    at_rest(page)  # the table now shows this prototype
    sample = page.locator("button.cell").nth(3)
    number = sample.get_attribute("aria-label").split(":")[0]
    sample.click()
    expect(page.get_by_role("heading", name=number)).to_be_visible()
    before = page.evaluate(STATE)["run"]
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function(f"run => {STATE}?.run !== run", arg=before)
    stop(page)


def test_a_link_opens_the_compare_page_with_the_methods_of_the_clustering_page(clustering):
    page = clustering("k=4", reduced_motion="reduce")
    page.get_by_role("link", name="Compare K-means").click()
    expect(page.get_by_role("heading", name="Compare", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=f"5 of {len(TITLES)} methods")).to_be_visible()
    expect(page.get_by_role("slider", name="Clusters K")).to_have_value("4")
    expect(page.get_by_text("5 methods on 1,000 of the 1,797 images")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_serious_accessibility_violations(clustering, scheme):
    page = clustering(scheme=scheme, reduced_motion="reduce")
    expect_accessible(page)


def photographs(folder):
    """Save three photographs of each of two subjects, with different lighting and sizes."""
    for at in range(6):
        name, size = ("sun", "door")[at % 2], ((96, 64), (64, 96), (80, 80))[at % 3]
        light = 200 + 5 * at
        picture = Image.new("RGB", size, (60, light // 2, light))
        pen = ImageDraw.Draw(picture)
        middle = (size[0] // 2 - 14 + at, size[1] // 2 - 14)
        box = (*middle, middle[0] + 28, middle[1] + 28)
        if name == "sun":
            pen.ellipse(box, fill=(light, light, 40))
        else:
            pen.rectangle(box, fill=(120, 50, 30))
        picture.save(folder / f"{name}-{at}.jpg", quality=90)
    (folder / "rubbish.jpg").write_bytes(b"no picture")


def test_a_folder_of_photographs_is_clustered_in_colour_at_128_pixels(clustering, tmp_path):
    photographs(tmp_path)
    page = clustering("budget=2", reduced_motion="reduce")
    page.get_by_role("button", name="Photographs").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(tmp_path)
    expect(page.get_by_text("6 images read").first).to_be_visible()
    expect(page.get_by_text("rubbish.jpg: expected").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile("color → projective"))).to_be_visible()
    clusters = page.get_by_role("slider", name="Clusters K")
    clusters.press("Home")
    clusters.press("ArrowRight")
    at_rest(page)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text(re.compile("^Done: ")).first).to_be_visible()
    assert page.evaluate(STATE)["k"] == 2
    assert page.locator(".tile canvas").first.evaluate("c => [c.width, c.height]") == [128, 128]
    expect(page.get_by_text("of prototype 1 shown").first).to_be_visible()


MARKS = """svg => ({
  lines: [...svg.querySelectorAll(".step")].map(line => line.getBBox().x),
  words: [...svg.querySelectorAll(".step + text")].map(text => [text.textContent, text.getBBox()])
    .map(([words, box]) => [words, box.x, box.y, box.x + box.width, box.y + box.height]),
  others: [...svg.querySelectorAll("text:not(.step + text)")].map(text => text.getBBox())
    .map(box => [box.x, box.y, box.x + box.width, box.y + box.height]),
})"""


def test_every_vertical_line_of_the_chart_has_a_label_next_to_it(clustering):
    page = clustering(reduced_motion="reduce")
    marks = page.locator(".chart").evaluate(MARKS)
    names = [words[0] for words in marks["words"]]
    assert names == ["+ affine", "+ morphology", "+ tps", "rate ÷ 10"]
    boxes = [words[1:] for words in marks["words"]]
    for at, box in zip(marks["lines"], boxes, strict=True):
        assert min(abs(at - box[0]), abs(at - box[2])) < 5
        assert box[0] >= 0
        assert box[2] <= 400
    for place, a in enumerate(boxes):
        for b in boxes[place + 1 :] + marks["others"]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] + 4 or b[3] <= a[1] + 4, (a, b)
