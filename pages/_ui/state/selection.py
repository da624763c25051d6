"""The selected images, the selected cluster, and the step at which each run's player stopped."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import streamlit as st

from pages._ui.panels import note_unused
from pages._ui.state.fields import (
    Collected,
    InAddress,
    InSession,
    forget_written,
    is_new_request,
    note_written,
    read_parameter,
    replace_parameter,
    write_parameter,
)

IMAGES: Final = ("i", "j")
CLUSTER: Final = "cluster"
NAMES: Final = (*IMAGES, CLUSTER)
WRITTEN: Final = "selection"
SELECTED: Final = "what is selected"


@dataclass(frozen=True)
class Selection:
    """Rows of the data with this digest, and a cluster; None if none is selected."""

    digest: str = ""
    i: int | None = None
    j: int | None = None
    cluster: int | None = None

    def __bool__(self) -> bool:
        return any(asdict(self)[name] is not None for name in NAMES)

    def pair(self, rows: Sequence[int]) -> tuple[int, int] | None:
        """The places of the pair among these rows of the data; one image is a pair with itself."""
        if self.i is None:
            return None
        i, j = place_of(self.i, rows), place_of(self.i if self.j is None else self.j, rows)
        return None if i is None or j is None else (i, j)


def place_of(row: int | None, rows: Sequence[int]) -> int | None:
    """The place of a row of the data among these rows, None if it is not one of them."""
    return rows.index(row) if row is not None and row in rows else None


class SelectionState:
    """The selection, which all pages share; in the address as i, j and cluster, from 1."""

    selection = InSession(SELECTED, Selection())

    def change(self, selection: Selection) -> None:
        """Select this, in the address as well."""
        self.selection = selection
        rows = {name: asdict(selection)[name] for name in NAMES}
        written = {name: str(row + 1) for name, row in rows.items() if row is not None}
        note_written(WRITTEN, self.requested(), written)
        for name in NAMES:
            write_parameter(name, written.get(name))

    def requested(self) -> dict[str, str]:
        """The selection that the address requests."""
        values = {name: read_parameter(name) for name in NAMES}
        return {name: value for name, value in values.items() if value is not None}


selection_state = SelectionState()


def read_selection(digest: str, n: int) -> Selection:
    """The selection of a page with n rows of data: that of a new address, or the one before."""
    selection, requested = selected(), selection_state.requested()
    if requested and is_new_request(WRITTEN, requested):
        selection = _read_selection(requested, digest, n)
    elif selection.digest != digest:
        if selection:
            st.toast("The selection was removed, since it belongs to other data.")
        selection = Selection(digest)
    selection_state.change(selection)
    return selection


def selected() -> Selection:
    """The selection, which the page settles before it is read."""
    return selection_state.selection


def select_pair(rows: Sequence[int], pair: tuple[int, int] | None) -> None:
    """Select the pair at these places among the rows; None deselects.

    A pair of equal places selects one image.
    """
    i, j = (None, None) if pair is None else (rows[pair[0]], rows[pair[1]])
    selection_state.change(replace(selected(), i=i, j=None if i == j else j))


def select_cluster(cluster: int | None) -> None:
    """Select a cluster by its number, from 0."""
    selection_state.change(replace(selected(), cluster=cluster))


def forget_selection() -> None:
    """Remove the selection, and take the next address as a new request."""
    selection_state.selection = Selection()
    forget_written(WRITTEN)


def _read_selection(requested: Mapping[str, str], digest: str, n: int) -> Selection:
    """The selection that the address requests, without its illegal parts."""
    rows = {name: _read_number(name, text, n) for name, text in requested.items()}
    return Selection(digest, **rows)


def _read_number(name: str, text: str, n: int) -> int | None:
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= n:
        return int(text) - 1
    note_unused(name, text, f"a number from 1 to {n:,}", "nothing is selected")
    return None


STEP: Final = "step"
RESTS: Final = "steps at which runs rest"
MAX_RUNS: Final = 50
"""Maximum number of runs whose step is remembered."""


@dataclass(frozen=True)
class Stop:
    """The step at which a run's player starts, and the one at which it was stopped; None if none.

    `jumps` counts the requests of other views for a step. `poses` is how a lesson shows the
    images, "own" or "common"; "" leaves it to the player.
    """

    given: int | None = None
    last: int | None = None
    jumps: int = 0
    poses: str = ""


class StepState:
    """The steps of all runs; that of the run on the page is in the address."""

    rests = Collected(RESTS, dict[str, Stop])
    requested = InAddress(STEP)

    def of(self, run: str) -> Stop:
        """The step of a run."""
        return self.rests.get(run, Stop())


step_state = StepState()


def start_step(run: str) -> Stop:
    """The step at which the address, or another view, wants this run to start."""
    requested = step_state.requested
    if requested is not None and is_new_request(STEP, requested):
        step = _read_step(requested)
        step_state.rests[run] = Stop(step, step, poses=step_state.of(run).poses)
    return step_state.of(run)


def show_step(run: str, step: int) -> None:
    """Show this step of the run, for a click beside the player."""
    known = step_state.of(run)
    step_state.rests[run] = replace(known, given=step, last=step, jumps=known.jumps + 1)


def set_poses(run: str, poses: str) -> None:
    """Show the images of the run in these poses, "own" or "common"."""
    step_state.rests[run] = replace(step_state.of(run), poses=poses)


def note_stop(run: str, step: int | None) -> None:
    """Note where the player of this run was stopped; None leaves it as it was."""
    rests = step_state.rests
    known = rests.pop(run, Stop())
    last = known.last if step is None else step
    rests[run] = replace(known, last=last)
    while len(rests) > MAX_RUNS:
        rests.pop(next(iter(rests)))
    if last is None:
        step_state.requested = None
    else:
        replace_parameter(STEP, str(last))


def _read_step(text: str) -> int | None:
    if text.isascii() and text.isdecimal() and len(text) < 7:
        return int(text)
    note_unused(STEP, text, "a whole number", "the player starts as usual")
    return None
