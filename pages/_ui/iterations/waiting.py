"""How a page waits for what is about to come, so that it is seen at once."""

import time
from typing import Final

import streamlit as st

from ia_engine.runs.job import Job
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration
from pages._ui.runs.watch import POLL_S

SMALL: Final = 40
"""So many images go through an iteration in less time than one minds."""
OFTEN: Final = 0.1
"""So often small runs are looked at [s]."""
BREATH: Final = 0.3
"""So long the page holds its breath for an iteration [s]."""
PATIENCE: Final = 1.5
"""So long the last run stays on the screen until a small new one has something to show [s]."""
SEEN: Final = "iterations seen"


def pace(planned: Plan) -> float:
    """How often such a run is looked at [s]."""
    return OFTEN if planned.size <= SMALL else POLL_S


def await_first(job: Job[Iteration], planned: Plan) -> None:
    """Sleep until there is something to show, at most so long."""
    _await(job, 1, PATIENCE if planned.size <= SMALL else BREATH)


def await_news(job: Job[Iteration], plan: Plan) -> None:
    """Sleep until a small run has more to show than it had last time, at most so long."""
    known, seen = st.session_state.get(SEEN, ("", 0))
    if plan.size <= SMALL and known == job.id:
        _await(job, seen + 1, BREATH)


def mark_seen(job: Job[Iteration]) -> None:
    """What has come by now is about to be drawn."""
    st.session_state[SEEN] = (job.id, len(job.history))


def _await(job: Job[Iteration], count: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    while len(job.history) < count and not job.finished and time.monotonic() < until:
        job.wait(0.004)
