"""Runs that follow the settings: a changed setting computes the shown result again at once.

A small run or the precomputed example follows β in its player and the controls above it. The new
run computes in the background, and replaces the shown one as soon as it reaches the iteration that
is on the screen.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.runs.attend import Iteration, Plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS, find_like, same_data
from ia_engine.runs.library import Note
from pages._ui.components.player import forget_betas
from pages._ui.examples import example, example_betas
from pages._ui.iterations.actions import (
    SMALL,
    SMALL_POLL_S,
    Betas,
    Configs,
    differs,
    list_differences,
    make_title,
    own_configs,
    same_except_beta,
    wait_for_items,
    wanted_configs,
)
from pages._ui.iterations.controls import beta_control
from pages._ui.lessons.lesson import ADDRESS as LESSON
from pages._ui.panels import escape
from pages._ui.runs.current import (
    current_run,
    discard_saved,
    jobs,
    library,
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

TINY: Final = 20
"""Maximum number of images of a run whose first iteration takes a fraction of a second."""
MAX_READY_S: Final = 0.7
"""Maximum age of a run for which the page waits instead of showing its progress."""


def follow(
    job: Job[Iteration], planned: Plan, data: Data, betas: Betas, *, p: int | None, player: str
) -> None:
    """Compute a small run again if the user has changed a setting, or β in its player."""
    plan: Plan = job.history[0].plan
    moved = have_settings_moved(job.id, planned)
    if not follows(job, planned):
        discard_pending()
        return
    asked = own_configs(plan, planned) if moved else plan.configs
    configs = wanted_configs(plan.configs, asked, betas)
    new = replace(plan, configs=configs, device=planned.device)
    if configs == plan.configs and not _was_stopped_to_follow(job):
        discard_pending()
    elif start_pending(job.id, new, data, job.history, plan.configs, player=player, p=p):
        st.rerun()  # outside the fragment of the run, so that the page watches the new one


@dataclass(frozen=True)
class Sliders:
    """The methods whose β a slider of the player sets, instead of a control above it."""

    player: str
    """The key of the player."""
    runs: Mapping[str, str]
    """The name of the run in the player, by method."""
    configs: Configs
    """The settings of the displayed result."""


NO_SLIDERS: Final = Sliders("", {}, {})


def sliders_of(
    job: Job[Iteration], planned: Plan, player: str, methods: Collection[str]
) -> Sliders:
    """Return the methods of this run and of the player whose β the player sets.

    If the β in the address differs from that of the result, its control stays visible.
    """
    plan = job.history[0].plan
    is_computing = not (job.finished or job.cancelling) and _may_follow(plan, planned)
    shown = {method: plan.configs[method] for method in methods if method in plan.configs}
    if not (follows(job, planned) or is_computing) or not _sets_beta(job.id, shown, planned):
        return NO_SLIDERS
    return Sliders(player, {method: f"{job.id}.{method}" for method in shown}, shown)


def sliders_of_example(name: str, planned: Plan, player: str) -> Sliders:
    """Return the methods of this precomputed example whose β the player sets."""
    shown = _example_configs(name)
    may_follow = planned.size <= SMALL and iterations_state.recomputes
    if not may_follow or not _sets_beta(name, shown, planned):
        return NO_SLIDERS
    return Sliders(player, {method: f"{name}.{method}" for method in shown}, shown)


def _sets_beta(source: str, shown: Configs, planned: Plan) -> bool:
    same = all(planned.configs[method].beta == config.beta for method, config in shown.items())
    moved = have_settings_moved(source, planned)
    return same or moved or iterations_state.pending_of(source) is not None


def _may_follow(plan: Plan, planned: Plan) -> bool:
    return plan.size <= SMALL and iterations_state.recomputes and same_data(plan, planned)


def _example_configs(name: str) -> Configs:
    betas = example(name).betas
    return {method: AttentionConfig(method=method, beta=beta) for method, beta in betas.items()}


def follow_example(name: str, planned: Plan, data: Data, player: str) -> None:
    """Compute the precomputed example if the user has changed a setting, or β in its player."""
    betas, p = example_betas(name, player)
    moved = have_settings_moved(name, planned)
    shown = _example_configs(name)
    configs = wanted_configs(shown, planned.configs, betas)
    may_follow = planned.size <= SMALL and iterations_state.recomputes
    if not (betas or moved) or configs == shown or not may_follow:
        discard_pending()
        return
    plan = replace(planned, configs=configs)
    start_pending(name, plan, data, (), shown, player=player, p=p)


def follows(job: Job[Iteration], planned: Plan) -> bool:
    """True if a changed setting starts this run again at once."""
    is_following = job.id in iterations_state.replacements
    return (job.state == "done" or is_following) and _may_follow(job.history[0].plan, planned)


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

    It replaces the run or example `source`, which has the settings `shown`, as soon as it has
    computed iteration p. If it is replaced before it has finished, it is stopped.
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

    It replaces the run on the page, which stays available for comparison, and the controls get its
    β. Of the runs that were started in this way, only the last two that were completed are kept.
    """
    pending = iterations_state.pending
    if pending is None or pending.on_page != _run_and_data():
        discard_pending()
        return
    _wait_briefly(pending)
    if _is_ready(pending):
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
    if not differs(plan, planned):
        return ""
    pending = iterations_state.pending_of(job.id)
    was_cancelled = pending is not None and pending.job.state == "cancelled"
    if follows(job, planned) and have_settings_moved(job.id, planned) and not was_cancelled:
        return ""  # the settings are followed at once
    fork = " or **Run from here**" if same_data(plan, planned) else ""
    large = f", because the run has more than {SMALL} images" if plan.size > SMALL else ""
    return CHANGED + fork + large


def describe_pending(source: str) -> str:
    """Return a sentence on the run that will replace this run or example, "" if there is none."""
    pending = _find_computing(source)
    if pending is None:
        return ""
    return f"Recomputing with {escape(list_differences(pending.plan.configs, pending.shown))}"


def pending_settings(source: str) -> str:
    """Return the settings of the pending run; "" if only β has changed, because W shows it."""
    pending = _find_computing(source)
    if pending is None or same_except_beta(pending.plan.configs, pending.shown):
        return ""
    return list_differences(pending.plan.configs, pending.shown)


def describe_following(job: Job[Iteration]) -> str:
    """Return a sentence on the run that follows the settings, "" if none is under way."""
    if text := describe_pending(job.id):
        return text
    if job.id in iterations_state.replacements and not job.finished:
        done, expected = max(0, len(job.history) - 1), job.expected - 1
        return f"Recomputing: {done} of {expected} iterations"
    return ""


def _rerun_when_ready(job: Job[Iteration]) -> None:
    pending = iterations_state.pending
    if job.finished or (pending is not None and pending.job is job and _is_ready(pending)):
        st.rerun()


def _find_computing(source: str) -> PendingRun | None:
    pending = iterations_state.pending_of(source)
    return None if pending is None or pending.job.finished else pending


def _wait_briefly(pending: PendingRun) -> None:
    """Wait for a new run of a few images, which is often ready before the page would be drawn."""
    if pending.plan.size <= TINY:
        age = (datetime.now(UTC) - pending.job.submitted).total_seconds()
        wait_for_items(pending.job, (pending.p or 0) + 1, MAX_READY_S - age)


def _is_ready(pending: PendingRun) -> bool:
    """True if the run has the iteration that the stopped player shows; if it plays, the first."""
    job = pending.job
    return job.state == "done" or (not job.finished and len(job.history) > (pending.p or 0))


def _was_stopped_to_follow(job: Job[Iteration]) -> bool:
    """True if a changed setting stopped this run early and the user has since changed it back."""
    pending = iterations_state.pending_of(job.id)
    return pending is not None and (job.cancelling or job.state == "cancelled")


def _replace_shown(pending: PendingRun) -> None:
    job, known = pending.job, iterations_state.replacements
    first = known[pending.source].first if pending.source in known else pending.source
    kept = _find_completed(pending.source)
    replaced = [
        name
        for name, one in known.items()
        if one.first == first and name != kept and not _has_note(name)
    ]
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


def _find_completed(source: str) -> str:
    """Return the run on the page, or if it was replaced before its end, the last one before it."""
    known = iterations_state.replacements
    while source in known:
        job = jobs().get(viewer(), source)
        if job is None or job.state == "done":
            break
        source = known[source].replaced
    return source


def _delete(name: str, job: Job[Iteration]) -> None:
    """Remove a run that this job replaces, which no page can restore; if it computes, it stops."""
    old = jobs().get(viewer(), name)
    if old is None:
        discard_saved(name)
    elif old.state != "done" or not job.unsaved:
        discard(old)


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
    """Name a shown result, its data and the lesson, because lessons set the controls as well."""
    return f"{source} {requested_recipe()} {read_parameter(LESSON)}"


def _run_and_data() -> tuple[str, str]:
    """Return the id of the run and the recipe of the data on the page."""
    job = current_run(ITERATIONS.id)
    return (job.id if job else "", requested_recipe())
