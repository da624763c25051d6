"""Runs begun, forked and resumed: with what is known already."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.runs.forks import find_like
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration
from pages._ui.chosen import brief
from pages._ui.news import keep_controls, set_controls
from pages._ui.numbers import number
from pages._ui.runs.current import runs_of_page
from pages._ui.runs.saved import LINK
from pages._ui.runs.start import resume, start

TURNED: Final = "knobs to turn"
FOLLOWED: Final = "link to a run that was followed"


def run(planned: Plan, data: Data) -> None:
    """Start at the data; an earlier run may know their distances."""
    histories = [job.history for job in runs_of_page(ITERATIONS.id)]
    start_run(planned, data, find_like(planned, histories))


def fork(job: Job[Iteration], planned: Plan, data: Data, p: int) -> None:
    """Continue from the images of this iteration with the present settings."""
    new = replace(planned, kept=p, origin=job.id)
    start_run(new, data, job.history, f", from iteration {p}")


def resume_run(job: Job[Iteration], data: Data) -> None:
    """Compute the iterations that a run lacks because it was stopped."""
    resume(ITERATIONS, job, data, title_run(job.history[0].plan, data))
    remember_link()


def knob(plan: Plan, method: str) -> str:
    """The widget in which the page keeps a method's β."""
    if method == "ia":
        return "beta"
    return "kernel_beta" if "ia" in plan.configs else "points_kernel_beta"


def turn_knobs() -> None:
    """Set the page's knobs to what was turned in the player, before they are drawn."""
    if TURNED in st.session_state:
        set_controls(st.session_state.pop(TURNED))
    keep_controls()


def start_run(plan: Plan, data: Data, history: Sequence[Iteration], more: str = "") -> None:
    """Start a run with what these iterations know; its title ends with `more`."""
    start(ITERATIONS, title_run(plan, data) + more, plan, data, history)
    remember_link()


def remember_link() -> None:
    """The run that the address names was started here: the controls stay as they are."""
    st.session_state[FOLLOWED] = st.query_params.get(LINK, "")


def title_run(plan: Plan, data: Data) -> str:
    """What the lists call it."""
    config = plan.configs.get("ia") or plan.configs["ka"]
    told = config.bandwidth in ("fixed", "topk")
    beta = f"β {number(config.beta)}" if told else f"β by {config.bandwidth}"
    group = f"{config.group}, " if config.method == "ia" else ""
    device = "" if plan.device == "cpu" else f", on {plan.device}"
    blur = f", σ {number(config.sigma)}" if config.sigma else ""
    return f"{group}{beta}{blur}: {brief(data)}{device}"
