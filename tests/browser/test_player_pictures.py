"""The images in the player: poses, points, more than fit."""

from playwright.sync_api import expect

from tests.browser.player_page import ELEMENT, STATE, choose_poses, press, unlikeness


def test_in_the_common_pose_the_images_of_a_class_look_alike(player):
    page = player()
    page.locator("select.order").select_option("by class")
    page.wait_for_timeout(100)
    own, kernel = (unlikeness(page, lane) for lane in (0, 1))
    choose_poses(page, "common")
    assert unlikeness(page, 0) < 0.15
    assert own > 0.3
    assert unlikeness(page, 1) == kernel
    expect(page.locator(".gallery-caption")).to_have_text(["the data, common pose", "the data"])
    choose_poses(page, "own")
    assert unlikeness(page, 0) == own


def test_images_swing_into_the_common_pose_and_do_not_under_reduced_motion(player):
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


def test_poses_belong_to_clusters_where_classes_are_unknown(player):
    page = player("case=clusters&poses=common", reduced_motion="reduce")
    page.locator("select.order").select_option("by cluster")
    page.wait_for_timeout(100)
    assert unlikeness(page, 0) < 0.3


def test_poses_are_no_choice_where_none_are_known(player):
    expect(player("case=points").locator("select.poses")).to_be_hidden()


def test_more_images_than_fit_are_counted_on_the_screen(player):
    page = player("case=one&n=450&size=8&steps=2")
    expect(page.locator(".gallery-caption")).to_have_text("400 of 450 shown: the data")


def test_points_are_plotted_where_there_are_no_images(player):
    page = player("case=points")
    expect(page.locator(".gallery-caption").first).to_have_text("the data")
    page.locator("canvas.gallery").first.focus()
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator(".sentence").first).to_have_text("Weight of fish 1 in its own mean")
    expect(page.locator(".pair-pictures").first).to_be_hidden()
