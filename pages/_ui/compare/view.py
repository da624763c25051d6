"""A comparison on the screen: the newest one or the example, and the centres of each method."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import is_of
from ia_engine.figures.mosaic import draw_row
from ia_engine.runs.comparison.compare import Moment, Result, results_of
from ia_engine.runs.comparison.config import TITLES, ComparisonPlan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.comparisons import COMPARISONS
from pages._ui.compare.actions import example, status_of
from pages._ui.compare.controls import mark, marked
from pages._ui.compare.exports import show_files
from pages._ui.compare.sweep import show_sweep
from pages._ui.compare.table import show_table
from pages._ui.panels import explaining, shown
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import Progress, watch
from pages._ui.state.dataset import brief, choose
from pages._ui.wording import number

FEWEST: Final = 5
ROOM: Final = 12
"""So many centres of each method are shown."""


def show_centres(results: Sequence[Result], key: str) -> None:
    """The centres of every method that found any, two methods in a row."""
    found = [result for result in results if len(result.centres)]
    if not found:
        return
    st.markdown("#### Centres")
    most = max(len(result.centres) for result in found)
    columns = max(FEWEST, min(ROOM, most))
    for at in range(0, len(found), 2):
        pair = found[at : at + 2]
        for cell, result in zip(st.columns(2, gap="medium"), pair, strict=False):
            with cell:
                _show_centres_of(result, _draw(f"{key} {result.method}", columns, result))
    if most > ROOM:
        shown(ROOM, most, "centres of a method at most")
    st.caption(
        "Means of each cluster's images: of invariant attention in the pose of the most central "
        "one, of TI and DTI the prototypes that were learned, of the others pixel by pixel."
    )


def _show_centres_of(result: Result, picture: bytes) -> None:
    name = TITLES[result.method]
    ari = f", ARI {result.measures.ari:.2f}".replace("-", "−") if result.measures else ""
    with st.container(gap="xsmall"):
        own = result.method == marked()
        st.button(
            f":orange-background[**{name}**{ari}]" if own else f"**{name}**{ari}",
            key=f"mark {result.method}",
            type="tertiary",
            on_click=mark,
            args=(result.method,),
            help="Highlights this method in the table and in the plot, or removes the highlight",
        )
        st.image(
            picture, width="stretch", alt=f"{name}: the centres of {len(result.centres)} clusters"
        )


@st.cache_resource(max_entries=64, show_spinner=False)
def _draw(key: str, columns: int, _result: Result) -> bytes:
    return draw_row(_result.centres.clamp(0, 1), columns)


def show_page(planned: ComparisonPlan, data: ImageSet) -> None:
    """What there is to see."""
    job = shown_run(COMPARISONS.id)
    if job is None:
        st.markdown(f":material/play_arrow: {_promise(planned)}")
        with explaining():
            _show_example(planned)
    else:
        watch(job, _show, status_of(far, lambda run: _resume(run, data)))
        if job.finished and job.history:
            _offer_fork(job, planned, data)
    show_sweep(planned.config)


def _promise(planned: ComparisonPlan) -> str:
    """What Run will do, and on how many of the images."""
    methods, size, total = len(planned.config.methods), planned.size, planned.total
    who = f"{size:,} of the {total:,} images chosen above, spread evenly over the classes"
    if size == total:
        who = f"all {total:,} images chosen above"
    how = "1 method" if methods == 1 else f"{methods} methods"
    return f"Press **Run**: {how} on {who}."


def _show_example(planned: ComparisonPlan) -> None:
    kept = example()
    plan = kept.plan
    other = "" if plan.recipe == planned.recipe else " It is no result for the data chosen above."
    st.caption(
        f"Precomputed example: Experiment 1, {plan.size} of {plan.total} images, "
        f"K = {plan.config.k} given, {number(plan.config.budget)} s for each method.{other}"
    )
    show_table(kept.plan, kept.results)
    show_files(kept.plan, kept.results)
    show_centres(kept.results, "example")


def begin(planned: ComparisonPlan, data: ImageSet) -> None:
    """Meant as a button's on_click."""
    start(COMPARISONS, name(planned, brief(data)), planned, data)


def _resume(job: Job[Moment], data: ImageSet) -> None:
    """The methods that are left, on the images of the run: they are chosen first, if need be."""
    plan = job.history[-1].plan
    if is_of(data, plan.digest, plan.recipe):
        resume(COMPARISONS, job, data)
    else:
        choose(plan.recipe)


def _offer_fork(job: Job[Moment], planned: ComparisonPlan, data: ImageSet) -> None:
    """What can be done if the settings have changed since a run."""
    plan = job.history[-1].plan
    if (plan.config, plan.recipe) == (planned.config, planned.recipe):
        return
    st.info("The settings above have changed since this run: press Run to compute with them.")
    methods_alone = replace(planned.config, methods=plan.config.methods) == plan.config
    if methods_alone and is_of(data, plan.digest, plan.recipe):
        st.button(
            "Fork: only the methods that are new",
            icon=":material/fork_right:",
            on_click=start,
            args=(COMPARISONS, name(planned, brief(data)), planned, data, job.history),
            help="A run with the methods chosen above; what this one has found is taken over",
        )


def name(planned: ComparisonPlan, about: str) -> str:
    """What the list of runs calls it: what differs comes first."""
    config = planned.config
    methods = config.methods
    who = TITLES[methods[0]] if len(methods) == 1 else f"{len(methods)} methods"
    k = f", K = {config.k}" if config.k else ""
    seed = f", seed {config.seed}" if config.seed else ""
    return f"{number(config.budget)} s{k}, {who}{seed}: {about}"


def far(history: Sequence[Moment]) -> Progress:
    """So many methods are done, and which one computes."""
    last, done = history[-1], len(results_of(history))
    total, budget = len(last.plan.config.methods), last.plan.config.budget
    part = 0.0 if last.result else min(0.95, last.waited / budget)
    now = f"{TITLES[last.method]} computes, for at most {number(budget)} CPU s"
    return Progress(min(1.0, (done + part) / total), f"{done} of {total} methods are done; {now}")


def _show(job: Job[Moment]) -> None:
    plan, results = job.history[-1].plan, results_of(job.history)
    if not results:
        return
    show_table(plan, results)
    if job.finished:
        show_files(plan, results)
    show_centres(results, job.id)
