"""Manual changes to a run, from which training continues as a new run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final

import streamlit as st

from ia_engine.clustering.editing import merge, reseed, split
from ia_engine.clustering.state import State
from ia_engine.errors import EngineError
from ia_engine.params import Config, Range
from ia_engine.runs.clustering.result import shrink
from ia_engine.runs.clustering.run import extend, fixed_differences, fork_newest, last_state
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from pages._ui.controls import edit
from pages._ui.panels import explain
from pages._ui.runs.start import start
from pages._ui.state.clustering import RunView, clustering_state
from pages._ui.state.selection import selected

DOT: Final = " · "


@dataclass(frozen=True)
class More(Config):
    """Computing time of a run that continues after a change."""

    more: Annotated[
        float, Range("", 1, 36_000, "CPU time of one core after the change", "s", log=True)
    ] = 15


@dataclass(frozen=True)
class Change:
    """A button that changes the last state of a run."""

    label: str
    icon: str
    help: str
    change_state: Callable[[State], State]
    possible: bool = True


def show_changes(run: RunView) -> None:
    """Draw buttons that change the selected prototype or the settings of the run."""
    st.markdown(
        f"Change **prototype {run.prototype + 1}** or the settings, and continue training from "
        "here. The old run stays in the runs list."
    )
    left, _ = st.columns(2)
    with left:
        more = edit(More()).more
    columns = st.columns(3, gap="large", vertical_alignment="bottom")
    for column, ask in zip(columns, (_ask_split, _ask_merge, _ask_reseed), strict=True):
        with column:
            _show_button(run, more, ask(run))
    st.divider()
    settings = clustering_state.settings
    if settings is None:
        return
    fixed = fixed_differences(run.job.history, settings)
    change = Change(
        "Continue with the settings above",
        "fork_right",
        "Applies the current learning rate, batch size, curriculum and reassignment",
        lambda _: fork_newest(run.job.history, settings),
        not fixed,
    )
    _show_button(run, more, change)
    if fixed:
        st.caption(f"{', '.join(fixed)} cannot change within a run. Press Run to start a new run.")


def _ask_split(run: RunView) -> Change:
    k = run.prototype
    st.markdown("Does it represent **two** kinds of images?")
    return Change(
        f"Split {k + 1}",
        "call_split",
        "The least used prototype becomes a slightly different copy of this prototype",
        lambda state: split(state, k),
        run.state.config.k > 1,
    )


def _ask_merge(run: RunView) -> Change:
    k = run.prototype
    others = [at for at in range(run.state.config.k) if at != k] or [k]
    other = st.selectbox(
        "Duplicate of",
        others,
        format_func=lambda at: f"prototype {at + 1}",
        key=f"merge {run.job.id} {k}",
    )
    return Change(
        f"Merge {k + 1} and {other + 1}",
        "merge",
        "Becomes the mean of both; the other becomes a copy of the largest prototype",
        lambda state: merge(state, k, other),
        other != k,
    )


def _ask_reseed(run: RunView) -> Change:
    k, clicked = run.prototype, selected().i
    first = run.result.outliers(1)[0] if clicked is None else clicked
    row = st.number_input(
        "Restart from image",
        1,
        len(run.data.images),
        first + 1,
        key=f"reseed {run.job.id} {first}",
        help="Default: the selected image; if none is selected, the worst outlier",
    )
    image = shrink(run.data.images[int(row) - 1 : int(row)])[0]
    return Change(
        f"Reseed {k + 1} from image {row}",
        "eco",
        "The prototype becomes this image, and its transformations are reset",
        lambda state: reseed(state, k, image),
    )


def _show_button(run: RunView, more: float, change: Change) -> None:
    st.button(
        change.label,
        key=f"{change.icon} {run.job.id}",
        icon=f":material/{change.icon}:",
        on_click=_start_changed,
        args=(run, more, change),
        disabled=not change.possible,
        help=change.help,
    )


def _start_changed(run: RunView, more: float, change: Change) -> None:
    snapshots = run.job.history
    try:
        state = change.change_state(last_state(snapshots))
        plan, begin_at = extend(snapshots, state, more, change.label)
    except EngineError as error:
        explain(error)
        return
    start(CLUSTERINGS, name_run(run.job.title, change.label), plan, run.data, begin_at)


def name_run(title: str, change: str) -> str:
    """Return the title of a run that continues another run after a change.

    >>> name_run("Split 3 · dti-kmeans, K = 3", "Merge 1 and 2")
    'Merge 1 and 2 · dti-kmeans, K = 3'
    """
    return f"{change}{DOT}{title.rpartition(DOT)[2]}"
