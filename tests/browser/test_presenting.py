"""The tools of every page: pen, pointer, blank screen, explanation, sharing, undo and reset."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, expect_accessible, expect_embedded, until
from tests.browser.player_page import STATE, press, wait_for_player

APP = Path(__file__).parents[2] / "app.py"
INKED = """canvas => {
  if (!canvas.width || !canvas.matches(":popover-open")) return 0;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, at) => at % 4 === 3 && value > 0).length;
}"""
"""The number of drawn pixels that are visible."""


@pytest.fixture
def visit(serve, open_page):
    """Return a function that opens a page and waits for its bar."""

    def open_(path, **options):
        page = open_page(f"{serve(APP)}/{path}", reduced_motion="reduce", **options)
        page.locator(".projector .buttons button").first.wait_for(state="attached")
        return page

    return open_


def draw(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def inked(page):
    return page.locator(".ink").evaluate(INKED)


def test_keys_draw_erase_point_and_blank_the_screen_and_the_next_caption_has_no_drawing(visit):
    page = visit("iterations?lesson=mush.1")
    at_rest(page)
    page.keyboard.press("d")
    draw(page, (500, 300), (800, 500))
    assert inked(page) > 1000
    page.keyboard.press("Escape")
    assert inked(page) > 1000, "putting the pen away keeps the drawing"
    page.keyboard.press("b")
    blank = page.locator(".blank")
    expect(blank).to_be_visible()
    assert blank.bounding_box()["width"] == 1280
    page.keyboard.press("x")
    expect(blank).to_be_hidden()
    assert inked(page) > 1000, "the key that ends the blank screen does nothing else"
    page.keyboard.press("x")
    assert inked(page) == 0
    page.keyboard.press("l")
    page.mouse.move(600, 400)
    box = page.locator(".dot").bounding_box()
    assert (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) == (600, 400)
    page.get_by_role("group", name="Tools over the page").get_by_role("button", name="Pen").click()
    expect(page.locator(".dot")).to_be_hidden()
    draw(page, (500, 300), (600, 400))
    assert inked(page) > 100
    page.keyboard.press("PageDown")
    expect(page.get_by_text("caption 2 of")).to_be_visible()
    until(page, lambda: inked(page) == 0)


def choose(page, way):
    page.get_by_role("radio", name=way).click()
    expect_chosen(page, way)


def expect_chosen(page, way):
    expect(page.get_by_role("radio", name=way)).to_be_checked()
    at_rest(page)


def test_undo_restores_earlier_settings_and_can_revert_a_reset(visit):
    page = visit("data?data=experiment-1")
    undo = page.get_by_role("button", name="Undo")
    expect_chosen(page, "Ready-made")
    expect(undo).to_be_disabled()
    choose(page, "Upload")
    choose(page, "Generate")
    page.keyboard.press("Control+z")
    expect_chosen(page, "Upload")
    page.get_by_role("button", name="Reset", exact=True).click()
    expect_chosen(page, "Ready-made")
    page.keyboard.press("u")
    expect_chosen(page, "Upload")
    undo.click()
    expect_chosen(page, "Ready-made")
    expect(undo).to_be_disabled()


def test_reset_sets_a_caption_again_with_its_settings_and_the_film_at_its_start(visit):
    page = visit("iterations?lesson=mush.1&recompute=false")
    wait_for_player(page)
    sigma = page.get_by_role("slider", name="Smoothing")
    sigma.press("ArrowRight")
    expect(page).to_have_url(re.compile("sigma=0.1"))
    page.locator(".player").focus()
    press(page, "End")
    page.wait_for_function(f"{STATE}.position === 4")
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(sigma).to_have_value("0")
    expect(page).to_have_url(re.compile("^((?!sigma=).)*$"))
    page.wait_for_function(f"{STATE}.position === 0")
    assert "lesson=mush.1" in page.url


def test_a_page_is_explained_and_shared_by_link_code_and_frame(visit):
    page = visit("iterations?data=experiment-1&sigma=1&beta=20")
    at_rest(page)
    page.keyboard.press("?")
    explanation = page.get_by_role("dialog", name="Iterations")
    expect(explanation).to_contain_text("Try it.")
    expect(explanation).to_contain_text("erase the drawing")
    page.keyboard.press("b")
    expect(page.locator(".blank")).to_be_hidden()
    page.keyboard.press("Escape")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share").click()
    picture = page.locator(".qr").screenshot()
    code = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert cv2.QRCodeDetectorAruco().detectAndDecode(code)[0] == page.url
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.get_by_role("button", name="Embed").click()
    html = page.get_by_label("HTML of the frame").input_value()
    address = re.search('src="([^"]*)"', html)[1].replace("&amp;", "&")
    assert "embed=1" in address
    assert "sigma=1" in address
    expect_accessible(page)


@pytest.mark.parametrize(("path", "scheme"), [("", "light"), ("mean", "dark")])
def test_a_page_opens_in_embed_mode_and_has_no_serious_violations(visit, path, scheme):
    """The test of all figures switches every page to the mode."""
    page = visit(f"{path}?embed=1", scheme=scheme, width=800, height=600)
    expect_embedded(page)
    expect_accessible(page)
