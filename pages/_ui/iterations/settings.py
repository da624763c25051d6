"""The knobs of a run: where one is opened, the page's knobs are set to what it was made with."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.data import Data
from ia_engine.params import parameters
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.plan import Plan
from pages._ui.iterations.forks import FOLLOWED, knob
from pages._ui.iterations.knobs import IMAGES, Kernel
from pages._ui.lessons.lesson import ADDRESS as LESSON
from pages._ui.runs.current import current_run, runs_of_page
from pages._ui.runs.saved import LINK

Knob = float | str
USUAL: Final = {p.name: p.default for p in (*parameters(AttentionConfig), *parameters(Kernel))}


def adopt_settings(data: Data) -> None:
    """Before the knobs are drawn: those of a run that was opened, or come back to.

    A lesson sets them itself. An address that is opened anew keeps to what it says.
    """
    link = st.query_params.get(LINK, "")
    if LESSON in st.query_params or (link and link == st.session_state.get(FOLLOWED)):
        return
    named = link.partition(".")[0]
    own = [job for job in runs_of_page(ITERATIONS.id) if job.id == named]
    job = own[0] if own else None if link else current_run(ITERATIONS.id)
    if job is None or not job.history:
        return
    plan: Plan = job.history[0].plan
    if link or plan.recipe == data.recipe.to_json():
        set_knobs({k: x for k, x in knobs_of(plan).items() if _free(k, opened=bool(link))})


def take_settings(plan: Plan) -> None:
    """Meant as a button's on_click: the knobs of this run."""
    set_knobs(knobs_of(plan))


def knobs_of(plan: Plan) -> dict[str, Knob]:
    """The widgets of the page, as they stood when the run was begun."""
    config = plan.configs.get("ia") or plan.configs["ka"]
    values = {p.name: getattr(config, p.name) for p in parameters(AttentionConfig)}
    del values["method"], values["beta"]
    values |= {knob(plan, method): own.beta for method, own in plan.configs.items()}
    return values | ({IMAGES: plan.size} if plan.size < plan.total else {})


def set_knobs(values: Mapping[str, Knob]) -> None:
    """The widgets, and the address for those that are not on the page yet."""
    for name, value in values.items():
        st.session_state[name] = value
        with suppress(StreamlitAPIException):  # knobs on the page see to the address themselves
            if value != USUAL.get(name):
                st.query_params[name] = str(value)
            else:
                st.query_params.pop(name, None)


def _free(name: str, *, opened: bool) -> bool:
    """Whether nobody else has said how it shall stand: the address of a page that is new, or,
    where no run was opened, the hand."""
    if name in st.session_state:
        return opened
    return name not in st.query_params
