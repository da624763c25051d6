"""Measures how long users wait for the first picture, for the response to a click and for the next
frame.
"""

import re
import time
from collections.abc import Callable
from itertools import count
from typing import Any

from tests.benchmarks.browsing import (
    APP,
    Session,
    Wait,
    find_least,
    find_median,
    find_p95,
)

TIMES = 20
"""Number of waits per median."""
SERVERS = 5
EVENT_TO_PAINT = """([act, ready]) => new Promise((done, fail) => {
  const state = () => STATE;
  const before = state();
  const start = performance.now();
  new Function(act)();
  const look = () => {
    const now = state();
    const passed = performance.now() - start;
    if (now && new Function("now", "before", `return ${ready}`)(now, before))
      requestAnimationFrame(() => done(performance.now() - start)); // painted by then
    else if (passed > 20000) fail(new Error(JSON.stringify(now)));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
INTERVALS = """milliseconds => new Promise(done => {
  const times = [];
  const tick = () => {
    times.push(performance.now());
    if (times.at(-1) - times[0] < milliseconds) requestAnimationFrame(tick);
    else done(times.slice(1).map((t, at) => t - times[at]));
  };
  requestAnimationFrame(tick);
})"""
PRESS_RUN = """[...document.querySelectorAll("button")]
  .find((button) => button.innerText.trim().endsWith("Run")).click()"""
NEW_RUN = "JSON.stringify(now.given.runs) !== JSON.stringify(before.given.runs)"
SWING = """select => setInterval(() => {
  select.value = select.value === 'own' ? 'common' : 'own';
  select.dispatchEvent(new Event('change'));
}, 700)"""


def first_picture(session: Session, limit: float) -> dict[str, float]:
    """Time from opening the address to the first moving picture, on newly started servers."""
    from tests.browser.player_page import STATE

    def load(_: int) -> float:
        url, begun = session.start(), time.perf_counter()
        page = session.open(url, motion="no-preference")
        page.wait_for_function(f"{STATE}?.paints > 0 && {STATE}.position > 0")
        seconds = time.perf_counter() - begun
        page.context.close()
        return seconds

    return {"median of new servers": find_least(lambda: find_median(load, SERVERS), limit)}


def _solve(session: Session) -> Any:
    """Open Experiment 1 after one iteration, with the player at its means."""
    from tests.browser.player_page import STATE, press

    page = session.open(f"{session.serve()}/iterations?steps=1")
    page.wait_for_function(f"{STATE}?.paints > 0 && {STATE}?.last > 0")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Done").first.wait_for()
    page.wait_for_function(f"{STATE}?.last === 1")
    page.locator(".player").focus()
    press(page, "End")
    page.wait_for_function(f"{STATE}.answers.step?.[0] === 1")
    return page


def _event_to_paint(page: Any, act: str, ready: str) -> float:
    """Time from an input event (JavaScript) until the player shows its effect [ms]."""
    from tests.browser.player_page import STATE

    took = page.evaluate(EVENT_TO_PAINT.replace("STATE", STATE), [act, ready])
    page.get_by_text("Done").first.wait_for()
    return float(took)


def means_after_beta(session: Session, limit: float) -> dict[str, float]:
    """Time from a new value of β until the means computed with it are painted."""
    from tests.browser.player_page import ELEMENT

    page, values = _solve(session), count()

    def release(_: int) -> float:
        page.wait_for_timeout(400)
        act = f"""const slider = ({ELEMENT}).querySelector("input.beta");
          slider.value = {600 + 37 * next(values) % 300};
          for (const type of ["input", "change"])
            slider.dispatchEvent(new Event(type, {{ bubbles: true }}));"""
        return _event_to_paint(page, act, f"{NEW_RUN} && now.last === 1 && now.step === 1")

    return {"median": find_least(lambda: find_median(release, TIMES), limit)}


def iteration_after_run(session: Session, limit: float) -> dict[str, float]:
    """Time from pressing Run, with a changed σ, until the means of one iteration are shown."""
    page = _solve(session)

    def iterate(_: int) -> float:
        page.get_by_role("slider", name=re.compile("Blur|Smoothing")).first.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(500)
        return _event_to_paint(page, PRESS_RUN, f"{NEW_RUN} && now.last === 1")

    return {"median": find_least(lambda: find_median(iterate, TIMES), limit)}


def _open_player(session: Session, query: str) -> Any:
    from tests.browser.player_page import APP as PLAYER
    from tests.browser.player_page import STATE

    page = session.open(f"{session.serve(PLAYER)}/?{query}", motion="no-preference")
    page.wait_for_function(f"{STATE}?.last > 0 && {STATE}.paints > 0")
    return page


def frames(session: Session, limit: float) -> dict[str, float]:
    """Time between two frames of 200 images of 64×64 pixels, playing or moving to a common pose."""

    def watch(page: Any) -> float:
        return find_least(lambda: find_p95(page.evaluate(INTERVALS, 5000)), limit)

    found = {}
    for poses in ("own", "common"):
        page = _open_player(session, f"case=one&n=200&size=64&steps=6&poses={poses}")
        page.get_by_role("button", name="Play").click()
        found[f"p95, playing in {poses} poses"] = watch(page)
        page.context.close()
    page = _open_player(session, "case=one&n=200&size=64&steps=6")
    page.locator("select.poses").evaluate(SWING)
    return found | {"p95, moving to a common pose": watch(page)}


def matrix_after_beta(session: Session, limit: float) -> dict[str, float]:
    """Time from moving the slider until the 200×200 matrix is painted."""
    from tests.browser.player_page import set_beta

    page = _open_player(session, "case=one&n=200&size=64&steps=2")

    def turn(at: int) -> float:
        set_beta(page, 300 + 20 * at)
        page.wait_for_timeout(120)
        return float(page.evaluate("performance.getEntriesByName('ia:beta')[0].duration"))

    return {"median": find_least(lambda: find_median(turn, TIMES), limit)}


def _open_clustering(session: Session) -> Any:
    from tests.browser.test_clustering import STATE

    page = session.open(f"{session.serve()}/clustering?budget=60")
    page.wait_for_function(f"{STATE}?.paints > 0")
    return page


def _time(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def prototypes_after_run(session: Session, limit: float) -> dict[str, float]:
    """Time from pressing Run until the prototypes have changed."""
    from tests.browser.test_clustering import begin, stop

    page = _open_clustering(session)

    def wait() -> float:
        seconds = _time(lambda: begin(page))
        stop(page)
        return seconds

    return {"from Run": find_least(wait, limit)}


def prototypes_while_running(session: Session, limit: float) -> dict[str, float]:
    """Time between two changes of the prototypes of a run."""
    from tests.browser.test_clustering import STATE, begin, stop

    page = _open_clustering(session)
    begin(page)

    def watch() -> float:
        before, begun = page.evaluate(STATE)["changes"], time.perf_counter()
        page.wait_for_timeout(3000)
        changes = page.evaluate(STATE)["changes"] - before
        return (time.perf_counter() - begun) / max(changes, 1)

    found = find_least(watch, limit)
    stop(page)
    return {"mean": found}


def answers_while_running(session: Session, limit: float) -> dict[str, float]:
    """Time from a click to Python's response during a run of Clustering or Iterations."""
    from tests.browser.test_clustering import answer, begin, stop

    page = _open_clustering(session)
    begin(page)

    def choose() -> float:
        return find_p95([_time(lambda k=k: answer(page, k)) for k in _tiles(TIMES)])

    found = {"p95, choice of a prototype": find_least(choose, limit)}
    stop(page)
    page.goto(f"{session.serve()}/iterations?data=digits&images=200&steps=20")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text(re.compile(r"\d of \d+ iterations")).first.wait_for()
    other = session.open(f"{session.serve()}/data")
    other.get_by_role("heading", level=1).wait_for()
    ways = {"Upload": "Drop images", "Ready-made": "Ready-made sets"}

    def change(way: str) -> None:
        other.get_by_text(way, exact=True).first.click()
        other.get_by_text(ways[way]).first.wait_for()

    def act() -> float:
        return find_p95([_time(lambda way=way: change(way)) for way in [*ways] * TIMES])

    found["p95, controls of the Data page"] = find_least(act, limit)
    page.get_by_role("button", name="Cancel").first.click()
    return found


def _tiles(times: int) -> list[int]:
    """Yield a tile for each click, always different from the previous one."""
    return [(3 * at + 1) % 10 for at in range(times)]


def landscape_after_sigma(session: Session, limit: float) -> dict[str, float]:
    """Time from a new σ until the distance landscape of Manifolds is painted."""
    from tests.browser.test_manifolds import SET_SIGMA

    page = session.open(f"{session.serve()}/manifolds", height=1000)
    page.get_by_role("img", name=re.compile("^Distances d between 3")).wait_for()
    page.wait_for_timeout(500)
    values = count()

    def turn(_: int) -> float:
        page.wait_for_timeout(100)
        return float(page.evaluate(SET_SIGMA, 0.5 + 0.25 * (next(values) % 12)))

    return {"median": find_least(lambda: find_median(turn, TIMES), limit)}


def maps_after_rotation(session: Session, limit: float) -> dict[str, float]:
    """Time from moving the dial of the Equivariance page until all maps are painted."""
    from tests.browser.test_equivariance import FIND, STATE, TURN

    page = session.open(f"{session.serve()}/equivariance?turn=0", height=1000)
    page.wait_for_function(f"{STATE}?.key")
    page.wait_for_function(f"({FIND})('.layers .map canvas')")
    page.evaluate(TURN, 5)

    def turn(at: int) -> float:
        return float(page.evaluate(TURN, 7 + 3 * at))

    return {"median": find_least(lambda: find_median(turn, TIMES), limit)}


def captions(session: Session, limit: float) -> dict[str, float]:
    """Time from the presenter's key press to a complete caption; the maximum over a lesson."""
    from tests.browser.test_lessons import FIRST, answer_question, check, press_next

    found = {}
    for name, (path, last) in FIRST.items():
        page = session.open(f"{session.serve()}/{path}?lesson={name}.1")
        slowest = 0.0
        answer_question(page, name, 1)
        for at in range(2, last + 1):
            check(page, f"{name}.{at - 1}")

            def step(page: Any = page, name: str = name, at: int = at) -> float:
                seconds = _time(lambda: press_next(page, "PageDown", name, at))
                page.keyboard.press("PageUp")
                page.get_by_text(f"caption {at - 1} of").wait_for()
                check(page, f"{name}.{at - 1}")
                return seconds

            slowest = max(slowest, find_least(step, limit))
            press_next(page, "PageDown", name, at)
        found[name] = slowest
        page.context.close()
    return found


def pages(session: Session, limit: float) -> dict[str, float]:
    """Time from opening a page until its precomputed content is shown, after an earlier visit."""
    from tests.browser.test_steps import OPENS_WITH, SHOWN

    found = {}
    for path, selector in OPENS_WITH.items():

        def load(path: str = path, selector: str = selector) -> float:
            begun = time.perf_counter()
            page = session.open(f"{session.serve(APP)}/{path}")
            page.wait_for_function(SHOWN, arg=selector)
            seconds = time.perf_counter() - begun
            page.context.close()
            return seconds

        load()  # on the first visit, the server imports what the page needs
        found[path or "overview"] = find_least(load, limit)
    return found


def shared_run(session: Session, limit: float) -> dict[str, float]:
    """Time from the Data page to a run that is generated, named, and opened in a second browser."""
    from tests.browser.test_runs import generate_name_and_reopen

    def visit(path: str = "", reduced_motion: str = "no-preference") -> Any:
        page = session.open(f"{session.serve()}/{path}", motion=reduced_motion)
        page.get_by_role("heading", level=1).wait_for()
        return page

    return {
        "nine interactions": find_least(
            lambda: _time(lambda: generate_name_and_reopen(visit)), limit
        )
    }


WAITS = (
    Wait("first picture of a new server", "s", 5, first_picture),
    Wait("means after β", "ms", 300, means_after_beta),
    Wait("an iteration of Experiment 1", "ms", 300, iteration_after_run),
    Wait("frames of two hundred images", "ms", 40, frames),
    Wait("matrix of two hundred images after β", "ms", 100, matrix_after_beta),
    Wait("prototypes after Run", "s", 2, prototypes_after_run),
    Wait("changes of the prototypes", "s", 0.5, prototypes_while_running),
    Wait("answers while a run is in progress", "s", 1, answers_while_running),
    Wait("landscape after σ", "ms", 200, landscape_after_sigma),
    Wait("maps after a rotation", "ms", 200, maps_after_rotation),
    Wait("captions of the lessons", "s", 1, captions),
    Wait("a run generated, named and opened by its link", "s", 60, shared_run),
    Wait("pages with precomputed content", "s", 2, pages),
)
