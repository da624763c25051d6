"""Runs of Iterations: started, forked, resumed, opened and continued."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.data import Data
from ia_engine.params import parameters
from ia_engine.runs.attend import Iteration, Plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS, find_like
from pages._ui.iterations.controls import IMAGES, Kernel
from pages._ui.lessons.lesson import ADDRESS as LESSON
from pages._ui.runs.current import current_run, name_in_address, runs_of_page
from pages._ui.runs.saved import LINK
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import POLL_S
from pages._ui.state.dataset import brief, choose
from pages._ui.state.fields import keep_controls, set_controls
from pages._ui.wording import number

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


SMALL: Final = 40
"""So many images go through an iteration in less time than one minds."""
OFTEN: Final = 0.1
"""So often small runs are looked at [s]."""
BREATH: Final = 0.3
"""So long the page holds its breath for an iteration [s]."""
PATIENCE: Final = 1.5
"""So long the last run stays on the screen until a small new one has something to show [s]."""
SEEN: Final = "iterations seen"


def pace(planned: Plan) -> float:
    """How often such a run is looked at [s]."""
    return OFTEN if planned.size <= SMALL else POLL_S


def await_first(job: Job[Iteration], planned: Plan) -> None:
    """Sleep until there is something to show, at most so long."""
    _await(job, 1, PATIENCE if planned.size <= SMALL else BREATH)


def await_news(job: Job[Iteration], plan: Plan) -> None:
    """Sleep until a small run has more to show than it had last time, at most so long."""
    known, seen = st.session_state.get(SEEN, ("", 0))
    if plan.size <= SMALL and known == job.id:
        _await(job, seen + 1, BREATH)


def mark_seen(job: Job[Iteration]) -> None:
    """What has come by now is about to be drawn."""
    st.session_state[SEEN] = (job.id, len(job.history))


def _await(job: Job[Iteration], count: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    while len(job.history) < count and not job.finished and time.monotonic() < until:
        job.wait(0.004)


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
