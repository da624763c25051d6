"""Measures the time from the release of a control on Iterations until its result is painted.

Each value is the median of 20 releases in wall-clock time, also on a busy machine.
"""

import re
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

from tests.benchmarks.browsing import Session, Wait, find_median

TIMES = 20
SETS = {"Experiment 1": "data=experiment-1", "60 digits": "data=digits&images=60"}
WATCH = """([ready]) => {
  const state = () => STATE;
  const before = state();
  window.__release = new Promise((done) => {
    let start;
    const note = (event) => (start ??= event.timeStamp);
    for (const type of ["keydown", "pointerup", "change"])
      document.addEventListener(type, note, { capture: true, once: true });
    const isReady = new Function("now", "before", `return ${ready}`);
    const look = () => {
      if (start !== undefined && isReady(state(), before))
        requestAnimationFrame(() => done(performance.now() - start)); // painted by then
      else requestAnimationFrame(look);
    };
    look();
  });
}"""
NEW = "now && String(now.given.runs) !== String(before.given.runs) && now.arrived"
PREVIEWED = "ELEMENT.querySelector('.stale').innerText.startsWith('preview')"
RELEASE = """slider.value = VALUE;
  for (const type of ["input", "change"])
    slider.dispatchEvent(new Event(type, { bubbles: true, composed: true }));"""


def _open(session: Session, query: str, step: int) -> Any:
    """Open a finished run of these data, with the player stopped at a step."""
    from tests.browser.player_page import STATE

    page = session.open(f"{session.serve()}/iterations?{query}&steps=1&step={step}", height=1000)
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Done: 1 iteration").wait_for()
    page.wait_for_function(f"{STATE}?.last === 1")
    page.locator(".player").first.focus()
    page.keyboard.press("End" if step else "Home")
    page.wait_for_url(re.compile(rf"[?&]step={step}(&|$)"))
    return page


def _measure(page: Any, act: Callable[[], object], ready: str) -> float:
    """Time from the event that `act` causes until the player shows its result [ms]."""
    from tests.browser.places import at_rest
    from tests.browser.player_page import ELEMENT, STATE

    page.evaluate(WATCH.replace("STATE", STATE), [ready.replace("ELEMENT", f"({ELEMENT})")])
    act()
    took = float(page.evaluate("window.__release"))
    page.get_by_text("Done: 1 iteration").wait_for()
    at_rest(page)
    return took


def _after_beta(session: Session, step: int, ready: str) -> dict[str, float]:
    found = {}
    for title, query in SETS.items():
        page, values = _open(session, query, step), cycle(range(560, 760, 9))
        release = _release_of(page, values)

        def wait(_: int, page: Any = page, release: Callable[[], None] = release) -> float:
            return _measure(page, release, ready)

        found[title] = find_median(wait, TIMES)
        page.context.close()
    return found


def _release_of(page: Any, values: Iterator[int]) -> Callable[[], None]:
    """Return a function that releases the slider of β at the next value."""

    def release() -> None:
        script = RELEASE.replace("VALUE", str(next(values)))
        page.locator("input.beta").first.evaluate(f"slider => {{ {script} }}")

    return release


def weights_after_beta(session: Session, _: float) -> dict[str, float]:
    """Time from the release of β until W is painted."""
    return _after_beta(session, 0, "now.betas[0] !== before.betas[0] && now.paints > before.paints")


def means_after_beta(session: Session, _: float) -> dict[str, float]:
    """Time from the release of β until the means with it, or their preview, are painted."""
    return _after_beta(session, 1, f"{PREVIEWED} || ({NEW})")


def exact_means_after_beta(session: Session, _: float) -> dict[str, float]:
    """Time from the release of β until the exact means are painted."""
    return _after_beta(session, 1, NEW)


def _results(session: Session, title: str) -> dict[str, float]:
    page = _open(session, SETS[title], 0)
    groups = cycle(("rotation", "rotation + translation"))

    def smooth() -> None:
        page.get_by_role("slider", name=re.compile("Smoothing")).first.focus()
        page.keyboard.press("ArrowRight")

    def choose(_: int) -> float:
        name = next(groups)
        page.get_by_role("combobox", name=re.compile("Ignored")).first.click()
        option = page.get_by_role("option", name=name, exact=True)
        option.hover()
        return _measure(page, option.click, NEW)

    return {
        f"{title}, σ": find_median(lambda _: _measure(page, smooth, NEW), TIMES),
        f"{title}, group": find_median(choose, TIMES),
    }


def results_of_drawings(session: Session, _: float) -> dict[str, float]:
    """Time from a new σ or group until the first W of Experiment 1 is painted."""
    return _results(session, "Experiment 1")


def results_of_digits(session: Session, _: float) -> dict[str, float]:
    """Time from a new σ or group until the first W of 60 digits is painted."""
    return _results(session, "60 digits")


RELEASES = (
    Wait("weights after the release of β", "ms", 100, weights_after_beta),
    Wait("means or their preview after the release of β", "ms", 300, means_after_beta),
    Wait("exact means after the release of β", "ms", 2000, exact_means_after_beta),
    Wait("first weights of 18 drawings after σ or a group", "ms", 1000, results_of_drawings),
    Wait("first weights of 60 digits after σ or a group", "ms", 2000, results_of_digits),
)
