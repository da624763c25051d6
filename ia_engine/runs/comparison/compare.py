"""One method after another on the same images, each for at most the same CPU time."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ia_engine.datasets.imageset import ImageSet
from ia_engine.runs.comparison.config import ComparisonConfig
from ia_engine.runs.comparison.helper import Helper
from ia_engine.runs.comparison.plan import ComparisonPlan, set_task
from ia_engine.runs.comparison.result import Result, judge

POLL: Final = 0.3
"""Seconds between two moments of a method that computes."""


@dataclass(frozen=True, eq=False)
class Moment:
    """Which method computes, and since when; or what it found."""

    plan: ComparisonPlan
    method: str
    waited: float
    """Seconds by the clock."""
    result: Result | None = None

    @property
    def nbytes(self) -> int:
        return self.result.nbytes if self.result else 0


def compare(
    plan: ComparisonPlan,
    data: ImageSet,
    known: Sequence[Result] = (),
    helper: Helper | None = None,
) -> Iterator[Moment]:
    """Moments of every method in turn; the last of each has its result. Known ones are taken."""
    if helper is None:
        with Helper() as own:
            yield from compare(plan, data, known, own)
        return
    task, labels = set_task(plan, data)
    before = {result.method: result for result in known}
    for method in plan.config.methods:
        if method in before:
            yield Moment(plan, method, 0.0, before[method])
            continue
        helper.begin(method, task)
        started = time.monotonic()
        yield Moment(plan, method, 0.0)
        while (outcome := helper.wait(POLL)) is None:
            yield Moment(plan, method, time.monotonic() - started)
        found = judge(method, outcome, labels, task.images)
        yield Moment(plan, method, time.monotonic() - started, found)


def expected_moments(config: ComparisonConfig) -> int:
    """At most about so many."""
    return int(len(config.methods) * (config.budget / POLL + 2))


def results_of(history: Sequence[Moment]) -> list[Result]:
    """All results so far, in the order in which the methods ran."""
    return [moment.result for moment in history if moment.result is not None]
