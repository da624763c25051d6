"""The tools of every page: pen, pointer, blank screen, explanation, sharing, reset, undo and embedding."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, expect_accessible, until
from tests.browser.player_page import STATE, press, wait_for_player

APP = Path(__file__).parents[2] / "app.py"
VIEWS = ("", "data", "iterations", "mean", "manifolds", "clustering", "equivariance", "compare")
INKED = """canvas => {
  if (!canvas.width || !canvas.matches(":popover-open")) return 0;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, at) => at % 4 === 3 && value > 0).length;
}"""
"""The number of drawn pixels that are visible."""
SIGMA = re.compile("sigma=")


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


def sigma(page):
    return page.get_by_role("slider", name="Smoothing")


def raise_sigma(page):
    sigma(page).press("ArrowRight")
    expect(page).to_have_url(SIGMA)
    at_rest(page)


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


def test_undo_restores_earlier_settings_and_reset_restores_the_defaults_and_the_start(visit):
    page = visit("iterations?data=experiment-1")
    wait_for_player(page)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    raise_sigma(page)
    first = sigma(page).get_attribute("aria-valuenow")
    raise_sigma(page)
    until(page, lambda: sigma(page).get_attribute("aria-valuenow") != first)
    until(page, lambda: "sigma=0.2" in page.url)
    at_rest(page)
    page.keyboard.press("Control+z")
    expect(sigma(page)).to_have_attribute("aria-valuenow", first)
    at_rest(page)
    undo.click()
    expect(sigma(page)).to_have_attribute("aria-valuenow", "0")
    expect(page).not_to_have_url(SIGMA)
    at_rest(page)
    raise_sigma(page)
    page.locator(".player").focus()
    press(page, "End")
    page.get_by_role("button", name="Reset").click()
    expect(sigma(page)).to_have_attribute("aria-valuenow", "0")
    expect(page).not_to_have_url(SIGMA)
    page.wait_for_function(f"{STATE}.position === 0")


def test_reset_sets_a_caption_again_with_its_own_settings(visit):
    page = visit("iterations?lesson=beta.1")
    wait_for_player(page)
    at_rest(page)
    before = page.url
    raise_sigma(page)
    page.get_by_role("button", name="Reset").click()
    expect(page).not_to_have_url(SIGMA)
    at_rest(page)
    assert "lesson=beta.1" in page.url
    assert "lesson=beta.1" in before


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_embed_mode_shows_only_the_view_of_a_page(visit, scheme):
    paths = VIEWS if scheme == "light" else VIEWS[1::3]
    for path in paths:
        page = visit(f"{path}?embed=1", scheme=scheme, width=800, height=600)
        view = page.locator("[data-embedded]")
        expect(view).to_be_visible()
        at_rest(page)
        expect(view).to_be_in_viewport()
        assert "embed=1" in page.url, path
        for hidden in ("h1", "[data-testid=stSidebar]", "[data-testid=stHeader]", ".projector"):
            expect(page.locator(hidden)).to_be_hidden()
        expect_accessible(page)
