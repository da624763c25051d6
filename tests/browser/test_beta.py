"""β turned in the player of a run: its means follow, and nothing else moves."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, painted, place_of
from tests.browser.player_page import STATE, click_cell, press, set_beta, state

APP = Path(__file__).parents[2] / "app.py"
WATCH = """() => {
  window.__said = new Set();
  window.__seen = new Set();
  const look = () => {
    const hosts = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')];
    const player = hosts.map(h => h.shadowRoot?.querySelector('.player')).find(Boolean);
    if (player) {
      for (const card of player.querySelectorAll('.pair-text')) window.__said.add(card.innerText);
      const top = Math.round(player.getBoundingClientRect().top);
      window.__seen.add(JSON.stringify([player.querySelector('.count').innerText, top]));
    }
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.fixture
def ended(open_page, address_of_run):
    """The film of a run of two iterations at its last, in a browser of its own."""
    page = open_page(f"{address_of_run}&step=2", reduced_motion="reduce")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    page.wait_for_function(f"{STATE}?.paints > 0 && {STATE}?.last >= 2 && {STATE}.step === 2")
    page.locator(".player").focus()
    at_rest(page)
    return page


def await_means(page, turn):
    """Turn β, and wait until another run is shown."""
    before = json.dumps(state(page)["given"]["runs"], separators=(",", ":"))
    turn()
    page.wait_for_function(f"JSON.stringify({STATE}?.given.runs) !== '{before}'")
    page.wait_for_function(f"{STATE}.last === 2")
    at_rest(page)


def go_round(page):
    """To the first step and back; by then Python has heard of all that was done before."""
    for key, step in (("Home", 0), ("End", 2)):
        page.locator(".player").focus()
        press(page, key)
        page.wait_for_url(re.compile(rf"[?&]step={step}(&|$)"))
    at_rest(page)


def let_go(page, value):
    set_beta(page, value)
    page.locator("input.beta").first.dispatch_event("change")


def listed(page):
    return page.get_by_test_id("stSidebar").get_by_text("Done", exact=True)


def test_the_film_stays_the_page_stays_and_no_number_becomes_unknown(ended):
    click_cell(ended, 7, 2)
    ended.wait_for_url(re.compile("[?&]i=8"))
    at_rest(ended)
    ended.evaluate(WATCH)
    await_means(ended, lambda: let_go(ended, 560))
    painted(ended)
    said, seen = ended.evaluate("[[...window.__said], [...window.__seen]]")
    assert not [text for text in said if "unknown" in text or "not known yet" in text]
    assert len(seen) == 1, seen
    assert json.loads(seen[0])[0] == "iteration 2 of 2"
    ended.wait_for_url(re.compile(r"[?&]step=2(&|$)"))
    expect(ended.locator(".stale").first).to_be_hidden()


def test_no_press_of_a_key_on_beta_is_lost(ended):
    slider = ended.locator("input.beta").first
    slider.focus()
    before = int(slider.input_value())

    def press_slowly():
        for _ in range(6):
            press(ended, "ArrowLeft")
            ended.wait_for_timeout(500)  # longer than the hand has to rest

    await_means(ended, press_slowly)
    ended.wait_for_function(f"{STATE}.betas[0] === {STATE}.given.betas[0]")
    at_rest(ended)
    assert abs(int(slider.input_value()) - (before - 6)) <= 2  # β is rounded to three digits
    beta = state(ended)["betas"][0]
    ended.wait_for_url(re.compile(rf"[?&]beta={beta:g}(&|$)"))
    assert state(ended)["given"]["betas"][0] == beta, "and its means are there"
    assert slider.evaluate("e => e.getRootNode().activeElement === e")


def test_a_beta_that_is_turned_again_and_again_leaves_one_run_beside_the_first(ended):
    expect(listed(ended)).to_have_count(1)
    for value in (560, 520, 600):
        await_means(ended, lambda value=value: let_go(ended, value))
        expect(listed(ended)).to_have_count(2)
    assert "job=" in ended.url


def test_an_older_run_that_is_opened_has_its_own_beta_in_the_player_and_on_the_knob(ended):
    await_means(ended, lambda: let_go(ended, 500))
    beta = state(ended)["betas"][0]
    side = ended.get_by_test_id("stSidebar")
    knob = ended.get_by_role("slider", name="Bandwidth β").first
    await_means(ended, lambda: side.get_by_role("link", name="β 15: experiment-1").click())
    go_round(ended)  # nothing is begun by coming back
    assert state(ended)["betas"][0] == 15
    expect(knob).to_have_attribute("aria-valuetext", "15")
    expect(listed(ended)).to_have_count(2)
    await_means(ended, lambda: side.get_by_role("link", name=f"β {beta:g}: experiment-1").click())
    go_round(ended)
    assert state(ended)["betas"][0] == beta
    expect(knob).to_have_attribute("aria-valuetext", f"{beta:g}")
    expect(listed(ended)).to_have_count(2)


def test_a_card_of_a_pair_covers_no_picture(ended):
    click_cell(ended, 7, 2)
    ended.wait_for_url(re.compile("[?&]i=8"))
    for down in (0, -200, 150):
        ended.mouse.move(700, 500)
        ended.mouse.wheel(0, down)
        for lane in (0, 1):
            card = place_of(ended.locator(".pair").nth(lane))
            for picture in ("canvas.matrix", "canvas.gallery"):
                box = place_of(ended.locator(picture).nth(lane))
                assert box["y"] + box["height"] <= card["y"]


def test_the_distance_and_the_weight_of_a_pair_are_in_the_window_of_a_projector(ended):
    click_cell(ended, 7, 2)
    ended.wait_for_url(re.compile("[?&]i=8"))
    for part in (".sentence", ".pair-distance", ".pair-weight"):
        box = place_of(ended.locator(part).first)
        assert box["y"] + box["height"] <= 720 + 2
