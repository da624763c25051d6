"""The Overview page in a browser: the images of each method follow its β."""

from pathlib import Path

import pytest

from tests.browser.places import at_rest, painted
from tests.browser.player_page import STATE, press, set_beta, state, wait_for_player

APP = Path(__file__).parents[2] / "app.py"
PICTURES = "canvas => canvas.toDataURL()"


@pytest.mark.parametrize(("lane", "method", "beta"), [(0, "ia", 400), (1, "ka", 600)])
def test_a_new_beta_changes_only_the_images_of_its_method(serve, open_page, lane, method, beta):
    page = open_page(f"{serve(APP)}/", reduced_motion="reduce")
    wait_for_player(page)
    page.locator(".player").focus()
    press(page, "End")
    page.wait_for_function(f"{STATE}.step === {STATE}.last")
    at_rest(page)
    first = state(page)
    pictures = page.locator("canvas.gallery").nth(lane)
    painted(page)
    before = pictures.evaluate(PICTURES)
    set_beta(page, beta, lane)
    page.locator("input.beta").nth(lane).dispatch_event("change")
    page.wait_for_function(f"{STATE}.given.runs[{lane}] !== '{first['given']['runs'][lane]}'")
    page.wait_for_function(f"{STATE}.given.betas[{lane}] === {STATE}.betas[{lane}]")
    at_rest(page)
    painted(page)
    after = state(page)
    assert after["given"]["runs"][lane].endswith(f".{method}")
    assert after["given"]["betas"][1 - lane] == first["given"]["betas"][1 - lane]
    assert (after["step"], after["last"]) == (first["step"], first["last"])
    assert pictures.evaluate(PICTURES) != before
