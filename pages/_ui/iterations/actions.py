"""Runs of Iterations: starting, continuing and opening them, and following the player's β."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.runs.attend import Iteration, Plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS, find_like, same_data
from ia_engine.runs.library import Note
from pages._ui.components.player import forget_betas
from pages._ui.iterations.controls import beta_control, settings_of
from pages._ui.lessons.lesson import ADDRESS as LESSON
from pages._ui.panels import escape
from pages._ui.runs.current import (
    current_run,
    library,
    name_in_address,
    replace_saved,
    runs_of_page,
    show_run,
)
from pages._ui.runs.start import discard, resume, start, start_on_standby
from pages._ui.runs.watch import POLL_S
from pages._ui.state.dataset import choose_data, requested_recipe, short_title
from pages._ui.state.fields import read_parameter, set_controls
from pages._ui.state.iterations import PendingRun, Replacement, iterations_state
from pages._ui.state.selection import note_stop, runs_state
from pages._ui.state.viewer import viewer
from pages._ui.wording import number

Betas = Mapping[str, float]
"""The β of each method."""

SMALL: Final = 40
"""Maximum number of images of a small run, whose iterations take less than a second."""
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
    resume(ITERATIONS, job, data, _title(job.history[0].plan, data))
    iterations_state.note_link()


def _start(plan: Plan, data: Data, history: Sequence[Iteration], ending: str = "") -> None:
    start(ITERATIONS, _title(plan, data) + ending, plan, data, history)
    iterations_state.note_link()


def _title(plan: Plan, data: Data) -> str:
    config = plan.configs.get("ia") or plan.configs["ka"]
    given = RULES[config.bandwidth].is_fixed
    beta = f"β {number(config.beta)}" if given else f"β by {config.bandwidth}"
    group = f"{config.group}, " if config.method == "ia" else ""
    device = "" if plan.device == "cpu" else f", on {plan.device}"
    sigma = f", σ {number(config.sigma)}" if config.sigma else ""
    return f"{group}{beta}{sigma}: {short_title(data)}{device}"


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
    _wait(job, 1, MAX_FIRST_WAIT_S if planned.size <= SMALL else MAX_WAIT_S)


def wait_for_more(job: Job[Iteration]) -> None:
    """Wait briefly until a small run has more to show than when it was drawn last."""
    name, count = iterations_state.drawn_items
    if job.history[0].plan.size <= SMALL and name == job.id:
        _wait(job, count + 1, MAX_WAIT_S)
    iterations_state.drawn_items = (job.id, len(job.history))


def _wait(job: Job[Iteration], count: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    while len(job.history) < count and not job.finished and time.monotonic() < until:
        job.wait(0.004)


def follows_beta(job: Job[Iteration], planned: Plan) -> bool:
    """True if a new β in the player of this run starts a new run at once."""
    plan = job.history[0].plan
    return job.state == "done" and plan.size <= SMALL and same_data(plan, planned)


def changed_betas(plan: Plan, betas: Betas) -> Betas:
    """Return the player's β that differ from the run's, if the rule of the run uses β unchanged."""
    if not all(RULES[config.bandwidth].is_fixed for config in plan.configs.values()):
        return {}
    return {method: beta for method, beta in betas.items() if beta != plan.configs[method].beta}


def follow_betas(
    job: Job[Iteration], planned: Plan, data: Data, betas: Betas, *, p: int | None, player: str
) -> None:
    """Start a small run again when the user has chosen a different β in its player."""
    plan = job.history[0].plan
    changed = changed_betas(plan, betas)
    if not changed or not follows_beta(job, planned):
        discard_pending()
        return
    betas = {**_betas(plan), **changed}
    if start_pending(job.id, plan, data, job.history, betas=betas, player=player, p=p):
        st.rerun()  # outside the fragment of the run, so that the page watches the new one


def start_pending(
    source: str,
    plan: Plan,
    data: Data,
    history: Sequence[Iteration] = (),
    *,
    betas: Betas,
    player: str,
    p: int | None = None,
) -> bool:
    """Start a run with these β unless it is under way; return True if it was started now.

    When the run is done, it replaces the run or example `source` on the page, from iteration p.
    """
    pending = iterations_state.pending_of(source)
    if pending is not None and _betas(pending.plan) == betas:
        iterations_state.pending = replace(pending, p=p)
        return False
    discard_pending()
    configs = {m: replace(config, beta=betas[m]) for m, config in plan.configs.items()}
    new = replace(plan, configs=configs)
    job = start_on_standby(ITERATIONS, _title(new, data), new, data, history)
    if job is None:
        return False
    iterations_state.pending = PendingRun(job, new, source, _run_and_data(), player, p)
    return True


def discard_pending() -> None:
    """Discard the pending run, unless the user has opened it."""
    pending = iterations_state.pending
    del iterations_state.pending
    if pending is not None and pending.job.standby:
        discard(pending.job)


def show_finished_pending() -> None:
    """Show the pending run if it is done; call this first on the page.

    It replaces the last run that was started in this way, and the controls get its β.
    """
    pending = iterations_state.pending
    if pending is None or pending.on_page != _run_and_data():
        discard_pending()
    elif pending.job.state == "done":
        del iterations_state.pending
        _replace_shown(pending)


def watch_pending(source: str) -> None:
    """Draw the page again when the pending run has finished; call this last on the page."""
    pending = iterations_state.pending_of(source)
    if pending is None:
        discard_pending()
    elif pending.job.state == "failed":
        st.error(f"The run with the new β failed: {escape(pending.job.error)}")
    elif pending.job.state != "cancelled":  # cancelled by its button in the sidebar
        st.fragment(_rerun_when_finished, run_every=SMALL_POLL_S)(pending.job)


def _rerun_when_finished(job: Job[Iteration]) -> None:
    if job.finished:
        st.rerun()


def _replace_shown(pending: PendingRun) -> None:
    job, known = pending.job, iterations_state.replacements
    first = known[pending.source].first if pending.source in known else pending.source
    replaced = [name for name, one in known.items() if one.first == first and not _has_note(name)]
    show_run(job)
    runs_state.name_in_address(job.id)
    iterations_state.note_link()
    for name in replaced:
        if not job.unsaved:
            replace_saved(name, job.id, viewer())
        del known[name]
    forget_betas(pending.player)
    known[job.id] = Replacement(pending.source, first, pending.p or 0)
    set_controls({beta_control(pending.plan, m): x for m, x in _betas(pending.plan).items()})
    if pending.p is not None:
        note_stop(job.id, pending.p)


def _betas(plan: Plan) -> Betas:
    return {method: config.beta for method, config in plan.configs.items()}


def _has_note(name: str) -> bool:
    """True if its owner has named or tagged the run, which is then not deleted."""
    try:
        saved = library().find(name)
    except EngineError:
        return False
    return saved is not None and saved.note != Note()


def _run_and_data() -> tuple[str, str]:
    """Return the id of the run and the recipe of the data on the page."""
    job = current_run(ITERATIONS.id)
    return (job.id if job else "", requested_recipe())
