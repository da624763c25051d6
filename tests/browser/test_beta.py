"""A new β in the player of a run updates the means; nothing else on the page moves."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, painted, place_of
from tests.browser.player_page import STATE, click_cell, press, set_beta, state

APP = Path(__file__).parents[2] / "app.py"
WATCH = """() => {
  window.__texts = new Set();
  window.__states = new Set();
  const record = () => {
    const hosts = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')];
    const player = hosts.map(h => h.shadowRoot?.querySelector('.player')).find(Boolean);
    if (player) {
      for (const card of player.querySelectorAll('.pair-text')) window.__texts.add(card.innerText);
      const top = Math.round(player.getBoundingClientRect().top);
      window.__states.add(JSON.stringify([player.querySelector('.count').innerText, top]));
    }
    requestAnimationFrame(record);
  };
  record();
}"""


@pytest.fixture
def ended(open_page, address_of_run):
    """The player of a finished run of two iterations, at its last iteration."""
    page = open_page(f"{address_of_run}&step=2", reduced_motion="reduce")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    page.wait_for_function(f"{STATE}?.paints > 0 && {STATE}?.last >= 2 && {STATE}.step === 2")
    page.locator(".player").focus()
    at_rest(page)
    return page


def wait_for_run(page, act):
    """Call `act`, and wait until another run is shown."""
    before = json.dumps(state(page)["given"]["runs"], separators=(",", ":"))
    act()
    page.wait_for_function(f"JSON.stringify({STATE}?.given.runs) !== '{before}'")
    page.wait_for_function(f"{STATE}.last === 2")
    at_rest(page)


def step_twice(page):
    """Go to the first step and back; Python has then received all earlier events."""
    for key, step in (("Home", 0), ("End", 2)):
        page.locator(".player").focus()
        press(page, key)
        page.wait_for_url(re.compile(rf"[?&]step={step}(&|$)"))
    at_rest(page)


def release_beta(page, value):
    set_beta(page, value)
    page.locator("input.beta").first.dispatch_event("change")


def listed(page):
    return page.get_by_test_id("stSidebar").get_by_text("Done", exact=True)


def test_with_a_new_beta_neither_the_player_nor_the_page_moves_and_all_numbers_stay_available(
    ended,
):
    click_cell(ended, 7, 2)
    ended.wait_for_url(re.compile("[?&]i=8"))
    at_rest(ended)
    ended.evaluate(WATCH)
    wait_for_run(ended, lambda: release_beta(ended, 560))
    painted(ended)
    texts, states = ended.evaluate("[[...window.__texts], [...window.__states]]")
    assert not [text for text in texts if "unknown" in text or "not available until" in text]
    assert len(states) == 1, states
    assert json.loads(states[0])[0] == "iteration 2 of 2"
    ended.wait_for_url(re.compile(r"[?&]step=2(&|$)"))
    expect(ended.locator(".stale").first).to_be_hidden()


def test_every_key_press_on_the_slider_of_beta_counts(ended):
    slider = ended.locator("input.beta").first
    slider.focus()
    before = int(slider.input_value())

    def press_slowly():
        for _ in range(6):
            press(ended, "ArrowLeft")
            ended.wait_for_timeout(500)  # longer than the player waits for another key press

    wait_for_run(ended, press_slowly)
    ended.wait_for_function(f"{STATE}.betas[0] === {STATE}.given.betas[0]")
    at_rest(ended)
    assert abs(int(slider.input_value()) - (before - 6)) <= 2  # β is rounded to three digits
    beta = state(ended)["betas"][0]
    ended.wait_for_url(re.compile(rf"[?&]beta={beta:g}(&|$)"))
    assert state(ended)["given"]["betas"][0] == beta, "the means for this β must be shown"
    assert slider.evaluate("e => e.getRootNode().activeElement === e")


def test_several_changes_of_beta_leave_the_first_run_and_the_last_two(ended):
    expect(listed(ended)).to_have_count(1)
    for value, runs in ((560, 2), (520, 3), (600, 3)):
        wait_for_run(ended, lambda value=value: release_beta(ended, value))
        expect(listed(ended)).to_have_count(runs)
    assert "job=" in ended.url


def test_an_older_run_restores_its_own_beta_in_the_player_and_in_the_address(ended):
    wait_for_run(ended, lambda: release_beta(ended, 500))
    beta = state(ended)["betas"][0]
    side = ended.get_by_test_id("stSidebar")
    slider = ended.locator("input.beta").first
    wait_for_run(ended, lambda: side.get_by_role("link", name="β 15: experiment-1").click())
    step_twice(ended)  # reopening a run starts no other run
    assert state(ended)["betas"][0] == 15
    expect(slider).to_have_attribute("aria-valuetext", "β = 15")
    ended.wait_for_url(re.compile(r"[?&]beta=15(&|$)"))
    expect(listed(ended)).to_have_count(2)
    wait_for_run(ended, lambda: side.get_by_role("link", name=f"β {beta:g}: experiment-1").click())
    step_twice(ended)
    assert state(ended)["betas"][0] == beta
    expect(slider).to_have_attribute("aria-valuetext", f"β = {beta:g}")
    ended.wait_for_url(re.compile(rf"[?&]beta={beta:g}(&|$)"))
    expect(listed(ended)).to_have_count(2)


def test_the_details_of_a_pair_fit_on_a_projector_and_cover_no_image(ended):
    click_cell(ended, 7, 2)
    ended.wait_for_url(re.compile("[?&]i=8"))
    for part in (".sentence", ".pair-distance", ".pair-weight"):
        box = place_of(ended.locator(part).first)
        assert box["y"] + box["height"] <= 720 + 2
    for down in (0, -200, 150):
        ended.mouse.move(700, 500)
        ended.mouse.wheel(0, down)
        for lane in (0, 1):
            card = place_of(ended.locator(".pair").nth(lane))
            for picture in ("canvas.matrix", "canvas.gallery"):
                box = place_of(ended.locator(picture).nth(lane))
                assert box["y"] + box["height"] <= card["y"]
