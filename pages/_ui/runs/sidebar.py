"""The viewer's runs as a list in the sidebar."""

from typing import Any, Final

import streamlit as st

from ia_engine.runs.job import Job
from pages._ui.panels import escape, show_count
from pages._ui.runs.current import own_runs, page_of, title_of
from pages._ui.runs.watch import POLL_S, format_left, show_cancel
from pages._ui.state.selection import LINK, runs_state
from pages._ui.state.viewer import remember

MAX_LISTED: Final = 8
MAX_SHARE: Final = 0.97
"""The progress bar of an unfinished run never exceeds this value."""


def list_runs() -> None:
    """Show the newest runs; the list is refreshed only while a run is computing."""
    with st.sidebar:
        remember()
        unfinished = _find_unfinished()
        st.fragment(_list, run_every=2 * POLL_S if unfinished else None)(unfinished)


def _list(unfinished: frozenset[str]) -> None:
    own = own_runs()
    if not own:
        return
    st.subheader("Runs")
    for job in reversed(own[-MAX_LISTED:]):
        _row(job)
    if len(own) > MAX_LISTED:
        show_count(MAX_LISTED, len(own), "runs")
    if unfinished - _find_unfinished():
        st.rerun()


def _row(job: Job[Any]) -> None:
    with st.container(border=True, gap="xsmall"):
        # A link, since st.switch_page fails on a page whose widgets are bound to URL parameters.
        link = {LINK: runs_state.make_link(job.id)}
        label = escape(title_of(job))
        st.page_link(page_of(job.kind), label=label, help=label, query_params=link)
        if job.finished:
            st.caption(_format_end(job))
        else:
            st.progress(min(job.progress, MAX_SHARE), text=format_left(job))
            show_cancel(job, f"cancel {job.id} in the list")


def _format_end(job: Job[Any]) -> str:
    state = "Paused" if job.paused and job.state == "cancelled" else job.state.capitalize()
    return f"{state}, not saved" if job.unsaved else state


def _find_unfinished() -> frozenset[str]:
    return frozenset(job.id for job in own_runs() if not job.finished)
