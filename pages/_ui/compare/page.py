"""The newest comparison or the example, and the sweep below it."""

from collections.abc import Sequence

import streamlit as st

from ia_engine.datasets.imageset import ImageSet
from ia_engine.runs.comparison.compare import Moment, results_of
from ia_engine.runs.comparison.config import TITLES
from ia_engine.runs.comparison.plan import ComparisonPlan
from ia_engine.runs.job import Job
from pages._ui.chosen import brief
from pages._ui.compare import keep
from pages._ui.compare.centres import show_centres
from pages._ui.compare.example import example
from pages._ui.compare.files import show_files
from pages._ui.compare.sweep import show_sweep
from pages._ui.compare.table import show_table
from pages._ui.compare.watch import Far, Shown, newest, watch_run
from pages._ui.numbers import number
from pages._ui.panels import explaining


def show_page(planned: ComparisonPlan, data: ImageSet) -> None:
    """What there is to see."""
    job = newest(swept=False)
    if job is None:
        st.markdown(f":material/play_arrow: {_promise(planned)}")
        with explaining():
            _show_example(planned)
    else:
        watch_run(job, Shown(_show, far, lambda run: keep.resume(run, data)))
        if job.finished and job.history:
            keep.offer_fork(job, planned, data, name(planned, brief(data)))
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


def begin(planned: ComparisonPlan, data: ImageSet, about: str) -> None:
    """Meant as a button's on_click."""
    keep.begin(planned, data, name(planned, about))


def name(planned: ComparisonPlan, about: str) -> str:
    """What the list of runs calls it: what differs comes first."""
    config = planned.config
    methods = config.methods
    who = TITLES[methods[0]] if len(methods) == 1 else f"{len(methods)} methods"
    k = f", K = {config.k}" if config.k else ""
    seed = f", seed {config.seed}" if config.seed else ""
    return f"{number(config.budget)} s{k}, {who}{seed}: {about}"


def far(history: Sequence[Moment]) -> Far:
    """So many methods are done, and which one computes."""
    last, done = history[-1], len(results_of(history))
    total, budget = len(last.plan.config.methods), last.plan.config.budget
    part = 0.0 if last.result else min(0.95, last.waited / budget)
    now = f"{TITLES[last.method]} computes, for at most {number(budget)} CPU s"
    return Far(min(1.0, (done + part) / total), f"{done} of {total} methods are done; {now}")


def _show(job: Job[Moment]) -> None:
    plan, results = job.history[-1].plan, results_of(job.history)
    if not results:
        return
    show_table(plan, results)
    if job.finished:
        show_files(plan, results)
    show_centres(results, job.id)
