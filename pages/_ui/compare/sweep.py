"""Where methods of a sweep did not come to their end, said below the plot."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.figures.comparison.export import draw_sweep
from ia_engine.figures.comparison.plots import plot_sweep
from ia_engine.runs.comparison.compare import Cell, Result, to_row
from ia_engine.runs.comparison.config import TITLES, ComparisonConfig
from ia_engine.runs.comparison.sweep import (
    SWEPT,
    SweepConfig,
    SweepMoment,
    SweepPlan,
    swept_results,
)
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.comparisons import COMPARISONS, SWEEPS
from pages._ui.compare.actions import example, status_of
from pages._ui.compare.controls import follow_mark, mark, marked
from pages._ui.compare.exports import show_sweep_files
from pages._ui.controls import choose_one, edit
from pages._ui.panels import explaining, misleads, plain, show_plot
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import Progress, watch
from pages._ui.wording import duration, number

Notes = Mapping[tuple[str, str], Sequence[int]]
"""By method and what was noted: at which strengths."""


def say_unfinished(plan: SweepPlan, found: Mapping[int, Sequence[Result]]) -> None:
    """A line for every method that something is noted of."""
    notes = collect_notes(found)
    if not notes:
        return
    lines = [f"- {TITLES[name]}{_places(plan, at)}: {plain(note)}"
             for (name, note), at in notes.items()]  # fmt: skip
    budget = number(plan.config.budget)
    st.warning(
        f"**Not all methods finished** within {budget} s of computing time. The points of the "
        "others are their best results so far:\n" + "\n".join(lines)
    )


def collect_notes(found: Mapping[int, Sequence[Result]]) -> Notes:
    """What was noted of the methods that did not come to their end."""
    notes: dict[tuple[str, str], list[int]] = {}
    for at, own in sorted(found.items()):
        for result in own:
            if not result.finished:
                notes.setdefault((result.method, result.note), []).append(at)
    return notes


def _places(plan: SweepPlan, at: Sequence[int]) -> str:
    unit = SWEPT[plan.sweep.sweep].unit.partition(" ")[0]
    return f" at {', '.join(number(plan.steps[k]) for k in at)} {unit}"


MEASURES: Final = ("ARI", "NMI", "ACC")
CUT: Final = 0.9
"""Where the misleading axis begins."""
Swept = Mapping[int, Sequence[Result]]


def show_sweep(config: ComparisonConfig) -> None:
    """Knobs, Sweep, and the plot; before any the example."""
    st.markdown("#### Where each method breaks")
    st.markdown(
        "The same pictures, transformed more and more: a data set is generated for every strength, "
        "and every method chosen above runs on it, for as long as above."
    )
    plan = SweepPlan(_ask(), config)
    most = plan.sweep.strengths * len(config.methods) * config.budget
    button, words = st.columns([1, 5], vertical_alignment="center")
    button.button(
        "Sweep",
        icon=":material/show_chart:",
        width="stretch",
        on_click=start,
        args=(SWEEPS, name_sweep(plan), plan),
    )
    words.caption(f"At most {duration(most)} of one core")
    job = shown_run(SWEEPS.id)
    if job is not None:
        watch(job, _show, status_of(far, lambda run: resume(SWEEPS, run)))
    else:
        # The page has said already why there is no example, unless it shows a run instead.
        with explaining() if shown_run(COMPARISONS.id) else suppress(EngineError):
            _show_example(plan.sweep.sweep)


def name_sweep(plan: SweepPlan) -> str:
    """What the list of runs calls it."""
    budget = f"{number(plan.config.budget)} s"
    return f"Sweep: {plan.sweep.sweep}, {budget}, {len(plan.config.methods)} methods"


def far(history: Sequence[SweepMoment]) -> Progress:
    """So many strengths are done, and what computes."""
    last = history[-1]
    plan, moment = last.plan, last.moment
    done = sum(item.moment.result is not None for item in history)
    total = plan.sweep.strengths * len(plan.config.methods)
    now = f"strength {last.at + 1} of {plan.sweep.strengths}, {TITLES[moment.method]} computes"
    return Progress(min(1.0, done / total), f"{done} of {total} results; {now}")


def _ask() -> SweepConfig:
    config = SweepConfig()
    row = st.columns([5, 3, 3, 3], gap="medium", vertical_alignment="bottom")
    for cell, name in zip(row, ("sweep", "pictures", "strengths", "copies"), strict=True):
        with cell:
            config = edit(config, only=[name])
    return config


def _show(job: Job[SweepMoment]) -> None:
    _plot(job.history[-1].plan, swept_results(job.history), job.id)


def _show_example(wanted: str) -> None:
    kept = {plan.sweep.sweep: (plan, found) for plan, found in example().sweeps}
    if wanted in kept:
        plan, found = kept[wanted]
        st.caption(
            f"Precomputed example: {number(plan.config.budget)} s for each method and strength, on "
            "images generated for the sweep. Press Sweep for your own settings."
        )
        _plot(plan, found, f"example {wanted}")


def _plot(plan: SweepPlan, found: Swept, key: str) -> None:
    swept = SWEPT[plan.sweep.sweep]
    measure = choose_one("Measure", MEASURES, "ARI", key="measure")
    lines, axis = lines_of(plan, found, measure), f"{swept.title} [{swept.unit}]"
    figure = plot_sweep(
        plan.steps,
        lines,
        axis=axis,
        measure=measure,
        marked=TITLES.get(marked()),
    )
    show_plot(
        figure,
        f"sweep {key} {measure}",
        key,
        lambda curve, _: mark(plan.config.methods[curve]),
    )
    follow_mark()
    rows = rows_of(plan, found)
    say_unfinished(plan, found)
    show_sweep_files(plan, rows, partial(draw_sweep, plan.steps, lines, axis=axis, measure=measure))
    misleads(
        "Copies of a drawing differ by nothing but the transformation, so a method that undoes it "
        "is perfect, and one that undoes more is no worse. Real classes vary in themselves: there "
        "too large a group makes classes alike (a 6 and a 9). At strength 0 all copies are equal. "
        "TI and DTI are as good as their budget: give them more. Lines at 1 hide one another: "
        "point at a strength to read them all, or click a name to take its line away. And where an "
        "axis begins decides how deep a fall looks.",
        key="misleads axis",
        draw=lambda: _draw_cut(plan, found, measure, key),
    )


def _draw_cut(plan: SweepPlan, found: Swept, measure: str, key: str) -> None:
    """The same lines on an axis that begins just below the best of them."""
    swept, lines = SWEPT[plan.sweep.sweep], lines_of(plan, found, measure)
    axis = f"{swept.title} [{swept.unit}]"
    figure = plot_sweep(plan.steps, lines, axis=axis, measure=measure, low=CUT)
    show_plot(figure, "misleading sweep", f"{key} {measure}")
    st.caption(f"The axis begins at {number(CUT)}: what fails is gone, and small falls look deep.")


def lines_of(plan: SweepPlan, found: Swept, measure: str) -> dict[str, list[float | None]]:
    """A measure of every method at every strength that is done; None where it found nothing."""
    return {
        TITLES[name]: [_measure(own, name, measure) for _, own in sorted(found.items())]
        for name in plan.config.methods
    }


def rows_of(plan: SweepPlan, found: Swept) -> list[dict[str, Cell]]:
    """A row for every method at every strength."""
    return [
        {"transformation": plan.sweep.sweep, "strength": plan.steps[at], **to_row(result)}
        for at, own in sorted(found.items())
        for result in own
    ]


def _measure(results: Sequence[Result], name: str, measure: str) -> float | None:
    own = [result.measures for result in results if result.method == name and result.measures]
    return float(getattr(own[0], measure.lower())) if own else None
