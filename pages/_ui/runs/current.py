"""The runs of a viewer: the page of each kind, the run that a page shows, and links to runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.job import CutOff, Job, Jobs, spare_cores
from ia_engine.runs.kinds.kind import find_data, makes_own
from ia_engine.runs.library import Kept
from pages._ui.panels import explain, plain
from pages._ui.runs.saved import deleted, find_saved, is_saved
from pages._ui.state.dataset import choose
from pages._ui.state.runs import runs_state
from pages._ui.state.viewer import viewer


@dataclass(frozen=True)
class KindPage:
    """The script of the page that shows a kind of run, and the icon of this kind."""

    script: str
    icon: str


KIND_PAGES: Final[Mapping[str, KindPage]] = {
    "iterations": KindPage("pages/iterations.py", "grid_on"),
    "attention": KindPage("pages/iterations.py", "terminal"),
    "mean": KindPage("pages/mean.py", "join_inner"),
    "other-poses": KindPage("pages/mean.py", "replay"),
    "clustering": KindPage("pages/clustering.py", "bubble_chart"),
    "comparison": KindPage("pages/compare.py", "leaderboard"),
    "sweep": KindPage("pages/compare.py", "show_chart"),
    "race": KindPage("pages/equivariance.py", "rotate_left"),
    "paper-entry": KindPage("pages/papers.py", "article"),
    "fetch": KindPage("pages/data.py", "image"),
}
"""By the kind's id."""
MAX_WORKERS: Final = 4
MAX_WAIT_S: Final = 1.0
"""A page waits this long for a saved run, which is usually read by then."""


def page_of(kind: str) -> str:
    """The script of the page that shows runs of the kind with this id.

    >>> page_of("sweep")
    'pages/compare.py'
    """
    return KIND_PAGES[kind].script


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The runs of all viewers: one pool for the whole process."""
    return Jobs(min(MAX_WORKERS, spare_cores()))


def own_runs() -> tuple[Job[Any], ...]:
    """The viewer's runs that a page shows, oldest first, without the deleted ones."""
    own, hidden = jobs().list(viewer()), deleted()
    return tuple(
        job for job in own if job.kind in KIND_PAGES and not job.discarded and job.id not in hidden
    )


def runs_of_page(kind: str) -> list[Job[Any]]:
    """The viewer's runs that the page of this kind shows, oldest first."""
    page = page_of(kind)
    return [job for job in own_runs() if page_of(job.kind) == page]


def current_run(kind: str) -> Job[Any] | None:
    """The run that was started or opened last on the page of this kind, or else its newest run.

    It may be of another kind of the same page. A run on standby is shown only if it was opened.
    """
    current = runs_state.follow_link(page_of(kind))
    own = runs_of_page(kind)
    for job in own:
        if job.id == current:
            job.standby = False
            return job
    return _newest(own)


def shown_run(kind: str) -> Job[Any] | None:
    """The current run of the page if it is of this kind, or else the newest run of this kind."""
    current = current_run(kind)
    if current is not None and current.kind == kind:
        return current
    return _newest([job for job in own_runs() if job.kind == kind])


def show_run(job: Job[Any]) -> None:
    """Make this run the current one of its page, as if it had been started now."""
    job.standby = False
    runs_state.show(page_of(job.kind), job.id)


def name_in_address(job: Job[Any]) -> None:
    """Let the address name the run that is shown, so that a copy of the address opens this run.

    An address that names an unknown run stays unchanged.
    """
    linked = runs_state.linked_run
    known = not linked or linked in {run.id for run in own_runs()}
    if linked != job.id and known and is_saved(job.id):
        runs_state.name_in_address(job.id)


def open_linked_run(kind: str) -> None:
    """Read the run that the address names, with its data, if the page of this kind shows it."""
    name = runs_state.linked_run
    if not name or (jobs().get(viewer(), name) and name not in deleted()):
        return
    try:
        kept = find_saved(name)
        if kept is not None and kept.kind in RUN_KINDS and page_of(kept.kind) == page_of(kind):
            _open(kept, name)
            return
    except EngineError as error:
        explain(error)
        return
    st.info(
        "The run in the address is not saved on this machine. The address contains its settings: "
        "press Run to compute it."
    )


def _newest(runs: list[Job[Any]]) -> Job[Any] | None:
    return next((job for job in reversed(runs) if not job.standby), None)


def _open(kept: Kept, name: str) -> None:
    try:
        if not makes_own(kept):
            choose(*find_data(kept), lent=bool(kept.owner) and not kept.belongs_to(viewer()))
    except EngineError as error:
        explain(error)
    if kept.damage:
        st.warning(plain(kept.damage))

    def read() -> Iterator[Any]:
        yield from RUN_KINDS[kept.kind].open(kept)
        if kept.state != "done":
            raise CutOff

    job = jobs().submit(viewer(), kept.title, read, kept.steps, kept.kind, name=name)
    job.paused = kept.state not in ("done", "failed")
    job.reopened = True
    job.wait(MAX_WAIT_S)
