"""Theorem 3.1 by hand: solve again from other poses, and lay the means side by side."""

from typing import Final

import streamlit as st

from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.figures.mean_figures import STARTS, Again
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.unsaved import OTHER_POSES
from pages._ui.numbers import number
from pages._ui.panels import misleads, plain, shown
from pages._ui.runs.start import start
from pages._ui.runs.watch import watch

HIGHER: Final = 1.02
"""An objective that is larger by this factor belongs to another minimum."""


def show_theorem(few: ImageSample, about: str, job: Job[Again] | None, live: bool) -> None:
    """The button and its result."""
    st.subheader("Start again from other poses")
    st.markdown(
        "Does another start lead to another mean? Theorem 3.1: not beyond **one** turn and shift, "
        "where the images are alike enough. So every image is turned and shifted anew, the search "
        "begins on another image, and one pose lays the mean it finds on the first. How alike is "
        r"enough, $\rho_{\min}$, is defined in an appendix that the paper's text does not contain."
    )
    st.button(
        "Start again from other poses",
        icon=":material/replay:",
        on_click=start,
        args=(OTHER_POSES, f"Other poses: {about}", few),
        help="All turns and shifts, whatever the group above; takes half a minute or so",
    )
    if job is None:
        return
    if live:
        watch(job, _show)
    elif job.history:
        _show(job)


def _show(job: Job[Again]) -> None:
    again = job.history[-1]
    st.caption(plain(job.title))
    n = len(again.solutions)
    st.image(again.png, width="stretch", alt=f"The first mean, and {n} others laid on it")
    if not job.finished:
        st.caption(
            f"{n} of {STARTS} other starts solved; the first is shown as far as it has come."
        )
    first, *others = st.columns(STARTS + 1)
    first.metric("First: objective f", f"{again.objective:.4f}", help="(2.3), no unit")
    for at, (column, solution) in enumerate(zip(others, again.solutions, strict=False), start=1):
        column.metric(
            f"Start {at} differs by",
            f"{100 * solution.residual:.2f} %",
            help="‖μ∘ρ − μ₁‖ / R with the best pose ρ; R is the largest distance of two images",
        )
        column.caption(
            f"Floor {100 * solution.floor:.2f} %, f = {solution.objective:.4f}, first laid on "
            f"image {solution.anchor + 1}"
        )
    heights = _heights(again)
    if max(heights) > HIGHER * min(heights):
        st.warning(
            "One start ended higher than another: in a local minimum, which is no solution of "
            "(3.3), so the theorem says nothing about its mean.",
            icon=":material/call_split:",
        )
    st.caption(
        f"R = {number(round(again.radius, 4))}. The floor is the residual with the true poses: "
        "what reading between pixels twice loses."
    )
    shown(again.shown, again.total, "images")
    misleads(
        "Equal means from a few starts are no proof: a start that nobody tried may end elsewhere. "
        "And a residual below the floor only says that the search made up for the reading.",
        key="misleads starts",
        draw=lambda: _draw_shares(again),
    )


def _draw_shares(again: Again) -> None:
    """The same residuals as shares of the floor instead of R: now they look large, or better."""
    for at, (column, solution) in enumerate(
        zip(st.columns(STARTS), again.solutions, strict=False), start=1
    ):
        share = solution.residual / max(solution.floor, 1e-12)
        column.metric(f"Start {at}: residual / floor", f"{100 * share:.0f} %")
    st.caption("The same pictures, and another unit: what is small beside R is large beside this.")


def _heights(again: Again) -> list[float]:
    """The objectives of all solutions that are there."""
    return [again.objective, *(solution.objective for solution in again.solutions)]
