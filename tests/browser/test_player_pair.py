"""A pair of images in the player: hovering over it, pinning it, and its overlay."""

import re

from playwright.sync_api import expect

from tests.browser.places import at_rest
from tests.browser.player_page import choose_poses, click_cell, expect_python, press, state


def test_a_clicked_cell_is_pinned_for_every_run_and_sent_to_python(player):
    page = player()
    click_cell(page, 1, 4)
    expect_python(page, "pair=(1, 4)")
    sentences = page.locator(".sentence")
    assert sentences.all_inner_texts() == ["Weight of fish 1 in the mean of fish 2"] * 2
    counted = page.locator(".pair-distance").first
    expect(counted).to_contain_text(re.compile(r"^d²2,\s5 = "))  # images are numbered from 1
    page.locator(".player").focus()
    press(page, "Escape")
    expect_python(page, "pair=None")


def test_a_pair_is_named_by_its_numbers_in_the_data_set(player):
    page = player("case=two&numbers=1")
    click_cell(page, 1, 4)
    expect(page.locator(".pair-distance").first).to_contain_text(re.compile(r"^d²17,\s47 = "))
    expect(page.locator(".pair-weight").first).to_contain_text(re.compile(r"^W17,\s47 = "))
    expect_python(page, "pair=(1, 4)")


def test_the_player_names_the_clusters_of_a_pair(player):
    page = player()
    click_cell(page, 1, 4)
    expect(page.locator(".pinned").first).to_contain_text("Cluster 2.")
    click_cell(page, 0, 1)
    expect(page.locator(".pinned").first).to_contain_text("Clusters 1 and 2.")


def test_hovering_over_an_image_shows_its_pair_and_leaving_the_image_hides_it(player):
    page = player()
    page.locator("canvas.gallery").first.hover(position={"x": 20, "y": 20})
    expect(page.locator(".sentence").first).to_have_text("Weight of crab 1 in its own mean")
    page.mouse.move(2, 2)
    expect(page.locator(".sentence").first).to_be_hidden()


def test_a_cell_can_be_chosen_by_keyboard_alone(player):
    page = player()
    at_rest(page)
    page.locator("canvas.matrix").nth(1).focus()
    press(page, "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    expect_python(page, "pair=(3, 1)")
    expect(page.locator(".unseen")).to_contain_text("Weight of crab 2 in the mean of fish 1")
    assert state(page)["step"] == 0


def test_the_overlay_of_an_aligned_pair_is_white_and_of_an_unaligned_pair_is_not(player):
    page = player()
    click_cell(page, 1, 4)
    expect(page.locator(".sentence").last).to_be_visible()
    colourful = page.locator("canvas.both").evaluate_all(
        """canvases => canvases.map(c => {
          const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
          let difference = 0, sum = 0;
          for (let at = 0; at < d.length; at += 4) {
            difference += Math.abs(d[at] - d[at + 2]); sum += d[at] + d[at + 2];
          }
          return difference / sum;
        })"""
    )
    aligned, unaligned = colourful
    assert aligned < 0.15
    assert unaligned > 0.3


def test_the_images_of_the_pair_do_not_depend_on_the_chosen_poses(player):
    page = player("case=one")
    click_cell(page, 0, 6)
    own = page.locator("canvas.own").first
    expect(own).to_be_visible()
    picture = "c => c.toDataURL()"
    before = [page.locator(f"canvas.{name}").evaluate(picture) for name in ("own", "both")]
    choose_poses(page, "common")
    assert before == [page.locator(f"canvas.{n}").evaluate(picture) for n in ("own", "both")]
