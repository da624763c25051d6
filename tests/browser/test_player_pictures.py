"""The images in the player: their poses, points, and more images than fit."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, painted, place_of, until
from tests.browser.player_page import ELEMENT, STATE, choose_poses, press, unlikeness


def test_in_the_common_pose_the_images_of_a_class_look_alike(player):
    page = player()
    page.locator("select.order").select_option("by class")
    painted(page)
    own, kernel = (unlikeness(page, lane) for lane in (0, 1))
    choose_poses(page, "common")
    assert unlikeness(page, 0) < 0.15
    assert own > 0.3
    assert unlikeness(page, 1) == kernel
    expect(page.locator(".gallery-caption")).to_have_text(["the data, common pose", "the data"])
    choose_poses(page, "own")
    assert unlikeness(page, 0) == own


def test_images_move_into_the_common_pose_gradually_unless_motion_is_reduced(player):
    swings = f"""() => new Promise(done => {{
      const seen = [];
      const tick = () => {{
        seen.push({STATE}.swing);
        if (seen.at(-1) < 1) requestAnimationFrame(tick); else done(seen);
      }};
      const select = {ELEMENT}.querySelector('.poses');
      select.value = 'common';
      select.dispatchEvent(new Event('change'));
      requestAnimationFrame(tick);
    }})"""
    page = player("case=one")
    assert any(0 < swing < 1 for swing in page.evaluate(swings))
    page = player("case=one", reduced_motion="reduce")
    assert not any(0 < swing < 1 for swing in page.evaluate(swings))


def test_if_classes_are_unknown_the_images_of_a_cluster_share_the_common_pose(player):
    page = player("case=clusters&poses=common", reduced_motion="reduce")
    page.locator("select.order").select_option("by cluster")
    painted(page)
    assert unlikeness(page, 0) < 0.3


def test_poses_cannot_be_chosen_if_there_are_none(player):
    expect(player("case=points").locator("select.poses")).to_be_hidden()


def test_the_player_states_how_many_of_the_images_it_shows(player):
    page = player("case=one&n=450&size=8&steps=2")
    expect(page.locator(".gallery-caption")).to_have_text("400 of 450 shown: the data")


def test_points_are_plotted_instead_of_images(player):
    page = player("case=points")
    expect(page.locator(".gallery-caption").first).to_have_text("the data")
    page.locator("canvas.gallery").first.focus()
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator(".sentence").first).to_have_text("Weight of fish 1 in its own mean")
    expect(page.locator(".pair-pictures").first).to_be_hidden()


def test_the_grid_of_points_has_lines_in_both_directions(player):
    page = player("case=points")
    edges = page.locator("canvas.gallery").first.evaluate(
        """(canvas) => {
          const count = (...box) => canvas.getContext('2d').getImageData(...box).data
            .filter((value, at) => at % 4 === 3 && value).length;
          return [count(0, 1, canvas.width, 1), count(1, 0, 1, canvas.height)];
        }"""
    )
    assert all(2 <= lines <= 40 for lines in edges), "along the upper and the left edge"


@pytest.mark.parametrize("width", [1000, 1280])
def test_both_matrices_have_the_same_height_regardless_of_the_length_of_their_captions(
    player, width
):
    page = player("case=two", width=width)
    status = page.locator(".status").first
    status.evaluate("e => (e.style.minWidth = '330px')")  # as if the text were long
    at_rest(page)
    painted(page)
    first, second = (place_of(page.locator("canvas.matrix").nth(at)) for at in (0, 1))
    assert first["x"] < second["x"]
    assert first["y"] == second["y"]
    formulas = [place_of(page.locator(".formula").nth(at)) for at in (0, 1)]
    assert formulas[0]["y"] == formulas[1]["y"]


@pytest.mark.parametrize("width", [390, 1000, 1280])
def test_formulas_break_only_between_their_terms(player, width):
    page = player("case=two", width=width)
    parts = page.locator(".formula > span").filter(has_text=re.compile(r"\w"))
    lines = "e => new Set([...e.getClientRects()].map(box => Math.round(box.bottom / 9))).size"
    until(page, lambda: parts.count() > 10)  # the terms of both formulas
    for part in parts.all():
        assert part.evaluate(lines) == 1, part.inner_text()
    over = "e => e.scrollWidth <= e.clientWidth"
    for at in (0, 1):
        assert page.locator(".formula").nth(at).evaluate(over)
