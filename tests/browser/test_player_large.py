"""The player with large data sets: reruns do not send them again, and 200 images can be played."""

import pytest

from tests.browser.places import at_rest
from tests.browser.player_page import APP, STATE, choose_poses, run_again, set_beta, wait_for_player


@pytest.mark.parametrize("query", ["case=two&n=8&size=8", "case=two&n=60&size=32"])
def test_a_rerun_without_changes_sends_almost_nothing(player, serve, open_page, query):
    page = open_page("about:blank")
    received = []
    page.on("websocket", lambda ws: ws.on("framereceived", lambda data: received.append(len(data))))
    page.goto(f"{serve(APP)}/?{query}")
    wait_for_player(page)
    at_rest(page)
    first = sum(received)
    for _ in range(3):
        received.clear()
        run_again(page)
        assert 0 < sum(received) < 20_000 < first


@pytest.mark.parametrize("poses", ["own", "common"])
def test_two_hundred_images_can_be_played_in_either_pose(player, poses):
    page = player(f"case=one&n=200&size=64&steps=6&poses={poses}")
    choose_poses(page, "common" if poses == "own" else "own")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"{STATE}.step === 3 && {STATE}.clock.playing")


def test_the_matrix_of_two_hundred_images_is_painted_after_every_change_of_beta(player):
    page = player("case=one&n=200&size=64&steps=2")
    for value in (300, 500):
        page.evaluate("performance.clearMeasures('ia:beta')")
        set_beta(page, value)
        page.wait_for_function("performance.getEntriesByName('ia:beta').length === 1")
