"""Waiting times on a machine that others use as well."""

import os
import statistics
import time

from tests.browser.player_page import STATE

TIMES = int(os.environ.get("IA_TIMES", "20"))
"""A waiting time is the median of so many."""

EVENT_TO_PAINT = f"""([act, ready]) => new Promise((done, fail) => {{
  const state = () => {STATE};
  const before = state();
  const start = performance.now();
  new Function(act)();
  const look = () => {{
    const now = state();
    const passed = performance.now() - start;
    if (now && new Function("now", "before", `return ${{ready}}`)(now, before))
      requestAnimationFrame(() => done(performance.now() - start)); // painted by then
    else if (passed > 20000) fail(new Error(JSON.stringify(now)));
    else requestAnimationFrame(look);
  }};
  requestAnimationFrame(look);
}})"""


ROOM = float(os.environ.get("IA_ROOM", "1.5"))
"""A wait may exceed its target so far before a test fails; IA_ROOM=1 asks for the target itself."""
BUSY_SECONDS = 0.1


def least(measure, limit, rounds=3):
    """Measure until a round stays below the limit, at most so often; return the least.

    A round is what it would have been with a core of its own: others on the machine stretch waits.
    """
    found = []
    while len(found) < rounds and (not found or min(found) >= limit):
        before = crowding()
        measured = measure()
        found.append(measured / min(before, crowding()))
    return min(found)


def crowding():
    """How many times longer than its CPU time a busy loop takes: 1 on a quiet machine."""
    started, cpu = time.perf_counter(), time.thread_time()
    while time.thread_time() - cpu < BUSY_SECONDS:
        pass
    return (time.perf_counter() - started) / (time.thread_time() - cpu)


def event_to_paint(page, act, ready):
    """From what a hand does (JavaScript) until the player shows it [ms]."""
    return page.evaluate(EVENT_TO_PAINT, [act, ready])


def median_of(what, measure, times=TIMES):
    """The median of so many measurements, printed."""
    found = [measure(at) for at in range(times)]
    median = statistics.median(found)
    print(f"\n{what}: median of {times} {median:.0f} ms, longest {max(found):.0f} ms")
    return median
