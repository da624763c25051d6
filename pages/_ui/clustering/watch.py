"""A run while it comes: how far it is, pause and cancel, and what can be done once it stands."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.imageset import ImageSet
from ia_engine.datasets.recipes import is_of
from ia_engine.runs.clustering.change import resume_run
from ia_engine.runs.clustering.drive import Start, cluster, expected_looks
from ia_engine.runs.clustering.look import Look
from ia_engine.runs.clustering.plan import ClusterPlan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.clusterings import describe as describe_plan
from pages._ui.jobs import CHANGED, current, follow, own_runs, say_done, time_taken
from pages._ui.keeping import Instead, start_kept, start_once, tell
from pages._ui.numbers import duration, number
from pages._ui.panels import plain
from pages._ui.progress import Stops, show_progress, show_stopped

PLACE: Final = "pages/clustering.py"
BESIDE: Final = "Side by side: "
DOT: Final = " · "
OFTEN: Final = 0.3
"""Seconds between two looks at a run: prototypes move at least twice a second."""
ENOUGH: Final = 0.5
"""CPU seconds after which the time left can be foretold."""
STOPS: Final = Stops(
    pause="Stops after this step; it can go on later from where it was",
    cancel="Stops after this step; the film so far is kept",
)

Show = Callable[[Job[Any]], None]


def newest(job: Job[Any] | None, *, beside: bool) -> Job[Any] | None:
    """The run that is current if it is of this kind, or else the viewer's newest that is."""
    own = [other for other in own_runs() if other.place == PLACE]
    if job is not None:
        own.append(job)
    kind = [other for other in own if other.title.startswith(BESIDE) == beside]
    return kind[-1] if kind else None


def watch_run(job: Job[Look], data: ImageSet, show: Show, planned: ClusterPlan | None) -> None:
    """Show a run, again and again while it comes."""
    follow(job, lambda: _watch(job, data, show, planned), OFTEN)


def _watch(job: Job[Look], data: ImageSet, show: Show, planned: ClusterPlan | None) -> None:
    if newest(current(PLACE), beside=False) is not job:
        st.rerun()  # a button inside has begun another run
    over, looks = job.finished, job.history  # once, so that what is shown is of one moment
    changed = _tell_change(looks[-1].plan, planned) if over and looks else ""
    _status(job, looks, data, changed, over=over)
    if looks:
        show(job)


def _tell_change(plan: ClusterPlan, planned: ClusterPlan | None) -> str:
    """That the settings are not those of the run."""
    if planned is None:
        return ""
    wanted = (planned.config, planned.recipe, planned.seed)
    return CHANGED if (plan.config, plan.recipe, plan.seed) != wanted else ""


def _status(
    job: Job[Look], looks: Sequence[Look], data: ImageSet, changed: str, *, over: bool
) -> None:
    if not over:
        _progress(job, looks)
    elif job.state == "failed":
        st.error(f"{plain(job.error)}  \nChange the settings and press Run again.")
    elif job.state == "cancelled":
        _stopped(job, looks, data, changed)
    elif looks:
        done = f"{looks[-1].iteration:,} steps in {number(round(looks[-1].seconds, 1))} CPU s"
        say_done(f"{done}, {time_taken(job)}", changed)


def _progress(job: Job[Look], looks: Sequence[Look]) -> None:
    share = looks[-1].share if looks else 0.0
    show_progress(job, share, _pace(job, looks), STOPS, pausable=bool(looks))


def _stopped(job: Job[Look], looks: Sequence[Look], data: ImageSet, changed: str) -> None:
    if not looks:
        st.warning("Cancelled before the first step: press Run to start again.")
        return
    look = looks[-1]
    far = f"{number(round(look.seconds, 1))} of {number(look.plan.budget)} CPU s"
    show_stopped(
        job,
        f" after {far}; the film so far is kept.  \n{changed}",
        lambda: resume(job, data),
        "Goes on from exactly this step, on the images of this run",
        disabled=not is_of(data, look.plan.digest, look.plan.recipe),
    )


def resume(job: Job[Look], data: ImageSet) -> None:
    """Go on from where a run was stopped."""
    planned, begun = resume_run(job.history)
    instead = Instead(job.id, len(job.history) + 1)
    begin_run(name_run(job.title, "Resumed"), planned, data, begun, instead)


def begin_run(
    title: str,
    plan: ClusterPlan,
    data: ImageSet,
    begun: Start | None = None,
    instead: Instead | None = None,
) -> None:
    """A run that is kept: from the beginning, or from where another has come."""
    about = tell(title, describe_plan(plan), data, seed=plan.seed)
    work = (lambda: cluster(plan, data, begun), expected_looks(plan, begun))
    if begun is None and instead is None:
        start_once(PLACE, title, *work, about)
    else:
        start_kept(PLACE, title, *work, about, instead=instead)


def name_run(title: str, what: str) -> str:
    """What was done last, and what the run is of."""
    return f"{what}{DOT}{title.rpartition(DOT)[2]}"


def _pace(job: Job[Look], looks: Sequence[Look]) -> str:
    if not looks or job.started is None:
        return "The first step is under way"
    look = looks[-1]
    if look.share >= 1:
        return f"Reading all {look.plan.total:,} images"
    done, left = look.seconds - look.plan.done, look.plan.budget - look.seconds
    if done < ENOUGH:
        return "Beginning"
    # A core that others use as well gives less than a CPU second a second.
    elapsed = (datetime.now(UTC) - job.started).total_seconds()
    return f"About {duration(max(1.0, elapsed / done * left))} left"
