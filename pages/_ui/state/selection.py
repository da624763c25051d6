"""The selection: the current run of each page, the step at which its player stopped, and the
selected images and cluster."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import streamlit as st

from ia_engine.runs.folder import Record
from ia_engine.runs.project.manifest import DataSet
from pages._ui.panels import note_unused
from pages._ui.state.fields import (
    Collected,
    InAddress,
    InSession,
    forget_written,
    is_late_request,
    is_new_request,
    note_written,
    read_parameter,
    replace_parameter,
    write_parameter,
)

LINK: Final = "job"
"""The URL parameter that selects a run."""
START: Final = "run_now"
"""The URL parameter of links that start a run at once."""


@dataclass(frozen=True)
class Outcome:
    """The result of opening a project or of deleting everything, as a sentence."""

    text: str
    failed: bool = False
    data: tuple[DataSet, ...] = ()
    """The data sets of the project."""
    runs: tuple[str, ...] | None = None
    """The IDs of the runs that were listed when the sentence was first shown."""


class RunsState:
    """State of the runs in the session and the address. Runs are named by their ids."""

    link = InAddress(LINK)
    """The id of the run in the address; links in the app add a dot and a number."""
    followed = InSession("run opened last", "")
    """The link that was followed last, which stays in the address when another run is started."""
    current: Collected[dict[str, str]] = Collected("runs shown on the pages", dict)
    """The run that was started or opened last, by the page that shows it."""
    started = InSession("runs begun", 0)
    """Number of started runs. Links contain it, so that they can be followed again."""
    start_in_address = InAddress(START)
    """Present in a link that starts a run, until the run has been started."""
    start_taken = InSession("link that started a run last", "")
    """The value of this parameter in the link that was followed last."""
    under_way: Collected[dict[str, Record]] = Collected("records of runs under way", dict)
    """The records of started runs, by id, so that the same run is not started twice."""
    deleted: InSession[tuple[str, str] | None] = InSession("run that was deleted last", None)
    """The id and the title of the run that can be restored."""
    times_named: Collected[Counter[str]] = Collected(
        "number of times that the name of each run was saved", Counter
    )
    """Number of times each run was named, in the key of its form: a new key closes the form."""
    listed = InSession("maximum number of listed runs", 40)
    """Maximum number of rows on Runs."""
    confirming = InSession("asking before everything is deleted", False)
    """True while Runs asks whether to delete all runs and uploads of the viewer."""
    outcome: InSession[Outcome | None] = InSession("what was opened or deleted last", None)
    """The result of opening a project, or of deleting everything."""
    opened = InSession("number of opened projects", 0)
    """Number of opened projects, in the key of the uploader: a new key removes the file."""

    @property
    def linked_run(self) -> str:
        """The id of the run in the address; "" if there is none."""
        return (self.link or "").partition(".")[0]

    def make_link(self, run: str) -> str:
        """Return the parameter for a link that opens this run, even if it was followed before."""
        return f"{run}.{self.started}"

    def make_start(self) -> str:
        """Return the parameter of a link that starts a run, different after every started run."""
        return str(self.started)

    def take_start(self) -> bool:
        """True once for a link that starts a run; late requests may carry it again."""
        requested = self.start_in_address
        if requested is None:
            return False
        known, self.start_in_address, self.start_taken = self.start_taken, None, requested
        return requested != known

    def follow_link(self, page: str) -> str | None:
        """Follow a link that was not followed before, and return the current run of this page."""
        if self.link and self.link != self.followed:
            self.followed = self.link
            self.current[page] = self.linked_run
        return self.current.get(page)

    def forget_runs(self) -> None:
        """Forget all runs, after they were deleted."""
        self.current.clear()
        self.under_way.clear()
        del self.deleted

    def show(self, page: str, run: str) -> None:
        """Make this run the current one of its page, as if it had been started now."""
        self.current[page] = run
        self.started += 1

    def name_in_address(self, run: str) -> None:
        """Write a run that is already current into the address."""
        replace_parameter(LINK, run)
        self.followed = run

    def restore_late_link(self) -> None:
        """Write the current run again if a late request carries the run that it has replaced."""
        if self.link and is_late_request(LINK, self.link):
            self.link = self.followed


runs_state: Final = RunsState()


IMAGES: Final = ("i", "j")
CLUSTER: Final = "cluster"
NAMES: Final = (*IMAGES, CLUSTER)
WRITTEN: Final = "selection"
SELECTED: Final = "what is selected"


@dataclass(frozen=True)
class Selection:
    """Selected rows of the data with this digest, and a selected cluster, if any."""

    digest: str = ""
    i: int | None = None
    j: int | None = None
    cluster: int | None = None

    def __bool__(self) -> bool:
        return any(asdict(self)[name] is not None for name in NAMES)

    def pair(self, rows: Sequence[int]) -> tuple[int, int] | None:
        """Return the indices of the pair among these rows; a single image is its own pair."""
        if self.i is None:
            return None
        i, j = place_of(self.i, rows), place_of(self.i if self.j is None else self.j, rows)
        return None if i is None or j is None else (i, j)


def place_of(row: int | None, rows: Sequence[int]) -> int | None:
    """Return the index of a row of the data among these rows, or None if it is not one of them."""
    return rows.index(row) if row is not None and row in rows else None


class SelectionState:
    """The selection, which all pages share; i, j and cluster in the address, numbered from 1."""

    selection = InSession(SELECTED, Selection())

    def change(self, selection: Selection) -> None:
        """Set the selection, in the address as well."""
        self.selection = selection
        rows = {name: asdict(selection)[name] for name in NAMES}
        written = {name: str(row + 1) for name, row in rows.items() if row is not None}
        note_written(WRITTEN, self.requested(), written)
        for name in NAMES:
            write_parameter(name, written.get(name))

    def requested(self) -> dict[str, str]:
        """Return the selection that the address requests."""
        values = {name: read_parameter(name) for name in NAMES}
        return {name: value for name, value in values.items() if value is not None}


selection_state = SelectionState()


def read_selection(digest: str, n: int) -> Selection:
    """Return the selection on a page with n rows of data: from a new address, or the last one."""
    selection, requested = selected(), selection_state.requested()
    if requested and is_new_request(WRITTEN, requested):
        selection = _read_selection(requested, digest, n)
    elif selection.digest != digest:
        if selection:
            st.toast("The selection was removed, because it belongs to different data.")
        selection = Selection(digest)
    selection_state.change(selection)
    return selection


def selected() -> Selection:
    """Return the selection, after the page has called `read_selection`."""
    return selection_state.selection


def select_pair(rows: Sequence[int], pair: tuple[int, int] | None) -> None:
    """Select the pair at these indices of the rows, or deselect it if `pair` is None.

    A pair of equal indices selects one image.
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
    """Return the selection that the address requests, without its illegal parts."""
    rows = {name: _read_number(name, text, n) for name, text in requested.items()}
    return Selection(digest, **rows)


def _read_number(name: str, text: str, n: int) -> int | None:
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= n:
        return int(text) - 1
    note_unused(name, text, f"a number from 1 to {n:,}", "nothing is selected")
    return None


STEP: Final = "step"
STOPPED: Final = "steps at which runs are stopped"
MAX_RUNS: Final = 50
"""Maximum number of runs whose step is remembered."""


@dataclass(frozen=True)
class Stop:
    """The step at which a run's player starts, and the step at which it was stopped, if any.

    `jumps` counts the requests of other views for a step. `poses` is the setting of a lesson, "own"
    or "common"; "" keeps the setting of the player.
    """

    given: int | None = None
    last: int | None = None
    jumps: int = 0
    poses: str = ""


class StepState:
    """The steps of all runs; the step of the run on the page is in the address."""

    stops = Collected(STOPPED, dict[str, Stop])
    requested = InAddress(STEP)

    def of(self, run: str) -> Stop:
        """Return the step of a run."""
        return self.stops.get(run, Stop())


step_state = StepState()


def start_step(run: str) -> Stop:
    """Return the step at which this run starts, as requested by the address or another view."""
    requested = step_state.requested
    if requested is not None and is_new_request(STEP, requested):
        step = _read_step(requested)
        step_state.stops[run] = Stop(step, step, poses=step_state.of(run).poses)
    return step_state.of(run)


def show_step(run: str, step: int) -> None:
    """Show this step of the run after a click beside the player."""
    known = step_state.of(run)
    step_state.stops[run] = replace(known, given=step, last=step, jumps=known.jumps + 1)


def set_poses(run: str, poses: str) -> None:
    """Show the images of the run in these poses, "own" or "common"."""
    step_state.stops[run] = replace(step_state.of(run), poses=poses)


def note_stop(run: str, step: int | None) -> None:
    """Note the step at which the player of this run was stopped; None changes nothing."""
    stops = step_state.stops
    known = stops.pop(run, Stop())
    last = known.last if step is None else step
    stops[run] = replace(known, last=last)
    while len(stops) > MAX_RUNS:
        stops.pop(next(iter(stops)))
    if last is None:
        step_state.requested = None
    else:
        replace_parameter(STEP, str(last))


def _read_step(text: str) -> int | None:
    if text.isascii() and text.isdecimal() and len(text) < 7:
        return int(text)
    note_unused(STEP, text, "a whole number", "the player starts as usual")
    return None
