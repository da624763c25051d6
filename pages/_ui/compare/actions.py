"""Runs of Compare: starting, resuming and naming comparisons and sweeps, and measuring progress."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import is_of
from ia_engine.runs.comparison.compare import Moment, results_of
from ia_engine.runs.comparison.config import TITLES, ComparisonPlan
from ia_engine.runs.comparison.sweep import SweepMoment, SweepPlan, limit_seconds
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.comparisons import COMPARISONS, SWEEPS
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import Pausing, Progress, Status
from pages._ui.state.dataset import choose_data, short_title
from pages._ui.wording import duration, number


def start_comparison(planned: ComparisonPlan, data: ImageSet) -> None:
    """Start a run of the methods; meant as a button's on_click."""
    start(COMPARISONS, _name_comparison(planned, short_title(data)), planned, data)


def start_sweep(planned: SweepPlan) -> None:
    """Start a run of the methods at every value; meant as a button's on_click."""
    budget = f"{number(planned.config.budget)} s"
    title = f"Sweep: {planned.sweep.sweep}, {budget}, {len(planned.config.methods)} methods"
    start(SWEEPS, title, planned)


def show_changes(job: Job[Moment], planned: ComparisonPlan, data: ImageSet) -> None:
    """Show that the settings have changed since the run, and offer to run only the new methods."""
    plan = job.history[-1].plan
    if (plan.config, plan.recipe) == (planned.config, planned.recipe):
        return
    st.info(
        "The settings above have changed since this run. Press Run to compute with the new "
        "settings."
    )
    only_methods = replace(planned.config, methods=plan.config.methods) == plan.config
    if only_methods and is_of(data, plan.digest, plan.recipe):
        title = _name_comparison(planned, short_title(data))
        st.button(
            "Fork: run only the new methods",
            icon=":material/fork_right:",
            on_click=start,
            args=(COMPARISONS, title, planned, data, job.history),
            help="Starts a run with the methods chosen above and reuses the results of this run",
        )


def _name_comparison(planned: ComparisonPlan, data: str) -> str:
    """Return the title for the runs list; the setting that differs most often comes first."""
    config = planned.config
    methods = config.methods
    method = TITLES[methods[0]] if len(methods) == 1 else f"{len(methods)} methods"
    k = f", K = {config.k}" if config.k else ""
    seed = f", seed {config.seed}" if config.seed else ""
    return f"{number(config.budget)} s{k}, {method}{seed}: {data}"


def comparison_status(data: ImageSet) -> Status:
    """Return the text of the row above comparisons; `data` is the chosen data set."""

    def continue_run(job: Job[Moment]) -> None:
        plan = job.history[-1].plan
        if is_of(data, plan.digest, plan.recipe):
            resume(COMPARISONS, job, data)
        else:  # the images of the run are chosen first
            choose_data(plan.recipe)

    return _status(_measure_comparison, continue_run)


def sweep_status() -> Status:
    """Return the text of the row above sweeps."""
    return _status(_measure_sweep, lambda job: resume(SWEEPS, job))


def _status(
    measure: Callable[[Sequence[Any]], Progress], continue_run: Callable[[Job[Any]], None]
) -> Status:
    """Return the text of the row; `measure` returns the progress as "done; under way"."""
    pausing = Pausing(
        progress=lambda _, history: measure(history) if history else Progress(0.0, "Starting"),
        stopped=lambda history: f": {measure(history).words.partition(';')[0]} and kept.",
        nothing="Cancelled before the first method. Press Run to start again.",
        resume=continue_run,
        pause_help="Stops at once; the current method restarts when you resume the run",
        cancel_help="Stops at once and keeps the finished methods",
        resume_help="Runs the remaining methods on the same images",
    )
    return Status(done=lambda _: "", pausing=pausing)


def _measure_comparison(history: Sequence[Moment]) -> Progress:
    last, done = history[-1], len(results_of(history))
    total, budget = len(last.plan.config.methods), last.plan.config.budget
    part = 0.0 if last.result else min(0.95, last.waited / budget)
    now = f"running {TITLES[last.method]} for at most {number(budget)} CPU s"
    return Progress(min(1.0, (done + part) / total), f"{done} of {total} methods are done; {now}")


def _measure_sweep(history: Sequence[SweepMoment]) -> Progress:
    last = history[-1]
    sweep, method = last.plan.sweep, last.moment.method
    done = sum(item.moment.result is not None for item in history)
    total = sweep.repeats * len(last.plan.steps) * len(last.plan.config.methods)
    again = f", repetition {last.repeat + 1} of {sweep.repeats}" if sweep.repeats > 1 else ""
    now = f"value {last.at + 1} of {len(last.plan.steps)}{again}, running {TITLES[method]}"
    left = f"at most {duration(limit_seconds(last.plan, history))} left"
    return Progress(min(1.0, done / total), f"{done} of {total} results are done; {now}; {left}")
