"""The runs of a viewer: which page shows a kind, which run a page shows, and links to runs."""

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
from pages._ui.runs.saved import LINK, deleted, find_saved, is_saved
from pages._ui.state.dataset import choose, viewer


@dataclass(frozen=True)
class KindPage:
    """The script of a page, and the icon of one kind of its runs."""

    script: str
    icon: str


KIND_PAGES: Final[Mapping[str, KindPage]] = {
    "iterations": KindPage("pages/iterations.py", "grid_on"),
    "attention": KindPage("pages/iterations.py", "terminal"),
    "mean": KindPage("pages/mean.py", "join_inner"),
    "other-poses": KindPage("pages/mean.py", "replay"),
    "clustering": KindPage("pages/clustering.py", "bubble_chart"),
    "side-by-side": KindPage("pages/clustering.py", "compare"),
    "comparison": KindPage("pages/compare.py", "leaderboard"),
    "sweep": KindPage("pages/compare.py", "show_chart"),
    "race": KindPage("pages/equivariance.py", "rotate_left"),
    "paper-entry": KindPage("pages/papers.py", "article"),
    "fetch": KindPage("pages/data.py", "image"),
}
"""By the kind's id."""


def page_of(kind: str) -> str:
    """The script of the page that shows runs of the kind with this id.

    >>> page_of("sweep")
    'pages/compare.py'
    """
    return KIND_PAGES[kind].script


MAX_WORKERS: Final = 4
BEGUN: Final = "runs begun"
"""Counted within links, so that a link that is followed again after a run was started is new."""
OPENED: Final = "run opened last"


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The runs of all viewers: one pool for the whole process."""
    return Jobs(min(MAX_WORKERS, spare_cores()))


def own_runs() -> tuple[Job[Any], ...]:
    """The viewer's runs that a page shows, oldest first, without the deleted ones."""
    gone = deleted()
    own = [job for job in jobs().list(viewer()) if job.kind in KIND_PAGES and not job.discarded]
    return tuple(job for job in own if job.id not in gone)


def runs_of_page(kind: str) -> list[Job[Any]]:
    """The viewer's runs that the page of this kind shows, oldest first."""
    page = page_of(kind)
    return [job for job in own_runs() if page_of(job.kind) == page]


def current_run(kind: str) -> Job[Any] | None:
    """The run that was started or opened last on the page of this kind, or else its newest run.

    It may be of another kind of the same page. A run on standby is shown only if it was opened.
    """
    chosen = _chosen(page_of(kind))
    opened = st.query_params.get(LINK, "")
    if opened and opened != st.session_state.get(OPENED):  # it stays there when a run is started
        st.session_state[OPENED] = opened
        st.session_state[chosen] = opened.partition(".")[0]
    own = runs_of_page(kind)
    for job in own:
        if job.id == st.session_state.get(chosen):
            job.standby = False
            return job
    return _newest(own)


def shown_run(kind: str) -> Job[Any] | None:
    """The current run of the page if it is of this kind, or else the newest that is."""
    current = current_run(kind)
    if current is not None and current.kind == kind:
        return current
    return _newest([job for job in own_runs() if job.kind == kind])


def show_run(job: Job[Any]) -> None:
    """Make this run the current one of its page, as if it had been started now."""
    job.standby = False
    st.session_state[_chosen(page_of(job.kind))] = job.id
    st.session_state[BEGUN] = st.session_state.get(BEGUN, 0) + 1


def name_in_address(job: Job[Any]) -> None:
    """Let the address name the run that is shown, so that a copy of the address opens this run.

    An address that names a run that is not here is left as it is.
    """
    asked = st.query_params.get(LINK, "").partition(".")[0]
    other = asked and asked not in {run.id for run in own_runs()}
    if asked != job.id and not other and is_saved(job.id):
        st.query_params[LINK] = st.session_state[OPENED] = job.id


def _newest(runs: list[Job[Any]]) -> Job[Any] | None:
    ready = [job for job in runs if not job.standby]
    return ready[-1] if ready else None


def _chosen(page: str) -> str:
    return f"run shown on {page}"


MAX_WAIT_S: Final = 1.0
"""A page waits this long for a saved run, which is usually read by then."""


def open_linked_run(kind: str) -> None:
    """Read the run that the address names, with its data, if the page of this kind shows it."""
    name = st.query_params.get(LINK, "").partition(".")[0]
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
        "The address names a run that is not kept on this machine: the settings are there, press "
        "Run to compute it."
    )


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
