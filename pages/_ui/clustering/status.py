"""The row above a run of clustering: how far it is, and how it is paused and resumed."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from ia_engine.datasets.imageset import ImageSet
from ia_engine.datasets.recipes import is_of
from ia_engine.runs.clustering.look import Look
from ia_engine.runs.clustering.plan import ClusterPlan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from pages._ui.numbers import duration, number
from pages._ui.runs.start import resume
from pages._ui.runs.watch import CHANGED, Pausing, Progress, Status

DOT: Final = " · "
MIN_CPU_S: Final = 0.5
"""CPU seconds after which the time left can be estimated."""


def status_of(data: ImageSet, planned: ClusterPlan | None) -> Status:
    """The status of runs beside these data and settings; None if the settings are impossible."""

    def is_changed(job: Job[Look]) -> str:
        plan = job.history[-1].plan
        wanted = planned and (planned.config, planned.recipe, planned.seed)
        return CHANGED if wanted and (plan.config, plan.recipe, plan.seed) != wanted else ""

    def has_data(looks: Sequence[Look]) -> bool:
        return is_of(data, looks[-1].plan.digest, looks[-1].plan.recipe)

    pausing = Pausing(
        progress=_progress,
        stopped=_describe_stop,
        nothing="Cancelled before the first step: press Run to start again.",
        resume=lambda job: resume(CLUSTERINGS, job, data, name_run(job.title, "Resumed")),
        pause_help="Stops after this step; it can go on later from where it was",
        cancel_help="Stops after this step; the film so far is kept",
        resume_help="Goes on from exactly this step, on the images of this run",
        pausable=bool,
        resumable=has_data,
    )
    return Status(changed=is_changed, done=_describe_end, pausing=pausing)


def name_run(title: str, change: str) -> str:
    """The title of a run that continues another one after a change.

    >>> name_run("Split 3 · dti-kmeans, K = 3", "Merge 1 and 2")
    'Merge 1 and 2 · dti-kmeans, K = 3'
    """
    return f"{change}{DOT}{title.rpartition(DOT)[2]}"


def _progress(job: Job[Look], looks: Sequence[Look]) -> Progress:
    return Progress(looks[-1].share if looks else 0.0, _pace(job, looks))


def _pace(job: Job[Look], looks: Sequence[Look]) -> str:
    if not looks or job.started is None:
        return "The first step is under way"
    look = looks[-1]
    if look.share >= 1:
        return f"Reading all {look.plan.total:,} images"
    done, left = look.seconds - look.plan.done, look.plan.budget - look.seconds
    if done < MIN_CPU_S:
        return "Beginning"
    # A core that others use as well gives less than a CPU second a second.
    elapsed = (datetime.now(UTC) - job.started).total_seconds()
    return f"About {duration(max(1.0, elapsed / done * left))} left"


def _describe_stop(looks: Sequence[Look]) -> str:
    look = looks[-1]
    done, budget = number(round(look.seconds, 1)), number(look.plan.budget)
    return f" after {done} of {budget} CPU s; the film so far is kept."


def _describe_end(looks: Sequence[Look]) -> str:
    look = looks[-1]
    return f"{look.iteration:,} steps in {number(round(look.seconds, 1))} CPU s"
