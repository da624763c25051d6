"""Runs of Iterations: starting, continuing and opening them, how their settings differ from
those in the controls, and which other run is shown beside a run."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data
from ia_engine.params import Range, parameters
from ia_engine.runs.attend import Iteration, Plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS, find_like, same_data
from pages._ui.iterations.controls import settings_of
from pages._ui.lessons.lesson import ADDRESS as LESSON
from pages._ui.panels import escape
from pages._ui.runs.current import current_run, name_in_address, runs_of_page, title_of
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import POLL_S
from pages._ui.state.dataset import choose_data, short_title
from pages._ui.state.fields import forget_value, read_parameter, read_value, set_value
from pages._ui.state.iterations import iterations_state
from pages._ui.wording import number, word_of

SMALL: Final = 60
"""Maximum number of images of a small run, which follows the settings."""
SMALL_POLL_S: Final = 0.1
MAX_WAIT_S: Final = 0.3
"""Maximum wait for an iteration before the page is drawn."""
MAX_FIRST_WAIT_S: Final = 1.5
"""Maximum wait for the data of a small run, while the last run stays on the screen."""

Betas = Mapping[str, float]
"""The β of each method."""
Configs = Mapping[str, AttentionConfig]
"""The settings of each method."""
OtherRuns = dict[str, Job[Iteration]]
"""Runs of the same images, by id."""


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


def own_configs(plan: Plan, planned: Plan) -> Configs:
    """Return the settings in the controls for the methods of this run; the shell runs only one."""
    return {method: planned.configs[method] for method in plan.configs}


def differs(plan: Plan, planned: Plan) -> bool:
    """True if a run with the settings in the controls would differ from this run."""
    same = same_data(plan, planned) and plan.device == planned.device
    return not same or own_configs(plan, planned) != plan.configs


def wanted_configs(shown: Configs, configs: Configs, betas: Betas) -> Configs:
    """Return these settings with every β that was changed in the player of the shown run."""
    changed = {
        method: beta
        for method, beta in betas.items()
        if RULES[shown[method].bandwidth].is_fixed
        and beta != shown[method].beta
        and RULES[configs[method].bandwidth].is_fixed
    }
    return {
        method: replace(config, beta=changed.get(method, config.beta))
        for method, config in configs.items()
    }


def same_except_beta(configs: Configs, others: Configs) -> bool:
    """True if all settings other than β are equal."""
    return all(replace(one, beta=others[m].beta) == others[m] for m, one in configs.items())


def list_differences(configs: Configs, others: Configs) -> str:
    """Return the settings that differ from the others, with their values: "σ = 2 px"."""
    method = "ia" if "ia" in configs else next(iter(configs))
    found = []
    for parameter in parameters(AttentionConfig):
        about, name = parameter.about, parameter.name
        value = getattr(configs[method], name)
        if name in ("method", "beta") or value == getattr(others[method], name):
            continue
        unit = f" {about.unit}" if isinstance(about, Range) and about.unit else ""
        shown = word_of(value) if isinstance(value, str) else f"{number(value)}{unit}"
        found.append(f"{about.symbol} = {shown}")
    for one, config in configs.items():
        if config.beta != others[one].beta:
            which = " for kernel attention" if one != method else ""
            found.append(f"β = {number(config.beta)}{which}")
    return ", ".join(found)


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
