"""The panel on Theorems 3.1 and 4.1: their quantities in a run, a scan of c′, and what is known."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.attention.clusters.measures import NEAR
from ia_engine.attention.theory.contraction import Trial
from ia_engine.attention.theory.quantities import Quantities
from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.figures.player import METHOD_TITLES
from ia_engine.figures.theorems import describe_contraction, plot_scan, tabulate_quantities
from ia_engine.runs.attend import Iteration, MethodStep, Plan
from ia_engine.runs.attend_measures import explain_constants, measure_quantities, scan_run
from ia_engine.runs.job import Job
from ia_engine.runs.papers.invariant_theorems import CONSTANT, GRID
from pages._ui.examples import example, measure_example
from pages._ui.iterations.actions import SMALL
from pages._ui.iterations.view import EXAMPLE, METHODS
from pages._ui.panels import escape, explaining, section, show_plot
from pages._ui.state.fields import read_value, set_value
from pages._ui.state.iterations import Runs
from pages._ui.wording import number

TITLE: Final = "Theorems 3.1 and 4.1: R, contraction and c′"
COLUMNS: Final = {
    "iteration": st.column_config.NumberColumn(help="0: the data; p: after p averaging steps"),
    "R": st.column_config.NumberColumn(format="%.4f", help="The largest distance d of any pair"),
    "c′ = β R²": st.column_config.NumberColumn(
        format="%.3g", help="The c′ that corresponds to the β of this iteration"
    ),
    "ratio, all pairs": st.column_config.NumberColumn(
        format="%.4f", help="The largest d(p)/d(p-1) of any pair, 1 − ε in Theorem 4.1"
    ),
    "ratio, within classes": st.column_config.NumberColumn(
        format="%.4f", help="The largest d(p)/d(p-1) of two images of the same class"
    ),
    "d² within": st.column_config.NumberColumn(
        format="%.3g", help="Mean d² between images of the same class"
    ),
}
KNOWN: Final = (
    "**Known.** Both theorems assume that R is at most c ρ_min; Theorem 4.1 also assumes "
    "β < c′/R². R, β R² and all ratios in the table are computed. The theorems are about images "
    "of one class.",
    "**Not known.** The reach ρ_min is defined in (B.9), in an appendix that the paper's text "
    "does not contain, and the paper gives no values for c and c′. So the table shows where "
    "distances contract, but not whether a theorem guarantees it. ρ_min is neither computed nor "
    "approximated here.",
)
ROW_HEIGHT: Final = 28


def show_theorems(job: Job[Iteration], data: Data) -> None:
    """Show the content of the panel for a run."""
    first = job.history[0]
    methods = [method for method in METHODS if method in first.shown]
    steps = {method: [one.shown[method] for one in job.history] for method in methods}
    _show_panel(job.id, first.plan, steps, data)


def show_example_theorems(planned: Plan, data: Data) -> None:
    """Show the panel of the precomputed example, which is open at first, if its data are chosen."""
    try:
        shipped = example(EXAMPLE)
    except EngineError:  # the page reports the missing file
        return
    if planned.recipe == shipped.record.recipe:
        name = f"theorems of {EXAMPLE}"
        with section(TITLE, ":material/function:", name, is_open=True) as is_open:
            if is_open:
                plan, steps = measure_example(EXAMPLE)
                _show_panel(f"example {EXAMPLE}", plan, steps, data)


def _show_panel(name: str, plan: Plan, steps: Runs, data: Data) -> None:
    found = {
        method: _measure(f"{name} {method} {len(kept)}", kept, plan.labels)
        for method, kept in steps.items()
    }
    for method, one in found.items():
        st.markdown(f"**{METHOD_TITLES[method]}.** {describe_contraction(one)}")
    reasons = [reason for kept in steps.values() for reason in explain_constants(kept)]
    missing = " ".join(dict.fromkeys(reasons))
    if missing:
        st.info(f"{escape(missing)} Iterations with other weights have no c′.")
    st.dataframe(
        tabulate_quantities(found),
        width="stretch",
        hide_index=True,
        column_config=COLUMNS,
        placeholder="–",
        row_height=ROW_HEIGHT,
        key=f"theorems {name}",
    )
    st.caption(
        "All quantities are dimensionless. Ratios omit pairs closer than "
        f"{100 * NEAR:g} % of the initial R, because their distance is mostly interpolation "
        "error. The ratio of **all pairs** is near 1 if classes stay apart; the ratio "
        "**within classes** shows how fast clusters form."
    )
    for column, words in zip(st.columns(2), KNOWN, strict=True):
        column.markdown(words.replace("ρ_min", r"$\rho_{\min}$"))
    first = Iteration(plan, {method: kept[0] for method, kept in steps.items()})
    constant = next(iter(found.values()))[0].constant
    _show_scan(name, first, data, constant)


@st.fragment
def _show_scan(name: str, first: Iteration, data: Data, constant: float | None) -> None:
    """Draw the button that starts the scan, and its result."""
    plan, key = first.plan, f"scan of {name}"
    large = "ia" in plan.configs and plan.size > SMALL
    impossible = bool(explain_constants([next(iter(first.shown.values()))]))
    st.button(
        "Scan c′",
        icon=":material/show_chart:",
        key=f"start {key}",
        on_click=set_value,
        args=(key, True),
        disabled=large or impossible or read_value(key, False),
        help="Computes the first iteration on these images for each c′ of the Papers page. Takes a "
        f"few seconds and is limited to {SMALL} images",
    )
    if impossible:
        st.caption("The scan needs the Gaussian kernel and weights of all images.")
    elif large:
        st.caption(f"The scan is limited to {SMALL} images; this run has {plan.size}.")
    elif read_value(key, False):
        with explaining(), st.spinner("Computing the first iteration for each c′ …"):
            trials = _scan(name, first, data)
            show_plot(plot_scan(trials, constant), "scan", name)
            failing = [number(trial.constant) for trial in trials if trial.largest >= 1]
            st.caption(
                (f"A distance increases at c′ = {', '.join(failing)}. " if failing else
                 "All distances decrease at every c′ of the scan. ")
                + f"On **Papers**, c′ = {number(CONSTANT)} is the largest of these values at which "
                "all distances decrease on seeds 100 to 119 of Experiments 1 and 2."
            )  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner=False)
def _measure(key: str, _kept: Sequence[MethodStep], labels: Sequence[int]) -> list[Quantities]:
    return measure_quantities(_kept, labels)


@st.cache_resource(max_entries=16, show_spinner=False)
def _scan(key: str, _first: Iteration, _data: Data) -> tuple[Trial, ...]:
    return tuple(scan_run(_first, _data, GRID))
