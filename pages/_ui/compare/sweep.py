"""A sweep: the results of the methods as one quantity increases, as a plot with its spread."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.figures.comparison.export import draw_sweep
from ia_engine.figures.comparison.plots import plot_sweep
from ia_engine.figures.style import state_unit
from ia_engine.files import find_shipped
from ia_engine.runs.comparison.compare import Cell, Result, to_row
from ia_engine.runs.comparison.config import TITLES, ComparisonConfig
from ia_engine.runs.comparison.store import PrecomputedComparison, unpack_comparison
from ia_engine.runs.comparison.sweep import (
    COUNT,
    MEASURES,
    ROTATED,
    SWEPT,
    TIME,
    Spread,
    SweepConfig,
    SweepMoment,
    SweepPlan,
    SweptQuantity,
    limit_seconds,
    spread_of,
    swept_results,
)
from ia_engine.runs.example import load_run
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.comparisons import COMPARISONS, SWEEPS
from pages._ui.compare.actions import start_sweep, sweep_status
from pages._ui.compare.exports import show_sweep_files
from pages._ui.controls import choose_one, edit
from pages._ui.panels import escape, explaining, show_misleading, show_plot
from pages._ui.runs.current import shown_run
from pages._ui.runs.watch import watch
from pages._ui.state.compare import compare_state
from pages._ui.wording import duration, number

NAME: Final = "runs/comparison.safetensors"
SCORES: Final = ("ARI", "NMI", "ACC")
"""The measures whose largest value is 1."""
REPEATS: Final = 3
"""Default number of repetitions."""
AXIS_START: Final = 0.9
"""Start of the misleading axis."""
Swept = Mapping[int, Sequence[Result]]
"""Results by the index of their value."""


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> PrecomputedComparison:
    """Return the precomputed comparison and sweeps in the assets."""
    return unpack_comparison(load_run(find_shipped(NAME))[1])


def show_sweep(config: ComparisonConfig) -> None:
    """Draw the controls, the Sweep button and the plot; before any run, the precomputed plot."""
    st.markdown("#### Where each method fails")
    st.markdown(
        "One quantity increases: a transformation, the noise, the number of images, or a setting "
        "of attention. For every value of a transformation, of noise or of n, the app generates a "
        "data set. Every method chosen above runs for the computing time chosen above. Repetitions "
        "use other random numbers."
    )
    plan = SweepPlan(_ask_settings(), config)
    button, words = st.columns([1, 5], vertical_alignment="center")
    button.button(
        "Sweep",
        icon=":material/show_chart:",
        width="stretch",
        on_click=start_sweep,
        args=(plan,),
    )
    words.caption(f"At most {duration(limit_seconds(plan))} on one core")
    job = shown_run(SWEEPS.id)
    if job is not None:
        watch(job, _show_run, sweep_status())
    else:
        # Without a comparison, the page has already explained why it shows no example.
        with explaining() if shown_run(COMPARISONS.id) else suppress(EngineError):
            _show_example(plan.sweep.sweep)


def _ask_settings() -> SweepConfig:
    config = edit(SweepConfig(repeats=REPEATS), only=["sweep"])
    names = ["pictures", "strengths", "copies", "repeats"]
    names += ["angle"] if config.sweep in ROTATED else []
    row = st.columns(5, gap="medium", vertical_alignment="bottom")
    for cell, name in zip(row, names, strict=False):
        with cell:
            config = edit(config, only=[name])
    if config.sweep == "beta":
        st.caption(
            "β has no effect before the first averaging step, so attention performs at least one. "
            "Methods without β run only once per repetition."
        )
    return config


def _show_run(job: Job[SweepMoment]) -> None:
    _plot(job.history[-1].plan, swept_results(job.history), job.id)


def _show_example(wanted: str) -> None:
    kept = {plan.sweep.sweep: (plan, found) for plan, found in example().sweeps}
    if wanted in kept:
        plan, found = kept[wanted]
        st.caption(
            f"Precomputed example: {number(plan.config.budget)} s for each method and value, on "
            "images generated for the sweep. Press Sweep for your own settings."
        )
        _plot(plan, found, f"example {wanted}")


def axis_of(swept: SweptQuantity) -> str:
    """Return the title of the axis of a quantity, with its unit."""
    return state_unit(f"{swept.title} [{swept.unit}]" if swept.unit else swept.title)


def _plot(plan: SweepPlan, found: Swept, key: str) -> None:
    swept, methods = SWEPT[plan.sweep.sweep], plan.config.methods
    default = TIME if plan.sweep.sweep == COUNT else "ARI"
    measure = choose_one("Measure", list(MEASURES), default, key="measure", wrap=True)
    spreads, axis = lines_of(plan, found, measure), axis_of(swept)
    lines = {name: [spread and spread.middle for spread in own] for name, own in spreads.items()}
    bars = {name: [spread and spread[1:] for spread in own] for name, own in spreads.items()}
    draw = partial(
        plot_sweep, plan.steps, lines, axis=axis, measure=measure, bars=bars, log=swept.log,
        score=measure in SCORES,
    )  # fmt: skip
    show_plot(
        draw(marked=TITLES.get(compare_state.highlighted)),
        f"sweep {key} {measure}",
        key,
        lambda curve, _: compare_state.highlight(methods[curve]),
    )
    compare_state.redraw_highlight()
    repeats = max((_count_repeats(own) for own in found.values()), default=1)
    if repeats > 1:
        st.caption(
            f"Lines: the median of {repeats} repetitions. Bars: the smallest and largest values."
        )
    _warn_of_unfinished(plan, found)
    file = partial(draw_sweep, plan.steps, lines, axis=axis, measure=measure)
    show_sweep_files(plan, rows_of(plan, found), file)

    if measure not in SCORES:
        st.caption("The axis is logarithmic: equal distances on it correspond to equal ratios.")
        return

    def draw_misleading() -> None:
        show_plot(draw(low=AXIS_START), "misleading sweep", f"{key} {measure}")
        st.caption(
            f"The axis starts at {number(AXIS_START)}, so methods that fail are not visible and "
            "small decreases look large."
        )

    show_misleading(
        "Copies of a drawing differ only by the transformation. So a method that undoes it is "
        "perfect, and a method that undoes more does no worse. The images of a real class "
        "differ in more than that, and too large a group makes different classes alike (a 6 and "
        "a 9). Without the transformation, all copies are identical. TI and DTI improve with more "
        "computing time. Lines at 1 overlap: point at a value to read all values, or click a name "
        "to hide its line. The start of the axis determines how large a decrease looks.",
        key="misleads axis",
        draw=draw_misleading,
    )


def lines_of(plan: SweepPlan, found: Swept, measure: str) -> dict[str, list[Spread | None]]:
    """Return the spread of a measure of every method at every value; None where it is unknown."""
    return {
        TITLES[name]: [spread_of(own, name, measure) for _, own in sorted(found.items())]
        for name in plan.config.methods
    }


def rows_of(plan: SweepPlan, found: Swept) -> list[dict[str, Cell]]:
    """Return a row for every method at every value in every repetition."""
    return [
        {"quantity": plan.sweep.sweep, "value": plan.steps[at], **to_row(result)}
        for at, own in sorted(found.items())
        for result in own
    ]


def _count_repeats(results: Sequence[Result]) -> int:
    return max(Counter(result.method for result in results).values(), default=0)


def _warn_of_unfinished(plan: SweepPlan, found: Swept) -> None:
    """Warn of every method that did not finish, and list the values where this happened."""
    strengths: dict[tuple[str, str], list[str]] = {}
    for at, own in sorted(found.items()):
        for result in own:
            if not result.finished:
                places = strengths.setdefault((TITLES[result.method], result.note), [])
                places.append(number(plan.steps[at]))
    if not strengths:
        return
    unit = SWEPT[plan.sweep.sweep].unit.partition(" ")[0]
    unit = unit and f" {unit}"
    lines = [
        f"- {title} at {', '.join(dict.fromkeys(places))}{unit}: {escape(note)}"
        for (title, note), places in strengths.items()
    ]
    st.warning(
        f"**Not all methods finished** within {number(plan.config.budget)} s of computing time. "
        "The points of the others are their best results so far:\n" + "\n".join(lines)
    )
