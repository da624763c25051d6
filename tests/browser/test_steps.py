"""How long a class waits: for a caption with all it promises, and for what a page opens with."""

import time
from pathlib import Path

import pytest

from tests.browser.lessons_said import ACCURACY
from tests.browser.rounds import ROOM, TIMES, least
from tests.browser.test_lessons import FIRST, check, unkept, unlike

APP = Path(__file__).parents[2] / "app.py"
SOON = 60
TIMED = list(FIRST)[:: 1 if TIMES >= 20 else 2]
"""Where few waits are measured, every second lesson stands for all; each is walked elsewhere."""
STEP, LOAD = 1.0, 2.0
"""Seconds that a step of a lesson, and a page, may take."""
OPENS_WITH = {
    "": ".player canvas.matrix",
    "iterations": ".player canvas.matrix",
    "mean": ".film canvas",
    "manifolds": "svg[aria-label*='Least squared distance']",
    "clustering": ".clusters .tile",
    "equivariance": ".turning canvas",
    "compare": "svg",
    "papers": "svg, img",
}
SHOWN = """(selector) => [document, ...[...document.querySelectorAll(
    "[data-testid=stMain] [data-testid=stBidiComponentIsolated]")].map((host) => host.shadowRoot)]
  .some((root) => [...(root?.querySelectorAll(selector) ?? [])]
    .some((found) => found.checkVisibility() && found.getBoundingClientRect().width > 30))"""
"""Whether such a thing stands on the page, also within a component."""


def take_step(page, name, at):
    """From the presenter's key until the caption is there and the page keeps its word [s]."""
    find = unlike if f"{name}.{at}" in ACCURACY else unkept
    begun = time.perf_counter()
    page.keyboard.press("PageDown")
    page.get_by_text(f"caption {at} of {FIRST[name][1]}").wait_for(timeout=1000 * SOON)
    while find(page, f"{name}.{at}") and time.perf_counter() - begun < SOON:
        page.wait_for_timeout(10)
    return time.perf_counter() - begun


def take_step_again(page, name, at):
    """The same, once more: back, and on."""
    page.keyboard.press("PageUp")
    page.get_by_text(f"caption {at - 1} of").wait_for(timeout=1000 * SOON)
    check(page, f"{name}.{at - 1}")
    return take_step(page, name, at)


@pytest.mark.timed
@pytest.mark.parametrize("name", TIMED)
def test_a_step_of_a_lesson_is_answered_within_a_second(serve, open_page, name):
    page = open_page(f"{serve(APP)}/{FIRST[name][0]}?lesson={name}.1", reduced_motion="reduce")
    took = []
    for at in range(2, FIRST[name][1] + 1):
        check(page, f"{name}.{at - 1}")
        ways = iter([take_step, take_step_again, take_step_again])
        took.append(least(lambda at=at, ways=ways: next(ways)(page, name, at), limit=STEP))
    print(f"{name}: steps take " + ", ".join(f"{seconds:.2f}" for seconds in took) + " s")
    assert max(took) < STEP * ROOM


@pytest.mark.timed
@pytest.mark.parametrize("path", OPENS_WITH)
def test_a_page_shows_what_was_computed_beforehand_within_two_seconds(serve, open_page, path):
    def load():
        begun = time.perf_counter()
        page = open_page(f"{serve(APP)}/{path}", reduced_motion="reduce")
        page.wait_for_function(SHOWN, arg=OPENS_WITH[path], timeout=1000 * SOON)
        seconds = time.perf_counter() - begun
        page.close()
        return seconds

    first = load()  # the server imports what the page needs
    again = least(load, limit=LOAD)
    print(f"/{path}: first {first:.2f} s, then {again:.2f} s")
    assert again < LOAD * ROOM
