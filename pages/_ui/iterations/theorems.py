"""The panel on Theorems 3.1 and 4.1: their quantities in a run, a scan of c′, and what is known."""

from typing import Final

import streamlit as st

from ia_engine.attention.theory.contraction import NEAR, Trial
from ia_engine.datasets.data import Data
from ia_engine.figures.theorems import plot_scan, tabulate_quantities
from ia_engine.runs.attend import Iteration, Plan, measure_quantities, scan_run
from ia_engine.runs.job import Job
from ia_engine.runs.papers.invariant_theorems import CONSTANT, GRID
from pages._ui.iterations.actions import SMALL
from pages._ui.iterations.view import METHODS
from pages._ui.panels import explaining, show_plot
from pages._ui.state.fields import read_value, set_value
from pages._ui.wording import number

COLUMNS: Final = {
    "iteration": st.column_config.NumberColumn(help="0: the data; p: after p averaging steps"),
    "R": st.column_config.NumberColumn(format="%.4f", help="The largest distance d of any pair"),
    "c′ = β R²": st.column_config.NumberColumn(
        format="%.3g", help="The constant of Theorem 4.1 that the β of this iteration amounts to"
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
    "of one class.\n\n"
    "**Not known.** The reach ρ_min is defined in (B.9), in an appendix that the paper's text "
    "does not contain, and c and c′ have no values. So the table shows where distances contract, "
    "but not whether a theorem guarantees it. ρ_min is neither computed nor approximated here."
)


def show_theorems(job: Job[Iteration], data: Data) -> None:
    """Show the panel of a finished run."""
    if not job.finished:
        return
    plan = job.history[0].plan
    with st.expander("Theorems 3.1 and 4.1: R, contraction and c′", icon=":material/function:"):
        found = {
            method: measure_quantities([one.shown[method] for one in job.history], plan.labels)
            for method in METHODS
            if method in job.history[0].shown
        }
        st.dataframe(
            tabulate_quantities(found),
            width="stretch",
            hide_index=True,
            column_config=COLUMNS,
            placeholder="–",
            key=f"theorems {job.id}",
        )
        st.caption(
            "All quantities are dimensionless. Ratios omit pairs closer than "
            f"{100 * NEAR:g} % of the first R, because their distance is mostly interpolation "
            "error. The ratio of **all pairs** is near 1 if classes stay apart; the ratio "
            "**within classes** shows how fast clusters form."
        )
        st.markdown(KNOWN.replace("ρ_min", r"$\rho_{\min}$"))
        first = next(iter(found.values()))[0]
        _show_scan(job, plan, data, first.constant)


@st.fragment
def _show_scan(job: Job[Iteration], plan: Plan, data: Data, constant: float | None) -> None:
    """Draw the button that starts the scan, and its result."""
    key, large = f"scan of {job.id}", "ia" in plan.configs and plan.size > SMALL
    st.button(
        "Scan c′",
        icon=":material/show_chart:",
        key=f"start {key}",
        on_click=set_value,
        args=(key, True),
        disabled=large or read_value(key, False),
        help="Computes the first iteration on these images for each c′ of the page Papers; "
        f"takes a few seconds, on sets of at most {SMALL} images",
    )
    if large:
        st.caption(f"The scan needs at most {SMALL} images; this run has {plan.size}.")
    elif read_value(key, False):
        with explaining(), st.spinner("Computing the first iteration for each c′ …"):
            trials = _scan(job.id, plan, data)
            show_plot(plot_scan(trials, constant), "scan", job.id)
            failing = [number(trial.constant) for trial in trials if trial.largest >= 1]
            st.caption(
                (f"A distance increases at c′ = {', '.join(failing)}. " if failing else
                 "All distances decrease at every c′ of the scan. ")
                + f"On **Papers**, all distances of the two experiments decrease up to c′ = "
                f"{number(CONSTANT)}."
            )  # fmt: skip


@st.cache_resource(max_entries=16, show_spinner=False)
def _scan(key: str, _plan: Plan, _data: Data) -> tuple[Trial, ...]:
    return tuple(scan_run(_plan, _data, GRID))
