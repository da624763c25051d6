"""A clustering run on the screen: the animation, and below it one of several views."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import streamlit as st

from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES, is_of
from ia_engine.files import find_shipped
from ia_engine.runs.clustering.result import PrototypeSamples, Result, read_part, unpack_samples
from ia_engine.runs.clustering.run import SEEN, ClusterPlan, Snapshot
from ia_engine.runs.example import load_run
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.clusterings import CLUSTERINGS, Film, summarise, unpack_film
from pages._ui.clustering.actions import name_run, show_changes
from pages._ui.clustering.exports import show_files
from pages._ui.clustering.prototype import show_confusion, show_prototype
from pages._ui.clustering.samples import (
    show_example_samples,
    show_new_samples,
    show_outliers,
    show_samples,
)
from pages._ui.components.prototypes import show_film
from pages._ui.controls import choose_one
from pages._ui.panels import explaining, show_count
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import resume
from pages._ui.runs.watch import CHANGED, Pausing, Progress, Status, watch
from pages._ui.state.clustering import ClusteringState, RunView
from pages._ui.state.dataset import choose_data
from pages._ui.wording import duration, number

NAME: Final = "runs/clustering-digits.safetensors"
VIEWS: Final[Mapping[str, Callable[[RunView], None]]] = {
    "Samples": show_samples,
    "Prototype": show_prototype,
    "Outliers": show_outliers,
    "Confusion": show_confusion,
    "New images": show_new_samples,
    "Change": show_changes,
    "Export": show_files,
}
EVERY_S: Final = 0.3
"""Seconds between two updates of a run: prototypes change at least twice a second."""
MIN_CPU_S: Final = 0.5
"""CPU seconds after which the time left can be estimated."""


def show_page(planned: ClusterPlan | None, data: ImageSet) -> None:
    """Show the current run with its views, or the precomputed example.

    `planned` is None if the settings are impossible.
    """
    job = shown_run(CLUSTERINGS.id)
    if job is not None:
        watch(job, lambda run: _show_run(run, data), _status_of(data, planned), EVERY_S)
        return
    same = data.recipe == RECIPES["digits"]
    other = "" if same else ", not the data chosen above"
    st.caption(
        f"Precomputed example: scikit-learn's handwritten digits{other}, computed for one minute "
        "on one core. The controls above apply to the next run."
    )
    with explaining():
        prototype = show_film(example(), "example", play=True)
        show_example_samples(example_samples(), prototype, data if same else None)


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> Film:
    """Return the animation in the assets."""
    return unpack_film(load_run(find_shipped(NAME))[1])


@st.cache_resource(max_entries=1, show_spinner=False)
def example_samples() -> list[PrototypeSamples]:
    """Return the aligned samples of every prototype in the assets."""
    return unpack_samples(load_run(find_shipped(NAME))[1])


def _show_run(job: Job[Snapshot], data: ImageSet) -> None:
    snapshot = job.history[-1]
    film = summarise(job.history)
    running = not job.finished
    prototype = show_film(film, job.id, newest=snapshot.newest.picture, running=running)
    if running:
        return
    run = _read_run(job, data, prototype)
    if run is not None:
        view = ClusteringState.view.name
        VIEWS[choose_one("View", list(VIEWS), next(iter(VIEWS)), key=view, hidden=True)](run)


def _has_data(snapshot: Snapshot, data: ImageSet) -> bool:
    """True if the run used these data, of which an older version may have saved another digest."""
    plan = snapshot.plan
    return plan.digest == data.digest or is_of(data, plan.digest, plan.recipe)


def _read_run(job: Job[Snapshot], data: ImageSet, prototype: int) -> RunView | None:
    """Return the run with its images, or None if the chosen data set has different images."""
    snapshot = job.history[-1]
    state, result = snapshot.newest.state, snapshot.newest.result
    if state is None:
        return None
    if not _has_data(snapshot, data):
        st.info("This run used a different data set. Its views need the images of that set.")
        st.button("Choose the data of this run", on_click=choose_data, args=(snapshot.plan.recipe,))
        return None
    if result is None:
        with st.spinner("Reading a sample of the images"):
            result = _read(f"{job.id} {state.iteration}", state, data)
    if len(result.rows) < snapshot.plan.total:
        show_count(len(result.rows), snapshot.plan.total, "images")
    return RunView(job, data, state, result, prototype)


@st.cache_resource(max_entries=4, show_spinner=False)
def _read(key: str, _state: State, _data: ImageSet) -> Result:
    return read_part(_state, _data.images, _data.labels, SEEN)


def _status_of(data: ImageSet, planned: ClusterPlan | None) -> Status:
    """Return the text of the row above a run, for the current data and settings."""

    def format_change(job: Job[Snapshot]) -> str:
        plan = job.history[-1].plan
        wanted = planned and (planned.config, planned.recipe, planned.seed)
        return CHANGED if wanted and (plan.config, plan.recipe, plan.seed) != wanted else ""

    pausing = Pausing(
        progress=_measure_progress,
        stopped=_format_stop,
        nothing="Cancelled before the first step. Press Run to start again.",
        resume=lambda job: resume(CLUSTERINGS, job, data, name_run(job.title, "Resumed")),
        pause_help="Stops after this step; you can resume the run later",
        cancel_help="Stops after this step and keeps the animation so far",
        resume_help="Continues from this step, on the images of this run",
        pausable=bool,
        resumable=lambda snapshots: _has_data(snapshots[-1], data),
    )
    return Status(changed=format_change, done=_format_end, pausing=pausing)


def _measure_progress(job: Job[Snapshot], snapshots: Sequence[Snapshot]) -> Progress:
    return Progress(snapshots[-1].share if snapshots else 0.0, _format_time_left(job, snapshots))


def _format_time_left(job: Job[Snapshot], snapshots: Sequence[Snapshot]) -> str:
    if not snapshots or job.started is None:
        return "Computing the first step"
    snapshot = snapshots[-1]
    if snapshot.share >= 1:
        return f"Reading all {snapshot.plan.total:,} images"
    done, left = snapshot.seconds - snapshot.plan.done, snapshot.plan.budget - snapshot.seconds
    if done < MIN_CPU_S:
        return "Starting"
    # A shared core provides less than one CPU second per second.
    elapsed = (datetime.now(UTC) - job.started).total_seconds()
    return f"About {duration(max(1.0, elapsed / done * left))} left"


def _format_stop(snapshots: Sequence[Snapshot]) -> str:
    snapshot = snapshots[-1]
    done, budget = number(round(snapshot.seconds, 1)), number(snapshot.plan.budget)
    return f" after {done} of {budget} CPU s. The animation so far is kept."


def _format_end(snapshots: Sequence[Snapshot]) -> str:
    snapshot = snapshots[-1]
    return f"{snapshot.iteration:,} steps in {number(round(snapshot.seconds, 1))} CPU s"
