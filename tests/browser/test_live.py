"""How long a visitor waits, on a server that was started for the occasion."""

import os
import statistics
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import start_server
from tests.browser.player_page import ELEMENT, STATE, press
from tests.browser.rounds import ROOM, event_to_paint, least, median_of

pytestmark = pytest.mark.timed

APP = Path(__file__).parents[2] / "app.py"
ROUNDS = int(os.environ.get("IA_ROUNDS", "5"))
"""On a server just started, a visit takes seconds: CI makes few."""
MOVING = f"{STATE}?.paints > 0 && {STATE}.position > 0"


@pytest.fixture
def fresh():
    """Starts servers of its own, each new, and ends them."""
    servers = []

    def start():
        server, url = start_server(APP)
        servers.append(server)
        return url

    yield start
    for server in servers:
        server.terminate()
        server.wait(timeout=20)


def test_first_picture_moves_within_five_seconds_on_a_server_just_started(fresh, open_page):
    seconds = []
    for _ in range(ROUNDS):
        url = fresh()
        begun = time.perf_counter()
        page = open_page(url)
        page.wait_for_function(MOVING, timeout=60_000)
        seconds.append(time.perf_counter() - begun)
        page.close()
    print(f"navigation to the first moving picture: median {statistics.median(seconds):.2f} s")
    assert statistics.median(seconds) < 5


def test_any_page_may_be_the_first_that_a_server_is_asked_for(fresh, open_page):
    page = open_page(f"{fresh()}/iterations?beta=20")
    expect(page.get_by_role("heading", name="Iterations")).to_be_visible(timeout=30_000)
    expect(page.get_by_test_id("stSidebarNav").get_by_text("Overview")).to_be_visible()
    assert "beta=20" in page.url


PRESS_RUN = """[...document.querySelectorAll("button")]
  .find((button) => button.innerText.trim().endsWith("Run")).click()"""
NEW_RUN = "JSON.stringify(now.given.runs) !== JSON.stringify(before.given.runs)"


@pytest.fixture(scope="module")
def solved(serve, browser):
    """Experiment 1 after one iteration, which the player rests on."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{serve(APP)}/iterations?steps=1")
    page.wait_for_function(f"{STATE}?.paints > 0 && {STATE}?.last > 0", timeout=60_000)
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Done").first.wait_for(timeout=60_000)
    page.wait_for_function(f"{STATE}?.last === 1")
    yield page
    context.close()


def rest_on_the_means(page):
    page.locator(".player").focus()
    press(page, "End")
    page.wait_for_function(f"{STATE}.told.step?.[0] === 1", timeout=10_000)


def let_beta_go(page, at):
    """β is let go at another value than before: until the means made with it are painted."""
    page.wait_for_timeout(400)
    act = f"""const slider = ({ELEMENT}).querySelector("input.beta");
      slider.value = {600 + 37 * at % 300};
      for (const type of ["input", "change"])
        slider.dispatchEvent(new Event(type, {{ bubbles: true }}));"""
    took = event_to_paint(page, act, f"{NEW_RUN} && now.last === 1 && now.step === 1")
    page.get_by_text("Done").first.wait_for(timeout=30_000)
    return took


def test_means_follow_beta_within_three_tenths_of_a_second(solved):
    rest_on_the_means(solved)
    rounds = iter(range(3))

    def measure():
        first = 20 * next(rounds)
        return median_of("β let go to its means", lambda at: let_beta_go(solved, first + at))

    assert least(measure, limit=300) < 300 * ROOM


def iterate_once(page):
    """Under another σ than before, so that nothing is known: from Run to the means."""
    page.get_by_role("slider", name="Blur").first.focus()
    press(page, "ArrowRight")
    page.wait_for_timeout(500)
    took = event_to_paint(page, PRESS_RUN, f"{NEW_RUN} && now.last === 1")
    page.get_by_text("Done").first.wait_for(timeout=30_000)
    return took


def test_an_iteration_of_experiment_1_is_seen_within_three_tenths_of_a_second(solved):
    what = "Run to the means of one iteration"
    assert least(lambda: median_of(what, lambda _: iterate_once(solved)), limit=300) < 300 * ROOM
