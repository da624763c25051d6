"""Runs of Clustering: pause and resume, and changes by hand from which training continues."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final

import streamlit as st

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.editing import merge, reseed, split
from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import is_of
from ia_engine.errors import EngineError
from ia_engine.params import Config, Range
from ia_engine.runs.clustering.result import fit
from ia_engine.runs.clustering.run import (
    ClusterPlan,
    Look,
    extend,
    fixed_differences,
    last_state,
    refork,
)
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from pages._ui.controls import edit
from pages._ui.panels import explain
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import CHANGED, Pausing, Progress, Status
from pages._ui.state.clustering import Seen
from pages._ui.state.selection import selected
from pages._ui.wording import duration, number

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


WANTED: Final = "settings of the page Clustering"


@dataclass(frozen=True)
class More(Config):
    """How long a changed run goes on."""

    more: Annotated[
        float, Range("", 1, 36_000, "computing time for what comes now: one core's", "s", log=True)
    ] = 15


@dataclass(frozen=True)
class Change:
    """What a button does to the newest state."""

    label: str
    icon: str
    about: str
    act: Callable[[State], State]
    possible: bool = True


def show_change(seen: Seen) -> None:
    """What can be done with the chosen prototype, and with the whole run."""
    st.markdown(
        f"Change **prototype {seen.chosen + 1}** by hand, or the settings, and go on training from "
        "here. The old run stays in the list at the side."
    )
    left, _ = st.columns(2)
    with left:
        more = edit(More()).more
    columns = st.columns(3, gap="large", vertical_alignment="bottom")
    for column, ask in zip(columns, (_split, _merge, _reseed), strict=True):
        with column:
            _offer(seen, more, ask(seen))
    st.divider()
    _fork(seen, more)


def _split(seen: Seen) -> Change:
    k = seen.chosen
    st.markdown("It holds **two** kinds of images?")
    return Change(
        f"Split {k + 1}",
        "call_split",
        "The least used prototype becomes a copy of it, slightly different",
        lambda state: split(state, k),
        seen.state.config.k > 1,
    )


def _merge(seen: Seen) -> Change:
    k = seen.chosen
    others = [at for at in range(seen.state.config.k) if at != k] or [k]
    other = st.selectbox(
        "It is the same as",
        others,
        format_func=lambda at: f"prototype {at + 1}",
        key=f"merge {seen.job.id} {k}",
    )
    return Change(
        f"Merge {k + 1} and {other + 1}",
        "merge",
        "It becomes the mean of both; the other becomes a copy of the largest prototype",
        lambda state: merge(state, k, other),
        other != k,
    )


def _reseed(seen: Seen) -> Change:
    k, clicked = seen.chosen, selected().i
    first = seen.result.outliers(1)[0] if clicked is None else clicked
    row = st.number_input(
        "It should begin again from image",
        1,
        len(seen.data.images),
        first + 1,
        key=f"reseed {seen.job.id} {first}",
        help="The image that is selected, or else the worst outlier, unless you choose another",
    )
    image = fit(seen.data.images[int(row) - 1 : int(row)])[0]
    return Change(
        f"Reseed {k + 1} from image {row}",
        "eco",
        "It becomes this image, and its transformations start from none",
        lambda state: reseed(state, k, image),
    )


def _offer(seen: Seen, more: float, change: Change) -> None:
    st.button(
        change.label,
        key=f"{change.icon} {seen.job.id}",
        icon=f":material/{change.icon}:",
        on_click=_go_on,
        args=(seen, more, change),
        disabled=not change.possible,
        help=change.about,
    )


def _fork(seen: Seen, more: float) -> None:
    wanted: ClusterConfig | None = st.session_state.get(WANTED)
    if wanted is None:
        return
    fixed = fixed_differences(seen.job.history, wanted)
    change = Change(
        "Go on with the settings above",
        "fork_right",
        "Rate, batch, curriculum and reassignment as they are set now",
        lambda _: refork(seen.job.history, wanted),
        not fixed,
    )
    _offer(seen, more, change)
    if fixed:
        st.caption(f"A run keeps its {', '.join(fixed)}: press Run for others.")


def _go_on(seen: Seen, more: float, change: Change) -> None:
    looks = seen.job.history
    try:
        plan, begun = extend(looks, change.act(last_state(looks)), more, change.label)
    except EngineError as error:
        explain(error)
        return
    title = name_run(seen.job.title, change.label)
    start(CLUSTERINGS, title, plan, seen.data, begun)
