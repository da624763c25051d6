"""Comparisons and sweeps as kept runs: begun, resumed, and forked with other methods."""

from dataclasses import replace

import streamlit as st

from ia_engine.datasets.imageset import ImageSet
from ia_engine.datasets.recipes import is_of
from ia_engine.runs.comparison.compare import Moment, compare, expected_moments, results_of
from ia_engine.runs.comparison.plan import ComparisonPlan
from ia_engine.runs.comparison.sweep import (
    SweepMoment,
    SweepPlan,
    expected_sweep,
    sweep,
    swept_results,
)
from ia_engine.runs.job import Job
from ia_engine.runs.kinds import comparisons
from pages._ui.chosen import choose
from pages._ui.compare.watch import PLACE
from pages._ui.keeping import Instead, start_kept, start_once, tell


def begin(
    plan: ComparisonPlan,
    data: ImageSet,
    title: str,
    before: Job[Moment] | None = None,
    instead: Instead | None = None,
) -> None:
    """A comparison that is kept; what another one has found already is taken from it."""
    known = results_of(before.history) if before else []
    about = tell(title, comparisons.describe(plan), data, seed=plan.config.seed)
    work = (lambda: compare(plan, data, known), expected_moments(plan.config))
    if instead is None:
        start_once(PLACE, title, *work, about)
    else:
        start_kept(PLACE, title, *work, about, instead=instead)


def resume(job: Job[Moment], data: ImageSet) -> None:
    """The methods that are left, on the images of the run: they are chosen first, if need be."""
    plan = job.history[-1].plan
    if is_of(data, plan.digest, plan.recipe):
        begin(plan, data, job.title, job, Instead(job.id, len(job.history) + 1))
    else:
        choose(plan.recipe)


def begin_sweep(plan: SweepPlan, title: str, before: Job[SweepMoment] | None = None) -> None:
    """A sweep that is kept; what another one has found already is taken from it."""
    known = swept_results(before.history) if before else None
    about = tell(title, comparisons.describe_sweep(plan), None, seed=plan.config.seed)
    work = (lambda: sweep(plan, known), expected_sweep(plan))
    if before is None:
        start_once(PLACE, title, *work, about, kind=comparisons.SWEEPS.id)
        return
    instead = Instead(before.id, len(before.history) + 1)
    start_kept(PLACE, title, *work, about, kind=comparisons.SWEEPS.id, instead=instead)


def resume_sweep(job: Job[SweepMoment]) -> None:
    """The strengths and methods that are left."""
    begin_sweep(job.history[-1].plan, job.title, job)


def offer_fork(job: Job[Moment], planned: ComparisonPlan, data: ImageSet, title: str) -> None:
    """What can be done where the settings have changed since a run."""
    plan = job.history[-1].plan
    if (plan.config, plan.recipe) == (planned.config, planned.recipe):
        return
    st.info("The settings above have changed since this run: press Run to compute with them.")
    methods_alone = replace(planned.config, methods=plan.config.methods) == plan.config
    if methods_alone and is_of(data, plan.digest, plan.recipe):
        st.button(
            "Fork: only the methods that are new",
            icon=":material/fork_right:",
            on_click=begin,
            args=(planned, data, title, job),
            help="A run with the methods chosen above; what this one has found is taken over",
        )
