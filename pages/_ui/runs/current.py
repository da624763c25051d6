"""The runs of a viewer, and which of them a page shows; a kind is given by its id."""

from typing import Any, Final

import streamlit as st

from ia_engine.runs.job import Job, Jobs
from ia_engine.runs.threads import spare_cores
from pages._ui.runs.kind_pages import KIND_PAGES, page_of
from pages._ui.runs.saved import LINK, deleted, is_saved
from pages._ui.viewer import viewer

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
