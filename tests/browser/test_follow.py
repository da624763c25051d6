"""A changed setting updates the result without Run; the previous result stays for comparison."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, painted
from tests.browser.player_page import STATE, press, set_beta, state
from tests.browser.test_beta import WATCH

LEGEND = ".legend .high"
RUNS = f"JSON.stringify({STATE}?.given.runs)"


@pytest.fixture
def ended(open_page, address_of_run):
    """The player of a finished run of two iterations, at its last iteration."""
    page = open_page(f"{address_of_run}&step=2", reduced_motion="reduce")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    page.wait_for_function(f"{STATE}?.paints > 0 && {STATE}?.last >= 2 && {STATE}.step === 2")
    at_rest(page)
    return page


def smooth(page):
    """Increase σ by one step."""
    page.get_by_role("slider", name=re.compile("Smoothing")).first.focus()
    press(page, "ArrowRight")


def test_sigma_updates_the_result_in_place_and_the_previous_one_stays_as_a_ghost(ended):
    before = json.dumps(state(ended)["given"]["runs"], separators=(",", ":"))
    scale = ended.locator(LEGEND).inner_text()
    expect(ended.locator(".before").first).to_be_hidden()
    ended.evaluate(WATCH)
    smooth(ended)
    ended.wait_for_function(f"{RUNS} !== '{before}' && {STATE}.last === 2")
    at_rest(ended)
    states = ended.evaluate("[...window.__states]")
    assert len(states) == 1, states
    ghosts = ended.locator(".before-text")
    expect(ghosts.first).to_have_text("Previous result at iteration 2: σ = 0 px")
    ended.locator(".player").focus()
    press(ended, "Home")
    expect(ghosts.first).to_have_text(re.compile("iteration 0: σ = 0 px"))
    assert ended.locator(LEGEND).inner_text() == scale
    expect(ended.get_by_text("Press Run")).to_have_count(0)
    ended.locator(".hide-before").first.click()
    expect(ended.locator(".before").first).to_be_hidden()


def test_the_advice_at_a_slider_moves_it_and_the_result_follows(ended):
    before = json.dumps(state(ended)["given"]["runs"], separators=(",", ":"))
    expect(ended.locator(".advice-text").first).to_have_text(re.compile("^At β = 15, a mean"))
    expect(ended.get_by_role("slider", name=re.compile("andwidth β"))).to_have_count(0)
    mark = ended.locator(".curve .mark").first
    at = mark.get_attribute("cx")
    button = ended.get_by_role("button", name=re.compile("^Use β = ")).first
    beta = float(button.inner_text().removeprefix("Use β = "))
    button.click()
    expect(mark).not_to_have_attribute("cx", at)
    ended.wait_for_function(f"{RUNS} !== '{before}' && {STATE}.given.betas[0] === {beta}")
    expect(ended.locator(".advice-text").first).to_have_text(re.compile(f"^At β = {beta:g},"))


def test_the_player_rests_while_the_figure_of_the_weights_is_open(player):
    page = player("case=one", reduced_motion="no-preference")
    page.get_by_role("button", name="Play", exact=True).click()
    for plays in (True, False):
        page.wait_for_function(f"{STATE}.clock.playing === {str(plays).lower()}")
        page.get_by_role("button", name="Figure").first.click()
        page.wait_for_function(f"!{STATE}.clock.playing")
        page.keyboard.press("Escape")
        page.wait_for_function(f"{STATE}.clock.playing === {str(plays).lower()}")
        page.locator(".player").focus()
        press(page, "Home")


def test_the_colour_scale_stays_when_beta_changes_until_the_user_lets_it_adapt(player):
    page = player("case=one")
    legend = page.locator(LEGEND)
    page.wait_for_function(f"{STATE}.ceiling > 0")
    painted(page)
    scale = legend.inner_text()
    set_beta(page, 100)
    page.locator("input.beta").first.dispatch_event("change")
    painted(page)
    expect(legend).to_have_text(scale)
    page.locator("select.scale").select_option("adapted")
    expect(legend).not_to_have_text(scale)


def test_a_released_beta_shows_a_preview_of_the_first_means_until_they_are_computed(player):
    page = player("case=one")
    page.locator(".player").focus()
    press(page, "Home", "ArrowRight")
    set_beta(page, 100)
    page.locator("input.beta").first.dispatch_event("change")
    expect(page.locator(".stale").first).to_have_text(re.compile("^preview with β = "))
