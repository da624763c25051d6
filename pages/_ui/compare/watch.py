"""A comparison or a sweep while it comes: how far it is, pause and cancel, and going on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from ia_engine.runs.job import Job
from pages._ui.jobs import current, follow, own_runs, time_taken
from pages._ui.panels import plain
from pages._ui.progress import Stops, show_progress, show_stopped

PLACE: Final = "pages/compare.py"
SWEEP: Final = "Sweep: "
STOPS: Final = Stops(
    pause="Stops at once; the method under way begins again when it goes on",
    cancel="Stops at once; finished methods are kept",
)


@dataclass(frozen=True)
class Far:
    """How far a run is."""

    share: float
    words: str


@dataclass(frozen=True)
class Shown:
    """How a kind of run is shown, and goes on."""

    show: Callable[[Job[Any]], None]
    far: Callable[[Sequence[Any]], Far]
    resume: Callable[[Job[Any]], None]


def newest(*, swept: bool) -> Job[Any] | None:
    """The run that is current if it is of this kind, or else the viewer's newest that is."""
    own = [job for job in own_runs() if job.place == PLACE]
    if (job := current(PLACE)) is not None:
        own.append(job)
    kind = [job for job in own if is_sweep(job) == swept]
    return kind[-1] if kind else None


def is_sweep(job: Job[Any]) -> bool:
    """By what it has brought, since a run may be renamed; before that by its title."""
    return hasattr(job.history[0], "at") if job.history else job.title.startswith(SWEEP)


def watch_run(job: Job[Any], shown: Shown) -> None:
    """Show a run, again and again while it comes."""
    follow(job, lambda: _watch(job, shown))


def _watch(job: Job[Any], shown: Shown) -> None:
    if newest(swept=is_sweep(job)) is not job:
        st.rerun()  # another run has begun
    over, history = job.finished, job.history  # once, so that what is shown is of one moment
    _status(job, shown, history, over=over)
    if history:
        shown.show(job)


def _status(job: Job[Any], shown: Shown, history: Sequence[Any], *, over: bool) -> None:
    if not over:
        far = shown.far(history) if history else Far(0.0, "Beginning")
        show_progress(job, far.share, far.words, STOPS)
    elif job.state == "failed":
        st.error(f"{plain(job.error)}  \nChange the settings and press Run again.")
    elif job.state == "cancelled":
        _stopped(job, shown, history)
    else:
        st.caption(f"Done: {time_taken(job)}")


def _stopped(job: Job[Any], shown: Shown, history: Sequence[Any]) -> None:
    if not history:
        st.warning("Cancelled before the first method: press Run to start again.")
        return
    show_stopped(
        job,
        f": {shown.far(history).words.partition(';')[0]}; they are kept.",
        lambda: shown.resume(job),
        "Runs the methods that are left, on the same images",
    )
