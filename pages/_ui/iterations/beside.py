"""The run of the same images that is shown beside a run."""

import streamlit as st

from ia_engine.runs.attend import Iteration, Plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import same_data
from pages._ui.panels import escape
from pages._ui.runs.current import runs_of_page, title_of
from pages._ui.state.fields import forget_value, read_value, set_value
from pages._ui.state.iterations import iterations_state

OtherRuns = dict[str, Job[Iteration]]
"""Runs of the same images, by id."""


def find_others(job: Job[Iteration], plan: Plan, method: str) -> OtherRuns:
    """Return the finished runs of the same images with this method."""
    return {
        other.id: other
        for other in runs_of_page(job.kind)
        if other is not job
        and other.finished
        and other.history
        and method in other.history[0].shown
        and same_data(other.history[0].plan, plan)
    }


def choose_beside(job: Job[Iteration], plan: Plan, others: OtherRuns) -> str:
    """Return the run to show beside this run, "" for none; its list is drawn later."""
    key, default = f"beside {job.id}", _find_origin(plan, others)
    chosen = read_value(key, default)
    if chosen and chosen not in others:  # it was deleted
        forget_value(key)
        return default
    return chosen


def _find_origin(plan: Plan, others: OtherRuns) -> str:
    return plan.origin if plan.origin in others else ""


def ask_beside(job: Job[Iteration], plan: Plan, others: OtherRuns) -> None:
    """Draw the button and the list that choose the run to show beside this run."""
    names, key = ["", *reversed(others)], f"beside {job.id}"
    if choose_beside(job, plan, others):
        label, wanted = "Show one run", ""
    else:
        replacement = iterations_state.replacements.get(job.id)
        former = replacement.replaced if replacement else ""
        label, wanted = "Side by side", former if former in others else names[1]
    about = f" and {escape(title_of(others[wanted]))}" if wanted else ""
    st.button(
        label,
        icon=":material/compare:",
        key=f"side by side {job.id}",
        on_click=set_value,
        args=(key, wanted),
        help=f"Shows this run{about} side by side in the player, the plots and the table"
        if wanted
        else "Shows both methods of this run again",
    )
    st.selectbox(
        "Show beside this run",
        names,
        index=names.index(_find_origin(plan, others)),
        format_func=lambda name: (
            f"Beside it: {title_of(others[name]) if name else 'kernel attention'}"
        ),
        key=key,
        help="Show another run of the same images beside this one",
        label_visibility="collapsed",
        width=360,
    )
