"""A run of Iterations in the player, its buttons, and the page before the first run."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data, ImageSet, PointSet, describe_constant, keep_rows, thin
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import Gallery, draw_gallery
from ia_engine.figures.player import METHOD_TITLES, PlayedRun, PlayerHeader, describe_run
from ia_engine.figures.style import OTHER, plot_points
from ia_engine.runs.attend import Iteration, MethodStep, Plan, build_model, make_next_frame
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import same_data
from pages._ui.components.player import connect, play_connected, read
from pages._ui.examples import example, header_of, measure_example, play_example, runs_of
from pages._ui.iterations.actions import (
    OtherRuns,
    ask_beside,
    choose_beside,
    differs,
    find_others,
    fork,
    resume_run,
    wait_for_more,
)
from pages._ui.iterations.clusters import show_clusters
from pages._ui.iterations.controls import take_settings
from pages._ui.iterations.exports import show_files
from pages._ui.iterations.follow import (
    NO_SLIDERS,
    Sliders,
    describe_pending,
    follow,
    follow_example,
    follows,
    pending_settings,
    sliders_of,
    sliders_of_example,
    watch_pending,
)
from pages._ui.iterations.plots import show_views
from pages._ui.new_images import show_new_images
from pages._ui.panels import escape, explaining, section, show_count, show_plot
from pages._ui.state.iterations import Runs, ShownRun, iterations_state
from pages._ui.wording import number

METHODS: Final = ("ia", "ka")
"""In the order in which the player shows them."""
EXAMPLE: Final = "experiment-1"
FOLLOWED: Final = (
    " To change a setting from this iteration on, first switch off **Recompute on change** in More."
)
MAX_HEIGHT: Final = 360
"""Size of the images before the first run [px]."""


def find_sliders(job: Job[Iteration] | None, planned: Plan) -> Sliders:
    """Return the methods whose β a slider of the player sets."""
    if job is None:
        is_example = planned.recipe == _recipe_of_example()
        key = _player_key(planned)
        return sliders_of_example(EXAMPLE, planned, key) if is_example else NO_SLIDERS
    if not job.history:
        return NO_SLIDERS
    plan, methods = job.history[0].plan, [*_steps(job.history)]
    beside = choose_beside(job, plan, find_others(job, plan, methods[0]))
    return sliders_of(job, planned, _player_key(plan), methods[:1] if beside else methods)


def show_run(job: Job[Iteration], planned: Plan, data: Data, sliders: Sliders) -> None:
    """Show the player with the iterations so far, and plots and files when the run has finished."""
    plan = job.history[0].plan
    wait_for_more(job)
    steps = _steps(job.history)
    played = [_played_run(job, method, items) for method, items in steps.items()]
    if not sliders.runs:
        played = [
            _weigh(run, planned.configs[method]) for run, method in zip(played, steps, strict=True)
        ]
    first = next(iter(steps))
    others = find_others(job, plan, first)
    other_steps: Sequence[MethodStep] = ()
    if beside := others.get(choose_beside(job, plan, others)):
        other_steps = _steps(beside.history)[first]
        played[1:] = [_played_run(beside, first, other_steps, other=True)]
    own = [*steps][: 1 if beside else None]
    key, rows = _player_key(plan), keep_rows(data, plan.size).tolist()
    header = connect(_header(job, plan, rows, sliders), key, rows, job.id)
    asked = read(played, header, key)
    header = replace(header, playing_reported=asked.playing)
    stands = asked.stopped or header.replaces or not header.autoplay
    stopped_at = asked.step if stands and not asked.playing else None
    betas = dict(zip(own, asked.betas, strict=False))
    follow(job, planned, data, betas, p=stopped_at, player=key)
    state = play_connected(played, header, key, job.id)
    if plan.size < plan.total:
        show_count(plan.size, plan.total, "images")
    _explain_compared(plan, steps)
    if job.finished or job.id in iterations_state.replacements:
        step = None if state.playing else state.step
        _show_buttons(job, planned, data, p=step, others=others)
        run = ShownRun(plan, steps, job.id, rows, step)
        pair = {first: steps[first], OTHER: other_steps}
        shown = replace(run, runs=pair, beside=beside.id) if beside else run
        show_views(shown, run)
    if job.finished:
        with section("Clusters and their means", ":material/join_inner:", "clusters") as is_open:
            if is_open:
                show_clusters(run)
        with section("Files of this run", ":material/download:", "files of a run") as is_open:
            if is_open:
                show_files(run, played, header, job.title)
        if isinstance(data, ImageSet) and plan.recipe == data.recipe.to_json():
            with section("New images", ":material/add_photo_alternate:", "new images") as is_open:
                if is_open:
                    _show_new_images(job, data)


def _show_new_images(job: Job[Iteration], data: ImageSet) -> None:
    methods = [method for method in METHODS if method in job.history[0].shown]
    method = methods[0]
    if len(methods) > 1:
        method = st.segmented_control(
            "Clusters of",
            methods,
            default=method,
            format_func=METHOD_TITLES.__getitem__,
            key=f"clusters for new images {job.id}",
            required=True,
        )
    show_new_images(
        f"{job.id} {method}",
        data,
        lambda: build_model(job.history, data, method),
        rule="the cluster of the nearest image of this run",
        centre="mean",
    )


def show_before(planned: Plan, data: Data, sliders: Sliders) -> None:
    """Show the precomputed example, or the data and a sentence on what the Run button will do."""
    with explaining():
        if planned.recipe == example(EXAMPLE).record.recipe:
            _show_example(planned, data, sliders)
            return
    st.markdown(f":material/play_arrow: {_describe_planned(planned)}")
    show_data(planned, data)


def show_data(planned: Plan, data: Data) -> None:
    """Show the images or points of the run."""
    if isinstance(data, PointSet):
        show_plot(plot_points(data), "points before", data.digest)
        return
    gallery = _gallery(data.digest, planned.size, data)
    with st.container(height=MAX_HEIGHT, border=False):
        st.image(gallery.png, width="stretch", alt=f"The {gallery.shown} images of the run")


def warn_constant(data: Data) -> None:
    """Show a warning if some of the images are constant."""
    if isinstance(data, ImageSet) and (sentence := _describe_constant(data.digest, data)):
        st.warning(sentence, icon=":material/warning:")


def _steps(history: Sequence[Iteration]) -> Runs:
    methods = [method for method in METHODS if method in history[0].shown]
    return {method: [moment.shown[method] for moment in history] for method in methods}


def _played_run(
    job: Job[Iteration], method: str, steps: Sequence[MethodStep], *, other: bool = False
) -> PlayedRun:
    plan = job.history[0].plan
    running = not job.finished and len(steps) < plan.moments
    frames = [step.frame for step in steps]
    if running:
        frames.append(make_next_frame(steps[-1]))
    return describe_run(
        job.id,
        plan.configs[method],
        frames,
        plan.moments,
        beta=steps[0].beta,
        running=running,
        title=f"{METHOD_TITLES[method]}: the other run" if other else METHOD_TITLES[method],
    )


def _weigh(run: PlayedRun, config: AttentionConfig) -> PlayedRun:
    """Return the run with weights for the β of a control, if that setting uses β."""
    return replace(run, weights_beta=config.beta) if RULES[config.bandwidth].is_fixed else run


def _header(job: Job[Iteration], plan: Plan, rows: Sequence[int], sliders: Sliders) -> PlayerHeader:
    replacement = iterations_state.replacements.get(job.id)
    is_fixed = all(RULES[config.bandwidth].is_fixed for config in plan.configs.values())
    return PlayerHeader(
        sigma=next(iter(plan.configs.values())).sigma,
        names=plan.names,
        labels=plan.labels,
        classes=plan.classes,
        order="by class" if plan.labels else "as given",
        numbers=[row + 1 for row in rows],
        total=plan.total,
        poses="common",
        start=replacement.p if replacement else plan.kept,
        autoplay=replacement is None,
        means_pending=bool(describe_pending(job.id)),
        settings_pending=pending_settings(job.id),
        replaces=replacement.replaced if replacement else "",
        replaced_settings=replacement.former if replacement else "",
        reports_playing=job.finished,
        has_sliders=bool(sliders.runs) or not is_fixed,
        advises=bool(sliders.runs) and is_fixed,
    )


def _player_key(plan: Plan) -> str:
    """Return one key for all runs of the same images, so that a pinned pair stays pinned."""
    return f"run {hashlib.sha256(f'{plan.recipe} {plan.size}'.encode()).hexdigest()[:8]}"


def _explain_compared(plan: Plan, steps: Runs) -> None:
    """State the share of the pairs that were compared exactly, unless it is 100 %."""
    config = plan.configs.get("ia")
    share = min((step.numbers.compared for step in steps.get("ia", ())), default=1.0)
    if config is None or share == 1:
        return
    if config.pairs == "nearest":
        why = f"each image with its {config.nearest} nearest images. All other weights are 0."
    else:
        why = (
            f"at β = {number(config.beta)} the other pairs are so far apart that their weights add "
            "up to less than 0.001 of a column. For a much smaller β, press Run again."
        )
    st.caption(
        f"Invariant attention compared at least {100 * share:.0f} % of all pairs exactly: {why} "
        "The d² of all other pairs comes from the coarse search."
    )


def _show_buttons(
    job: Job[Iteration],
    planned: Plan,
    data: Data,
    *,
    p: int | None,
    others: OtherRuns,
) -> None:
    """Draw buttons that continue the run or use its settings; p is None while the player plays."""
    plan = job.history[0].plan
    same = same_data(plan, planned)
    with st.container(horizontal=True, vertical_alignment="center"):
        if same and job.state != "failed" and len(job.history) < plan.moments:
            st.button(
                "Resume",
                icon=":material/resume:",
                key="resume",
                on_click=resume_run,
                args=(job, data),
                help="Computes the missing iterations of this run",
            )
        if same:
            st.button(
                "Run from here: pause first" if p is None else f"Run from here, iteration {p}",
                icon=":material/fork_right:",
                key="fork",
                on_click=fork,
                args=(job, planned, data, p),
                disabled=p is None,
                help="Continues from the images of this iteration with the settings above, and "
                "keeps this run. Pause the player at the iteration where you want to continue."
                + (FOLLOWED if follows(job, planned) else ""),
            )
        if others:
            ask_beside(job, plan, others)
        if differs(plan, planned):
            st.button(
                "Use this run's settings",
                icon=":material/tune:",
                key="take settings",
                on_click=take_settings,
                args=(plan,),
                help="Sets the controls above to the settings of this run",
            )
    if plan.kept:
        st.caption(
            f"{escape(job.title)}: this run is equal to the run that it continues up to iteration "
            f"{plan.kept}."
        )


def _recipe_of_example() -> str:
    try:
        return example(EXAMPLE).record.recipe
    except EngineError:  # the page reports the missing file
        return ""


def _show_example(planned: Plan, data: Data, sliders: Sliders) -> None:
    key = _player_key(planned)
    follow_example(EXAMPLE, planned, data, key)
    pending = describe_pending(EXAMPLE)
    st.caption(
        pending
        or "Precomputed example: Experiment 1 with "
        f"β = {number(example(EXAMPLE).betas['ia'])} and σ = 0 px. "
        + (
            "Change β in the player or a setting above, or press Run to use all settings above."
            if sliders.runs
            else "Press Run to use the settings above."
        )
    )
    has_sliders = bool(sliders.runs)
    header = replace(
        header_of(EXAMPLE),
        means_pending=bool(pending),
        settings_pending=pending_settings(EXAMPLE),
        has_sliders=has_sliders,
        advises=has_sliders,
    )
    played = runs_of(EXAMPLE)
    if not has_sliders:
        methods = example(EXAMPLE).frames
        played = [_weigh(run, planned.configs[m]) for run, m in zip(played, methods, strict=True)]
    state = play_example(EXAMPLE, key, played, header)
    step = None if state.playing else state.step
    plan, runs = measure_example(EXAMPLE)
    run = ShownRun(plan, runs, f"example {EXAMPLE}", range(plan.size), step)
    show_clusters(run)
    show_views(run, run)
    watch_pending(EXAMPLE)


def _describe_planned(planned: Plan) -> str:
    what = "image" if "ia" in planned.configs else "point"
    if planned.size == 1:
        return f"One {what} cannot be averaged. Choose data with at least two {what}s."
    count = f"{planned.size:,} of the {planned.total:,}"
    which = count if planned.size < planned.total else f"these {planned.size:,}"
    how = "invariant and kernel attention" if "ia" in planned.configs else "kernel attention"
    steps = "1 iteration" if planned.iterations == 1 else f"{planned.iterations} iterations"
    return f"Press **Run** to compute {steps} of {how} on {which} {what}s."


@st.cache_resource(max_entries=16, show_spinner=False)
def _describe_constant(digest: str, _data: ImageSet) -> str:
    return describe_constant(_data.images)


@st.cache_resource(max_entries=16, show_spinner=False)
def _gallery(digest: str, size: int, _data: Data) -> Gallery:
    return draw_gallery(thin(_data, size), size)
