"""Which run the page shows: the one that was begun or opened last, if it is of the chosen data."""

import streamlit as st

from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration
from pages._ui.chosen import choose
from pages._ui.iterations.forks import FOLLOWED, remember_link
from pages._ui.runs.current import current_run, name_in_address
from pages._ui.runs.saved import LINK


def opened(planned: Plan) -> Job[Iteration] | None:
    """The run to show; a link to a run of other data brings the data with it."""
    job, link = current_run(ITERATIONS.id), st.query_params.get(LINK, "")
    new = link != st.session_state.get(FOLLOWED, "")
    st.session_state[FOLLOWED] = link
    if job is None or not job.history:
        return job
    recipe = job.history[0].plan.recipe
    if recipe == planned.recipe:
        name_in_address(job)
        remember_link()
        return job
    if new and link.partition(".")[0] == job.id:
        choose(recipe)
        st.rerun()
    return None
