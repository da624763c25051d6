"""Runs of Iterations: starting, continuing and opening them."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data
from ia_engine.runs.attend import Iteration, Plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS, find_like
from pages._ui.iterations.controls import settings_of
from pages._ui.lessons.lesson import ADDRESS as LESSON
from pages._ui.runs.current import current_run, name_in_address, runs_of_page
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import POLL_S
from pages._ui.state.dataset import choose_data, short_title
from pages._ui.state.fields import read_parameter
from pages._ui.state.iterations import iterations_state
from pages._ui.wording import number, word_of

SMALL: Final = 60
"""Maximum number of images of a small run, which follows the settings."""
SMALL_POLL_S: Final = 0.1
MAX_WAIT_S: Final = 0.3
"""Maximum wait for an iteration before the page is drawn."""
MAX_FIRST_WAIT_S: Final = 1.5
"""Maximum wait for the data of a small run, while the last run stays on the screen."""


def run(planned: Plan, data: Data) -> None:
    """Start a run, which reuses the distances of earlier runs."""
    histories = [job.history for job in runs_of_page(ITERATIONS.id)]
    _start(planned, data, find_like(planned, histories))


def fork(job: Job[Iteration], planned: Plan, data: Data, p: int) -> None:
    """Continue from the images of iteration p with the settings in the controls."""
    new = replace(planned, kept=p, origin=job.id)
    _start(new, data, job.history, f", from iteration {p}")


def resume_run(job: Job[Iteration], data: Data) -> None:
    """Compute the missing iterations of a stopped run."""
    resume(ITERATIONS, job, data, make_title(job.history[0].plan, data))
    iterations_state.note_link()


def _start(plan: Plan, data: Data, history: Sequence[Iteration], ending: str = "") -> None:
    start(ITERATIONS, make_title(plan, data) + ending, plan, data, history)
    iterations_state.note_link()


def make_title(plan: Plan, data: Data) -> str:
    """Return the title of a run: its β, σ, data and group."""
    config = plan.configs.get("ia") or plan.configs["ka"]
    given = RULES[config.bandwidth].is_fixed
    beta = f"β {number(config.beta)}" if given else f"β by {config.bandwidth}"
    group = f", {word_of(config.group)}" if config.method == "ia" else ""
    device = "" if plan.device == "cpu" else f", on {plan.device}"
    sigma = f", σ {number(config.sigma)}" if config.sigma else ""
    return f"{beta}{sigma}: {short_title(data)}{group}{device}"


def adopt_settings(data: Data) -> None:
    """Set the controls to the settings of an opened run, or of the last run of these data.

    Call this before the controls are drawn. A lesson sets them itself.
    """
    link = iterations_state.link or ""
    if read_parameter(LESSON) is not None or (link and not iterations_state.is_link_new()):
        return
    if link:
        linked = link.partition(".")[0]
        job = next((job for job in runs_of_page(ITERATIONS.id) if job.id == linked), None)
    else:
        job = current_run(ITERATIONS.id)
    if job is None or not job.history:
        return
    plan: Plan = job.history[0].plan
    if link or plan.recipe == data.recipe.to_json():
        iterations_state.set_settings(
            {
                name: value
                for name, value in settings_of(plan).items()
                if iterations_state.may_adopt(name, opened=bool(link))
            }
        )


def find_run(planned: Plan) -> Job[Iteration] | None:
    """Return the run to show; a new link to a run of different data selects those data."""
    job, is_new = current_run(ITERATIONS.id), iterations_state.is_link_new()
    iterations_state.note_link()
    if job is None or not job.history:
        return job
    recipe = job.history[0].plan.recipe
    if recipe == planned.recipe:
        name_in_address(job)
        iterations_state.note_link()
        return job
    if is_new and (iterations_state.link or "").partition(".")[0] == job.id:
        choose_data(recipe)
        st.rerun()
    return None


def poll_interval(planned: Plan) -> float:
    """Return the time between two checks of a computing run [s]."""
    return SMALL_POLL_S if planned.size <= SMALL else POLL_S


def wait_for_first(job: Job[Iteration], planned: Plan) -> None:
    """Wait briefly until there is something to show."""
    wait_for_items(job, 1, MAX_FIRST_WAIT_S if planned.size <= SMALL else MAX_WAIT_S)


def wait_for_more(job: Job[Iteration]) -> None:
    """Wait briefly until a small run has more to show than when it was drawn last."""
    name, count = iterations_state.drawn_items
    if job.history[0].plan.size <= SMALL and name == job.id:
        wait_for_items(job, count + 1, MAX_WAIT_S)
    iterations_state.drawn_items = (job.id, len(job.history))


def wait_for_items(job: Job[Iteration], count: int, seconds: float) -> None:
    """Wait until the run has this many items or has finished, for at most `seconds`."""
    until = time.monotonic() + seconds
    while len(job.history) < count and not job.finished and time.monotonic() < until:
        job.wait(0.004)
