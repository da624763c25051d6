"""The sizes of the pictures, in px of the screen, and their poses when the Overview opens."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, painted
from tests.browser.player_page import (
    STATE,
    press,
    set_beta,
    state,
    unlikeness,
    wait_for_player,
)

APP = Path(__file__).parents[2] / "app.py"
PHONE = {"width": 390, "height": 844}
SCREEN = {"width": 1280, "height": 720}
IMAGE, MEAN = 72, 110
"""Least width of an image and of a mean in a window of 1280 × 720 px."""
LARGER = 1.5
"""Factor of both in the projector mode."""
LEAST_ON_PHONE = 48
MEASURE = """() => {
  const hosts = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')];
  const root = hosts.map(host => host.shadowRoot?.querySelector('.player, .film')).find(Boolean);
  const means = [...root?.querySelectorAll('canvas.mean') ?? []];
  const pictures = [...means, ...root?.querySelectorAll('.gallery, .matrix, .laid') ?? []];
  const boxes = canvases => canvases.map(canvas => canvas.getBoundingClientRect());
  return {
    images: (root?.__player ?? root?.__film)?.tiles() ?? [],
    means: boxes(means).map(box => box.width),
    bottom: Math.max(...boxes(pictures).map(box => box.bottom)),
  };
}"""


@pytest.mark.parametrize(
    ("path", "shows_all"),
    [("", True), ("iterations", True), ("mean", True), ("iterations?lesson=mush.1", False)],
)
def test_images_and_means_are_large(serve, open_page, path, shows_all):
    page = open_page(f"{serve(APP)}/{path}", reduced_motion="reduce")

    def expect_sizes(image, mean):
        page.wait_for_function(f"({MEASURE})().images.every(width => width >= {image})")
        page.wait_for_function(f"({MEASURE})().means.every(width => width >= {mean})")
        at_rest(page)
        painted(page)
        found = page.evaluate(MEASURE)
        assert found["images"]
        assert min(found["images"]) >= image
        assert min(found["means"]) >= mean
        return found

    page.wait_for_function(f"({MEASURE})().means.length > 0")
    found = expect_sizes(IMAGE, MEAN)
    if shows_all:
        assert found["bottom"] <= SCREEN["height"]
    page.set_viewport_size(PHONE)
    expect_sizes(LEAST_ON_PHONE, LEAST_ON_PHONE)
    page.set_viewport_size(SCREEN)
    page.keyboard.press("p")
    expect_sizes(LARGER * IMAGE, LARGER * MEAN)


def test_the_images_of_the_overview_start_in_their_own_poses_and_meet_at_iteration_1(
    serve, open_page
):
    page = open_page(f"{serve(APP)}/", reduced_motion="reduce")
    wait_for_player(page)
    own = unlikeness(page, 0)
    assert own == unlikeness(page, 1)
    page.locator(".player").focus()
    press(page, "ArrowRight")
    page.wait_for_function(f"{STATE}.step === 1 && {STATE}.swing === 1")
    painted(page)
    assert unlikeness(page, 0) < 0.2 * own
    assert unlikeness(page, 1) > 0.4 * own


def test_the_images_of_the_overview_move_while_it_plays_unless_motion_is_reduced(serve, open_page):
    page = open_page(f"{serve(APP)}/")
    wait_for_player(page)
    page.wait_for_function(f"0 < {STATE}.swing && {STATE}.swing < 1")
    page = open_page(f"{serve(APP)}/", reduced_motion="reduce")
    wait_for_player(page)
    assert not state(page)["clock"]["playing"]
    assert state(page)["swing"] == 0


def test_one_switch_gives_both_methods_the_same_beta_and_back(serve, open_page):
    page = open_page(f"{serve(APP)}/", reduced_motion="reduce")
    wait_for_player(page)
    apart = state(page)["betas"]
    why = page.locator(".same-why")
    expect(why).to_contain_text(f"kernel attention has β = {apart[1]:g}")
    page.get_by_label("same β").check()
    assert state(page)["betas"] == [apart[0], apart[0]]
    expect(why).to_contain_text("Both methods have the same β")
    set_beta(page, 400, lane=1)
    assert len(set(state(page)["betas"])) == 1
    page.get_by_label("same β").uncheck()
    assert state(page)["betas"] == apart
