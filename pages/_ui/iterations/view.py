"""A run of attention on the screen, and what is shown before there is one."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data, keep_rows, thin
from ia_engine.datasets.flaws import describe_constant
from ia_engine.figures.mosaic import Gallery, draw_gallery
from ia_engine.figures.style import plot_points
from ia_engine.runs.attend import Iteration, Plan, Shown, look_ahead
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import same_data
from pages._ui.components.player import (
    METHOD_TITLES,
    PlayedRun,
    PlayerHeader,
    connect,
    describe_run,
    play_connected,
    read,
)
from pages._ui.examples import example, play_example, turned_betas
from pages._ui.iterations.actions import await_news, mark_seen
from pages._ui.iterations.exports import show_files
from pages._ui.iterations.next_run import (
    await_means,
    follow_betas,
    go_on,
    heir_of,
    is_awaited,
    obey_betas,
    rests,
    stop_following,
)
from pages._ui.iterations.plots import show_views
from pages._ui.panels import explaining, show_plot, shown
from pages._ui.runs.current import runs_of_page
from pages._ui.runs.saved import title_of
from pages._ui.state.iterations import Seen
from pages._ui.wording import number

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
    frames = [step.frame for step in steps]
    if running:
        frames.append(look_ahead(steps[-1]))
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


EXAMPLE: Final = "experiment-1"
DRAWN: Final = "images drawn before a run"
HIGH: Final = 360
"""So high may the images stand [px], since there is more below them."""


def show_before(planned: Plan, data: Data) -> None:
    """The example, playing, or the data with a word on what Run will do."""
    with explaining():
        if planned.recipe == example(EXAMPLE).record.recipe:
            _show_example(planned, data)
            return
    st.markdown(f":material/play_arrow: {_promise(planned)}")
    show_data(planned, data)


def show_data(planned: Plan, data: Data) -> None:
    """What takes part."""
    if "ia" not in planned.configs:
        show_plot(plot_points(data), "points before", data.digest)
        return
    gallery = _gallery(planned, data)
    with st.container(height=HIGH, border=False):
        st.image(gallery.png, width="stretch", alt=f"The {gallery.shown} images that take part")


def _show_example(planned: Plan, data: Data) -> None:
    key = key_of(planned)
    turned, p = turned_betas(EXAMPLE, key)
    if turned:
        given = {method: config.beta for method, config in planned.configs.items()}
        follow_betas(EXAMPLE, planned, data, (), betas=given | turned, player=key)
        rests(EXAMPLE, p)
    else:
        stop_following()
    st.caption(
        "Precomputed example: Experiment 1 with "
        f"β = {number(example(EXAMPLE).betas['ia'])}. "
        "Turn β in the player, or press Run for the settings above."
    )
    play_example(EXAMPLE, key)
    await_means(EXAMPLE)


def _promise(planned: Plan) -> str:
    what = "image" if "ia" in planned.configs else "point"
    if planned.size == 1:
        return f"One {what} alone attends to itself: choose data with two or more."
    what += "s"
    some = f"{planned.size:,} of the {planned.total:,} {what}"
    who = some if planned.size < planned.total else f"these {planned.size:,} {what}"
    how = "invariant and kernel attention" if "ia" in planned.configs else "kernel attention"
    return f"Press **Run**: {how} on {who}, {planned.iterations} iterations."


def warn_constant(data: Data) -> None:
    """A warning if some of the images show nothing."""
    if hasattr(data, "images") and (sentence := _describe_constant(data.digest, data)):
        st.warning(sentence, icon=":material/warning:")


@st.cache_resource(max_entries=16, show_spinner=False)
def _describe_constant(digest: str, _data: Data) -> str:
    return describe_constant(_data.images)


def _gallery(planned: Plan, data: Data) -> Gallery:
    """Drawn once: a rerun that changes nothing draws and sends nothing."""
    asked = (planned.recipe, planned.size)
    known, gallery = st.session_state.get(DRAWN, (None, None))
    if known != asked or gallery is None:
        gallery = draw_gallery(thin(data, planned.size), planned.size)
        st.session_state[DRAWN] = (asked, gallery)
    return gallery
