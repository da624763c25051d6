"""Runs that follow the settings: a changed setting computes the shown result again at once.

A small run or the precomputed example follows β in its player and the controls above it. The new
run computes in the background, and replaces the shown one as soon as it has the iteration on the
screen.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.params import Range, parameters
from ia_engine.runs.attend import Iteration, Plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS, find_like, same_data
from ia_engine.runs.library import Note
from pages._ui.components.player import forget_betas
from pages._ui.examples import example, example_betas
from pages._ui.iterations.actions import SMALL, SMALL_POLL_S, make_title
from pages._ui.iterations.controls import beta_control
from pages._ui.lessons.lesson import ADDRESS as LESSON
from pages._ui.panels import escape
from pages._ui.runs.current import (
    current_run,
    jobs,
    library,
    replace_saved,
    runs_of_page,
    show_run,
)
from pages._ui.runs.start import discard, start_on_standby
from pages._ui.runs.watch import CHANGED
from pages._ui.state.dataset import requested_recipe
from pages._ui.state.fields import read_parameter, set_controls
from pages._ui.state.iterations import PendingRun, Replacement, SeenSettings, iterations_state
from pages._ui.state.selection import note_stop, runs_state
from pages._ui.state.viewer import viewer
from pages._ui.wording import number, word_of

Betas = Mapping[str, float]
"""The β of each method."""
Configs = Mapping[str, AttentionConfig]
"""The settings of each method."""

TINY: Final = 20
"""Maximum number of images of a run whose first iteration takes a fraction of a second."""
MAX_READY_S: Final = 0.4
"""Maximum age of a run for which the page waits instead of showing that it computes."""


def follow(
    job: Job[Iteration], planned: Plan, data: Data, betas: Betas, *, p: int | None, player: str
) -> None:
    """Compute a small run again if the user has changed a setting, or β in its player."""
    plan: Plan = job.history[0].plan
    moved = have_settings_moved(job.id, planned)
    if not follows(job, planned):
        discard_pending()
        return
    configs = wanted_configs(plan.configs, planned.configs if moved else plan.configs, betas)
    new = replace(plan, configs=configs, device=planned.device)
    if configs == plan.configs and not _was_stopped_to_follow(job):
        discard_pending()
    elif start_pending(job.id, new, data, job.history, plan.configs, player=player, p=p):
        st.rerun()  # outside the fragment of the run, so that the page watches the new one


def follow_example(name: str, planned: Plan, data: Data, player: str) -> None:
    """Compute the precomputed example if the user has changed a setting, or β in its player."""
    betas, p = example_betas(name, player)
    moved = have_settings_moved(name, planned)
    shown = {
        method: AttentionConfig(method=method, beta=beta)
        for method, beta in example(name).betas.items()
    }
    configs = wanted_configs(shown, planned.configs, betas)
    may_follow = planned.size <= SMALL and iterations_state.recomputes
    if not (betas or moved) or configs == shown or not may_follow:
        discard_pending()
        return
    plan = replace(planned, configs=configs)
    start_pending(name, plan, data, (), shown, player=player, p=p)


def follows(job: Job[Iteration], planned: Plan) -> bool:
    """True if a changed setting starts this run again at once."""
    plan = job.history[0].plan
    is_following = job.id in iterations_state.replacements
    return (
        (job.state == "done" or is_following)
        and plan.size <= SMALL
        and iterations_state.recomputes
        and same_data(plan, planned)
    )


def have_settings_moved(source: str, planned: Plan) -> bool:
    """True if the user has changed a control since this run or example was shown first."""
    name = _name_source(source)
    seen = iterations_state.seen_settings
    if seen is None or seen.source != name:
        seen = SeenSettings(name, planned.configs)
    elif seen.configs != planned.configs:
        seen = SeenSettings(name, planned.configs, moved=True)
    iterations_state.seen_settings = seen
    return seen.moved


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


def changed_betas(plan: Plan, betas: Betas) -> Betas:
    """Return the player's β that differ from the run's, if the rule of the run uses β unchanged."""
    configs = wanted_configs(plan.configs, plan.configs, betas)
    return {m: c.beta for m, c in configs.items() if c.beta != plan.configs[m].beta}


def start_pending(
    source: str,
    plan: Plan,
    data: Data,
    history: Sequence[Iteration],
    shown: Configs,
    *,
    player: str,
    p: int | None = None,
) -> bool:
    """Start a run of this plan unless it is under way; return True if it was started now.

    It replaces the run or example `source`, which has the settings `shown`, when it has iteration
    p. A run that is replaced before it is finished stops.
    """
    pending = iterations_state.pending_of(source)
    if pending is not None and pending.plan.configs == plan.configs:
        iterations_state.pending = replace(pending, p=p)
        return False
    discard_pending()
    histories = [] if plan.kept else [job.history for job in runs_of_page(ITERATIONS.id)]
    known = find_like(plan, [*histories, history]) or history
    job = start_on_standby(ITERATIONS, make_title(plan, data), plan, data, known)
    if job is None:
        return False
    unfinished = jobs().get(viewer(), source)
    if unfinished is not None and not unfinished.finished:
        unfinished.cancel()
    iterations_state.pending = PendingRun(job, plan, source, _run_and_data(), player, p, shown)
    return True


def discard_pending() -> None:
    """Discard the pending run, unless the user has opened it."""
    pending = iterations_state.pending
    del iterations_state.pending
    if pending is not None and pending.job.standby:
        discard(pending.job)


def show_ready_pending() -> None:
    """Show the pending run if it has the iteration on the screen; call this first on the page.

    It replaces the last run that was started in this way, and the controls get its β.
    """
    pending = iterations_state.pending
    if pending is None or pending.on_page != _run_and_data():
        discard_pending()
    elif _is_ready(_wait_briefly(pending)):
        del iterations_state.pending
        _replace_shown(pending)


def watch_pending(source: str) -> None:
    """Draw the page again when the pending run is ready; call this last on the page."""
    pending = iterations_state.pending_of(source)
    if pending is None:
        discard_pending()
    elif pending.job.state == "failed":
        st.error(f"The run with the new settings failed: {escape(pending.job.error)}")
    elif pending.job.state != "cancelled":  # cancelled by its button in the sidebar
        st.fragment(_rerun_when_ready, run_every=SMALL_POLL_S)(pending.job)


def describe_change(job: Job[Iteration], planned: Plan) -> str:
    """Return a sentence that states which button to press if the settings differ from the run's."""
    plan = job.history[0].plan
    if plan.configs == planned.configs:
        return ""
    if follows(job, planned) and have_settings_moved(job.id, planned):
        return ""  # the settings are followed at once
    fork = " or **Run from here**" if same_data(plan, planned) else ""
    large = f", because the run has more than {SMALL} images" if plan.size > SMALL else ""
    return CHANGED + fork + large


def describe_pending(source: str) -> str:
    """Return a sentence on the run that will replace this run or example, "" if there is none."""
    pending = iterations_state.pending_of(source)
    if pending is None or pending.job.finished:
        return ""
    changes = list_differences(pending.plan.configs, pending.shown)
    return f"Recomputing with {escape(changes)}"


def pending_settings(source: str) -> str:
    """Return the settings of the pending run, "" if only β has changed, whose weights are shown."""
    pending = iterations_state.pending_of(source)
    if pending is None or pending.job.finished:
        return ""
    betas = {method: config.beta for method, config in pending.plan.configs.items()}
    same = {m: replace(config, beta=betas[m]) for m, config in pending.shown.items()}
    changes = list_differences(pending.plan.configs, pending.shown)
    return changes if same != pending.plan.configs else ""


def describe_following(job: Job[Iteration]) -> str:
    """Return a sentence on the run that follows the settings, "" if none is under way."""
    if text := describe_pending(job.id):
        return text
    if job.id in iterations_state.replacements and not job.finished:
        done, expected = max(0, len(job.history) - 1), job.expected - 1
        return f"Recomputing: {done} of {expected} iterations"
    return ""


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


def _rerun_when_ready(job: Job[Iteration]) -> None:
    pending = iterations_state.pending
    if job.finished or (pending is not None and pending.job is job and _is_ready(pending)):
        st.rerun()


def _wait_briefly(pending: PendingRun) -> PendingRun:
    """Wait for a new run of a few images, which is often ready before the page would be drawn."""
    age = (datetime.now(UTC) - pending.job.submitted).total_seconds()
    until = time.monotonic() + MAX_READY_S - age
    while (
        pending.plan.size <= TINY
        and not (_is_ready(pending) or pending.job.finished)
        and time.monotonic() < until
    ):
        pending.job.wait(0.004)
    return pending


def _is_ready(pending: PendingRun) -> bool:
    """True if the run has the iteration on which the player has stopped; if it plays, the first."""
    job = pending.job
    return job.state == "done" or (not job.finished and len(job.history) > (pending.p or 0))


def _was_stopped_to_follow(job: Job[Iteration]) -> bool:
    """True if this run stopped early for a setting that the user has since set back."""
    pending = iterations_state.pending_of(job.id)
    return pending is not None and (job.cancelling or job.state == "cancelled")


def _replace_shown(pending: PendingRun) -> None:
    job, known = pending.job, iterations_state.replacements
    first = known[pending.source].first if pending.source in known else pending.source
    replaced = [name for name, one in known.items() if one.first == first and not _has_note(name)]
    show_run(job)
    runs_state.name_in_address(job.id)
    iterations_state.note_link()
    for name in replaced:
        _delete(name, job)
        del known[name]
    forget_betas(pending.player)
    former = list_differences(pending.shown, pending.plan.configs)
    known[job.id] = Replacement(pending.source, first, pending.p or 0, former)
    set_controls({beta_control(pending.plan, m): x for m, x in _betas(pending.plan).items()})
    iterations_state.seen_settings = SeenSettings(_name_source(job.id), pending.plan.configs)
    if pending.p is not None:
        note_stop(job.id, pending.p)


def _delete(name: str, job: Job[Iteration]) -> None:
    """Delete a run that this job replaces; a run that has not finished stops."""
    old = jobs().get(viewer(), name)
    if old is not None and old.state != "done":
        discard(old)
    elif not job.unsaved:
        replace_saved(name, job.id, viewer())


def _betas(plan: Plan) -> Betas:
    return {
        method: config.beta
        for method, config in plan.configs.items()
        if RULES[config.bandwidth].is_fixed
    }


def _has_note(name: str) -> bool:
    """True if its owner has named or tagged the run, which is then not deleted."""
    try:
        saved = library().find(name)
    except EngineError:
        return False
    return saved is not None and saved.note != Note()


def _name_source(source: str) -> str:
    """Return the name of a shown result; a caption of a lesson sets the controls itself."""
    return f"{source} {requested_recipe()} {read_parameter(LESSON)}"


def _run_and_data() -> tuple[str, str]:
    """Return the id of the run and the recipe of the data on the page."""
    job = current_run(ITERATIONS.id)
    return (job.id if job else "", requested_recipe())
