"""Runs begun, forked and resumed: with what is known already."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.runs.attend import attend
from ia_engine.runs.forks import begin, find_like
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import describe as describe_plan
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration
from pages._ui.chosen import brief
from pages._ui.jobs import own_runs
from pages._ui.keeping import Instead, Work, start_kept, start_once, tell
from pages._ui.news import keep_controls, set_controls
from pages._ui.numbers import number
from pages._ui.shelf import LINK

PLACE: Final = "pages/iterations.py"
TURNED: Final = "knobs to turn"
FOLLOWED: Final = "link to a run that was followed"


def run(planned: Plan, data: Data) -> None:
    """Begin at the data; an earlier run may know their distances."""
    histories = [job.history for job in own_runs() if job.place == PLACE]
    _start(planned, data, find_like(planned, histories))


def fork(job: Job[Iteration], planned: Plan, data: Data, p: int) -> None:
    """Go on from the images of this iteration with the knobs as they are now."""
    new = replace(planned, kept=p, origin=job.id)
    _start(new, data, job.history, f", from iteration {p}")


def resume(job: Job[Iteration], data: Data) -> None:
    """What a run that was stopped or cut off still lacks."""
    instead = Instead(job.id, len(job.history) + 1)
    _start(job.history[0].plan, data, job.history, instead=instead)


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


def start_run(
    plan: Plan, data: Data, work: Work, more: str = "", instead: Instead | None = None
) -> None:
    """A run that is kept, and shown from now on; the knobs stand as it wants them."""
    title = title_run(plan, data) + more
    about = tell(title, describe_plan(plan), data, device=plan.device)
    if instead is None:
        start_once(PLACE, title, work, plan.moments, about)
    else:
        start_kept(PLACE, title, work, plan.moments, about, instead=instead)
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


def _start(
    plan: Plan,
    data: Data,
    history: Sequence[Iteration],
    more: str = "",
    instead: Instead | None = None,
) -> None:
    work = partial(attend, plan, data, partial(begin, plan, history))
    start_run(plan, data, work, more, instead)
