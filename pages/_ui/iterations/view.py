"""A run of attention on the screen: the player, what can be done next, and what it says."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data, keep_rows
from ia_engine.runs.forks import same_data
from ia_engine.runs.job import Job
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration, Shown, look_ahead
from pages._ui.iterations.files import show_files
from pages._ui.iterations.following import heir_of, is_awaited
from pages._ui.iterations.onward import go_on, obey_betas
from pages._ui.iterations.seen import Seen
from pages._ui.iterations.views import show_views
from pages._ui.iterations.waiting import await_news, mark_seen
from pages._ui.numbers import number
from pages._ui.panels import shown
from pages._ui.player import (
    METHOD_TITLES,
    PlayedRun,
    PlayerHeader,
    connect,
    describe_run,
    play_connected,
    read,
)
from pages._ui.runs.current import runs_of_page
from pages._ui.runs.saved import title_of

LANES: Final = ("ia", "ka")
Steps = Mapping[str, Sequence[Shown]]


def show_run(job: Job[Iteration], planned: Plan, data: Data) -> None:
    """The player with the steps so far, and numbers when the run has finished."""
    plan = job.history[0].plan
    await_news(job, plan)
    mark_seen(job)
    steps = _steps(job.history)
    played = [_played_run(job, method, items) for method, items in steps.items()]
    others, default = _others(job, plan)
    if beside := others.get(_wanted(job, others, default)):
        first = next(iter(steps))
        played[1:] = [_played_run(beside, first, _steps(beside.history)[first], other=True)]
    own = [*steps][: 1 if beside else None]
    key, rows = key_of(plan), keep_rows(data, plan.size).tolist()
    numbers = [row + 1 for row in rows]
    header = replace(_header(plan, job), numbers=numbers, reports_playing=job.finished)
    header = connect(header, key, rows, job.id)
    asked = read(played, header, key)
    header = replace(header, playing_reported=asked.playing)
    rested = asked.step if asked.stopped or header.replaces else None
    betas = dict(zip(own, asked.betas, strict=False))
    obey_betas(job, planned, data, betas, p=rested, player=key)
    state = play_connected(played, header, key, job.id)
    if plan.size < plan.total:
        shown(plan.size, plan.total, "images")
    _say_spared(plan, steps)
    if job.finished:
        betas = dict(zip(own, state.betas, strict=False))
        ask_beside = partial(_ask_beside, job, others, default)
        step = None if state.playing else state.step
        go_on(job, planned, data, betas, step, ask_beside=ask_beside)
        seen = Seen(plan, steps, job.id, rows, step)
        show_views(seen)
        show_files(seen, played, header, job.title)


def _say_spared(plan: Plan, steps: Steps) -> None:
    """How many pairs were compared exactly, where not all were."""
    config, least = plan.configs.get("ia"), _least_compared(steps)
    if config is None or least == 1:
        return
    if config.pairs == "nearest":
        why = f"every image with its {config.nearest} nearest; no other weighs anything."
    else:
        why = (
            f"the others are so far apart that at β = {number(config.beta)} they weigh less than "
            "0.001 of a column together. To turn β far below that, press Run again."
        )
    st.caption(
        f"Invariant attention compared at least {100 * least:.0f} % of all pairs exactly: {why} "
        "Where pairs were not compared exactly, their d² is that of the coarse search."
    )


def _least_compared(steps: Steps) -> float:
    return min((step.numbers.compared for step in steps.get("ia", ())), default=1.0)


def key_of(plan: Plan) -> str:
    """One player for all runs of the same images: what is pinned in it stays."""
    return f"run {hashlib.sha256(f'{plan.recipe} {plan.size}'.encode()).hexdigest()[:8]}"


def _steps(history: Sequence[Iteration]) -> Steps:
    methods = [method for method in LANES if method in history[0].shown]
    return {method: [moment.shown[method] for moment in history] for method in methods}


def _played_run(
    job: Job[Iteration], method: str, steps: Sequence[Shown], *, other: bool = False
) -> PlayedRun:
    plan = job.history[0].plan
    running = not job.finished and len(steps) < plan.moments
    frames = [step.frame.packed for step in steps]
    if running:
        frames.append(look_ahead(steps[-1]).packed)
    return describe_run(
        job.id,
        plan.configs[method],
        frames,
        plan.moments,
        beta=steps[0].beta,
        running=running,
        title=f"{METHOD_TITLES[method]}: the other run" if other else METHOD_TITLES[method],
    )


Others = Mapping[str, Job[Iteration]]


def _others(job: Job[Iteration], plan: Plan) -> tuple[Others, str]:
    """Runs of the same images, and the one that stands beside this one unless another is chosen."""
    method = next(iter(_steps(job.history)))
    others = {
        other.id: other
        for other in runs_of_page(job.kind)
        if other is not job
        and other.finished
        and other.history
        and method in other.history[0].shown
        and same_data(other.history[0].plan, plan)
    }
    return others, plan.origin if plan.origin in others else ""


def _wanted(job: Job[Iteration], others: Others, default: str) -> str:
    """The run chosen to be shown beside this one, which is drawn before the list of runs."""
    wanted = st.session_state.get(f"beside {job.id}", default)
    if wanted and wanted not in others:  # it was deleted
        del st.session_state[f"beside {job.id}"]
        return default
    return str(wanted)


def _ask_beside(job: Job[Iteration], others: Others, default: str) -> None:
    """Another run of the same images, if the user chooses one to show beside this one."""
    if not others:
        return
    names = ["", *reversed(others)]
    st.selectbox(
        "Beside it",
        names,
        index=names.index(default),
        format_func=lambda id_: (
            f"Beside it: {title_of(others[id_])}" if id_ else "Beside it: kernel attention"
        ),
        key=f"beside {job.id}",
        help="Show another run of the same images beside this one",
        label_visibility="collapsed",
        width=360,
    )


def _header(plan: Plan, job: Job[Iteration]) -> PlayerHeader:
    heir = heir_of(job)
    return PlayerHeader(
        sigma=next(iter(plan.configs.values())).sigma,
        names=plan.names,
        labels=plan.labels,
        classes=plan.classes,
        order="by class" if plan.labels else "as given",
        total=plan.total,
        poses="common",
        start=heir.p if heir else plan.kept,
        autoplay=heir is None,
        means_pending=is_awaited(job.id),
        replaces=heir.of if heir else "",
    )
