"""The app as a visitor uses it: opening pages, playing, running, sharing, and leaving during
a run.
"""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import start_server
from tests.browser.places import at_rest, expect_accessible, place_of
from tests.browser.player_page import STATE, click_cell, press, set_beta, state, wait_for_player

APP = Path(__file__).parents[2] / "app.py"
PAGES = ("iterations", "", "data", "iterations?lesson=mush.4")


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


def run(page):
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text(re.compile("^Done: ")).first).to_be_visible()
    at_rest(page)  # before that, elements of the page may exist twice


def test_the_iterations_page_can_be_the_first_one_that_a_server_shows(open_page):
    server, url = start_server(APP)
    try:
        page = open_page(f"{url}/iterations?beta=20")
        expect(page.get_by_role("heading", name="Iterations")).to_be_visible()
        expect(page.get_by_test_id("stSidebarNav").get_by_text("Overview")).to_be_visible()
        assert "beta=20" in page.url
    finally:
        server.terminate()
        server.wait(timeout=20)


def test_the_first_page_plays_experiment_1_automatically(visit):
    page = visit()
    wait_for_player(page)
    page.wait_for_function(f"{STATE}.position > 0.5")


def test_reduced_motion_stops_autoplay(visit):
    page = visit(reduced_motion="reduce")
    wait_for_player(page)
    page.wait_for_function(f"{STATE}.waiting === false")
    assert not state(page)["clock"]["playing"]
    assert state(page)["position"] == 0


def test_the_player_can_be_controlled_by_keyboard_alone(visit):
    page = visit(reduced_motion="reduce")
    wait_for_player(page)
    page.locator(".player").first.focus()
    press(page, "End")
    page.wait_for_function(f"{STATE}.position === {STATE}.last")
    press(page, "Home", "ArrowRight")
    page.wait_for_function(f"{STATE}.position === 1")


def test_a_clicked_cell_of_the_matrix_is_pinned(visit):
    page = visit(reduced_motion="reduce")
    wait_for_player(page)
    click_cell(page, 7, 2)
    page.wait_for_function(f"JSON.stringify({STATE}.pinned) === '[7,2]'")


def test_a_run_on_experiment_1_finds_the_clusters_and_a_fork_needs_a_paused_player(visit):
    page = visit("iterations?steps=2")
    run(page)
    wait_for_player(page)
    assert state(page)["last"] == 2
    words = page.locator("canvas.matrix").first.get_attribute("aria-label")
    assert "100 %" in words
    button = page.get_by_role("button", name="Run from here")
    expect(button).to_have_text(re.compile("pause first"))
    expect(button).to_be_disabled()
    page.locator(".player").first.focus()
    press(page, "Home", "ArrowRight")
    expect(button).to_have_text(re.compile("iteration 1"))
    expect(button).to_be_enabled()


def test_the_preset_as_in_the_paper_increases_the_weight_within_classes_and_sets_the_address(
    visit,
):
    page = visit("iterations", reduced_motion="reduce")
    page.get_by_role("button", name="As in the paper").click()
    drawing = page.get_by_role("img", name=re.compile("First and last W"))
    expect(drawing).to_be_visible()
    shown = drawing.get_attribute("aria-label")
    first, last = map(float, re.findall(r"within classes: ([\d.]+) %", shown)[:2])
    assert 40 < first < 95
    assert last > first + 5
    assert '"seed"' in unquote(page.evaluate("location.search"))
    asked = ("solver=descent", "updates=", "bandwidth=quantile", "quantile=", "steps=2")
    assert all(part in page.evaluate("location.search") for part in asked)


def test_the_preset_for_points_runs_and_the_default_can_be_restored(visit):
    page = visit("iterations", reduced_motion="reduce")
    page.get_by_role("button", name="Points").click()
    expect(page.get_by_role("combobox", name="Data")).to_have_value(re.compile("blobs"))
    expect(page.get_by_text(re.compile("^Done: ")).first).to_be_visible()
    page.get_by_role("button", name="Default").click()
    expect(page.get_by_role("combobox", name="Data")).to_have_value(re.compile("experiment-1"))
    page.wait_for_url(re.compile("data=experiment-1"))


def test_forking_a_run_shows_the_old_run_beside_the_new_one(visit):
    page = visit("iterations?steps=2&recompute=false", reduced_motion="reduce")
    run(page)
    wait_for_player(page)
    page.locator(".player").first.focus()
    press(page, "Home", "ArrowRight")
    page.get_by_role("button", name="Run from here, iteration 1").wait_for()
    page.get_by_role("slider", name="Bandwidth").first.focus()
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    page.wait_for_url(re.compile("beta="))
    beta = float(parse_qs(urlsplit(page.url).query)["beta"][0])
    expect(page.locator("input.beta").first).to_be_hidden()
    page.wait_for_function(f"{STATE}.betas[0] === {beta:g}")  # W has the β of the control
    page.get_by_role("button", name="Run from here, iteration 1").click()
    other = page.get_by_role("heading", name="Invariant attention: the other run")
    expect(other).to_be_visible()
    page.wait_for_function(f"{STATE}?.last === 3 && {STATE}?.position === 1")


def test_changing_beta_in_the_example_computes_the_means_for_the_new_beta(visit):
    page = visit("iterations?steps=1", reduced_motion="reduce")
    wait_for_player(page)
    set_beta(page, 600)
    beta = page.evaluate(f"{STATE}.betas[0]")
    page.locator("input.beta").first.dispatch_event("change")
    expect(page.get_by_text("Done").first).to_be_visible()
    expect(page.locator("input.beta").first).to_have_attribute("aria-valuetext", f"β = {beta:g}")
    expect(page.get_by_role("slider", name=re.compile("andwidth β"))).to_have_count(0)
    page.wait_for_url(re.compile(f"beta={beta:g}"))


def test_releasing_beta_in_the_player_computes_the_means_for_the_new_beta_and_sets_the_address(
    visit,
):
    page = visit("iterations?steps=2", reduced_motion="reduce")
    run(page)
    wait_for_player(page)
    before = page.evaluate(f"{STATE}.given.runs")
    set_beta(page, 500)
    beta = page.evaluate(f"{STATE}.betas[0]")
    page.locator("input.beta").first.dispatch_event("change")
    page.wait_for_function(
        f"JSON.stringify({STATE}?.given.runs) !== '{json.dumps(before, separators=(',', ':'))}'",
    )
    page.wait_for_function(f"{STATE}?.last === 2")
    expect(page.locator("input.beta").first).to_have_attribute("aria-valuetext", f"β = {beta:g}")
    expect(page.get_by_role("slider", name=re.compile("andwidth β"))).to_have_count(0)
    page.wait_for_url(re.compile(f"beta={beta:g}"))


def test_the_address_reproduces_data_and_controls_in_another_browser(visit):
    still = {"reduced_motion": "reduce"}
    first = visit("iterations?data=experiment-2&beta=20&sigma=1.5&group=rotation", **still)
    second = visit(first.url.split("/", 3)[3], **still)
    for page in (first, second):
        chosen = page.get_by_role("combobox", name="Data")
        expect(chosen).to_have_value(re.compile("ten handwritten 3s"))
        group = page.get_by_role("combobox", name="Ignored transformations")
        expect(group).to_have_value("rotation")
        expect(page.get_by_role("slider", name="Smoothing")).to_have_value("1.5")


def test_illegal_values_in_the_address_are_explained_and_a_run_can_still_be_started(visit):
    page = visit("iterations?data=nothing&beta=-3", reduced_motion="reduce")
    expect(page.get_by_test_id("stAlert").first).to_be_visible()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()


def test_a_run_continues_after_its_tab_is_closed_and_is_invisible_to_other_users(visit):
    page = visit("iterations?data=digits&images=48&steps=2", reduced_motion="reduce")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text(re.compile(r"\d of \d+ iterations")).first).to_be_visible()
    context, address = page.context, page.url
    page.close()
    again = context.new_page()
    again.goto(address)
    expect(again.get_by_text("Done").first).to_be_visible()
    other = visit("iterations", reduced_motion="reduce")
    expect(other.get_by_text("Done")).to_have_count(0)


def test_both_methods_fit_on_a_projector_without_scrolling(visit):
    page = visit("iterations", reduced_motion="reduce", keep=True)
    wait_for_player(page)
    for lane in (0, 1):
        for picture in ("canvas.matrix", "canvas.gallery"):
            box = place_of(page.locator(picture).nth(lane))
            assert box["y"] + box["height"] <= 720


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_serious_accessibility_violations(visit, path, scheme):
    page = visit(path, scheme=scheme, reduced_motion="reduce", keep=True)
    expect_accessible(page)


def test_the_page_responds_while_a_run_is_computed(visit):
    page = visit("iterations?data=digits&images=400&steps=20")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text(re.compile(r"\d of \d+ iterations")).first).to_be_visible()
    other = visit("data")
    for way, drawn in {"Upload": "Drop images", "Ready-made": "Ready-made sets"}.items():
        other.get_by_text(way, exact=True).first.click()
        expect(other.get_by_text(drawn).first).to_be_visible()
    page.get_by_role("button", name="Cancel").first.click()
    expect(page.get_by_text("Cancelled; ")).to_be_visible()
