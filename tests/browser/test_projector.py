"""The projector mode: a reduced page that the presenter's keys control, on any screen size."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, expect_accessible, place_of
from tests.browser.player_page import STATE, click_cell, press, wait_for_player

APP = Path(__file__).parents[2] / "app.py"
BAR = ".st-key-projector_on"
LESSON = "iterations?lesson=mush.1&projector=1"
OVER = "main => main.scrollWidth <= main.clientWidth + 1"


@pytest.fixture
def visit(serve, open_page):
    """Return a function that opens a page and waits for its player."""

    def open_(path="", **options):
        page = open_page(f"{serve(APP)}/{path}", reduced_motion="reduce", **options)
        wait_for_player(page)
        return page

    return open_


def expect_on(page):
    expect(page.locator(BAR).get_by_role("button", name="Exit")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()


def expect_off(page):
    expect(page.get_by_role("button", name="Projector")).to_be_visible()
    page.wait_for_function("!location.search.includes('projector')")


def test_a_key_enters_the_projector_mode_and_escape_leaves_it(visit):
    page = visit("iterations")
    expect_off(page)
    page.keyboard.press("p")
    expect_on(page)
    page.wait_for_url(re.compile("projector=1"))
    page.keyboard.press("Escape")
    expect_off(page)


def test_buttons_enter_and_leave_the_projector_mode_and_links_to_other_pages_keep_it(visit):
    page = visit()
    page.get_by_role("button", name="Projector").click()
    expect_on(page)
    page.get_by_role("link", name="1. One blur, or three clusters").click()
    expect(page.get_by_text("caption 1 of 4")).to_be_visible()
    expect_on(page)
    page.locator(BAR).get_by_role("button", name="Exit").click()
    expect_off(page)
    assert "lesson=mush.1" in page.url


def test_leaving_the_projector_mode_while_the_animation_reports_its_step_keeps_the_step(visit):
    page = visit(LESSON)
    for step, wait in enumerate((620, 660, 710), 1):  # the animation reports its step after 700 ms
        expect_on(page)
        at_rest(page)
        page.locator(".player").focus()
        press(page, "ArrowRight")
        page.wait_for_timeout(wait)
        page.keyboard.press("Escape")
        expect(page).to_have_url(re.compile(f"step={step}"))
        at_rest(page)
        expect_off(page)
        assert f"step={step}" in page.url
        assert page.evaluate(f"{STATE}.position") == step
        page.reload()
        expect_off(page)
        wait_for_player(page)
        page.keyboard.press("p")


def test_the_keys_of_a_presenter_change_captions_and_play_the_animation(visit):
    page = visit(LESSON)
    expect_on(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_text("caption 2 of 4")).to_be_visible()
    page.keyboard.press("PageUp")
    expect(page.get_by_text("caption 1 of 4")).to_be_visible()
    at_rest(page)
    page.keyboard.press(" ")
    page.wait_for_function(f"{STATE}.position > 0")
    page.locator(BAR).get_by_role("button", name="Play").click()
    page.locator(".player").focus()
    press(page, "Home", "ArrowRight")
    page.wait_for_function(f"{STATE}.position === 1")


def test_space_also_plays_the_animation_on_the_clustering_page(serve, open_page):
    page = open_page(f"{serve(APP)}/clustering?projector=1", reduced_motion="reduce")
    expect_on(page)
    play = page.get_by_role("button", name="Play", exact=True).first
    expect(play).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause the animation")).to_be_visible()


def test_a_key_opens_all_settings_and_fields_receive_the_keys_typed_into_them(visit):
    page = visit("iterations?projector=1")
    expect_on(page)
    data = page.get_by_role("combobox", name="Data")
    expect(data).to_be_hidden()
    page.keyboard.press("s")
    expect(data).to_be_visible()
    for name in ("Default", "More"):  # these buttons have tooltips
        expect(page.get_by_role("button", name=name)).to_be_visible()
    for name in ("Data", "Ignored transformations"):
        field = page.get_by_role("combobox", name=name)
        expect(field).to_be_visible()
        assert field.evaluate("e => e.scrollWidth <= e.clientWidth"), name
    data.click()
    page.keyboard.type("sp ")  # the field receives letters, and Escape closes its list
    page.keyboard.press("Escape")
    expect_on(page)
    expect(data).to_be_visible()


def test_escape_first_unpins_a_pair_and_then_leaves_the_projector_mode(visit):
    page = visit("?projector=1")
    expect_on(page)
    click_cell_enlarged(page, 7, 2)
    page.wait_for_function(f"JSON.stringify({STATE}.pinned) === '[7,2]'")
    page.locator(".player").first.focus()
    page.keyboard.press("Escape")
    page.wait_for_function(f"!{STATE}.pinned")
    expect_on(page)


def click_cell_enlarged(page, row, column):
    """Click a cell of a matrix that the projector mode enlarges."""
    matrix = page.locator("canvas.matrix").first
    box, inside = place_of(matrix), matrix.evaluate("canvas => canvas.clientWidth")
    click_cell(page, row, column, edge=10 * box["width"] / inside)


@pytest.mark.parametrize(
    ("path", "width"), [("?projector=1", 1280), ("manifolds?projector=1", 390), (LESSON, 390)]
)
def test_nothing_is_wider_than_the_screen(serve, open_page, path, width):
    address = f"{serve(APP)}/{path}"
    page = open_page(address, width=width, height=720, reduced_motion="reduce", keep=True)
    expect_on(page)
    expect(page.get_by_test_id("stBidiComponentIsolated").nth(1)).to_be_attached()
    assert page.get_by_test_id("stMain").evaluate(OVER)
    box = place_of(page.locator(BAR))
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


@pytest.mark.parametrize("width", [390, 1280])
def test_the_bar_of_the_projector_mode_covers_nothing(visit, width):
    page = visit(LESSON, width=width, height=720, keep=True)
    expect_on(page)
    main, bar = (
        place_of(locator) for locator in (page.get_by_test_id("stMain"), page.locator(BAR))
    )
    assert main["y"] + main["height"] <= bar["y"]
    assert bar["y"] + bar["height"] <= 720


def test_a_lesson_both_matrices_and_all_means_are_visible_without_scrolling(visit):
    page = visit(LESSON, keep=True)
    expect_on(page)
    for at in (0, 1):
        box = place_of(page.locator("canvas.matrix").nth(at))
        assert box["y"] + box["height"] <= 720
        assert box["width"] > 260
    for at in (0, 1):
        for mean in range(3):
            shown = page.locator(".means").nth(at).locator("canvas").nth(mean)
            expect(shown).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("button", name="Next")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("Run computes it here")).to_be_hidden()


def test_text_is_large_and_has_full_contrast(visit):
    page = visit(LESSON, keep=True)
    expect_on(page)
    words = page.get_by_text("Each column describes one average").first
    size, colour = words.evaluate("e => [getComputedStyle(e).fontSize, getComputedStyle(e).color]")
    assert float(size.removesuffix("px")) >= 18
    assert colour == "rgb(0, 0, 0)"


@pytest.mark.parametrize(
    ("path", "scheme"), [(LESSON, "light"), (LESSON, "dark"), ("?projector=1", "light")]
)
def test_the_projector_mode_has_no_serious_accessibility_violations(visit, path, scheme):
    page = visit(path, scheme=scheme, keep=True)
    expect_on(page)
    expect_accessible(page)
