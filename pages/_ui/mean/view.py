"""A run of Algorithm 1 on the screen, and an experiment on Theorem 3.1."""

from typing import Final

import streamlit as st

from ia_engine.attention.manifolds.sample import MAX_SIDE, ImageSample
from ia_engine.datasets.data import ImageSet
from ia_engine.figures.mean import MeanFilm, MeanPlan, list_rows, unpack_film
from ia_engine.figures.mean_figures import STARTS, OtherStarts, draw_noise
from ia_engine.files import find_shipped
from ia_engine.runs.catalogue import OTHER_POSES
from ia_engine.runs.example import load_run
from ia_engine.runs.job import Job
from pages._ui.components.drawing import show_drawing
from pages._ui.components.mean_film import show_film
from pages._ui.mean.controls import name_run
from pages._ui.mean.exports import show_files
from pages._ui.panels import escape, show_count, show_misleading
from pages._ui.runs.start import start
from pages._ui.runs.watch import watch
from pages._ui.state.dataset import title
from pages._ui.wording import number, word_of

EXAMPLE: Final = "runs/experiment-2-mean.safetensors"
LOCAL_MINIMUM: Final = 1.02
"""Objectives that differ by more than this factor belong to different minima."""


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> MeanFilm:
    """Return the precomputed animation."""
    return unpack_film(load_run(find_shipped(EXAMPLE))[1])


def show_run(job: Job[MeanFilm], data: ImageSet) -> None:
    """Show the iterations so far, and explanations and files when the run has finished."""
    film = job.history[-1]
    st.caption(_describe_film(film.plan))
    show_film(film, job.id, list_rows(film.plan, data), running=not job.finished)
    if job.finished:
        show_files(film, job.title)
        _explain_film(film)


@st.fragment
def show_example(film: MeanFilm, run: str, data: ImageSet) -> None:
    """Show a precomputed run."""
    st.caption(_describe_film(film.plan))
    show_film(film, run, list_rows(film.plan, data))
    _explain_film(film)


def show_theorem(
    sample: ImageSample, about: str, job: Job[OtherStarts] | None, *, live: bool
) -> None:
    """Draw the button that restarts from different poses, and its result."""
    st.subheader("Restart from different poses")
    st.markdown(
        "Does a different start lead to a different mean? According to Theorem 3.1, two means "
        "differ by at most **one** rotation and translation if the images are similar enough. To "
        "test it, every image is rotated and translated again, the search starts on a different "
        "image, and one pose aligns the new mean with the first. The similarity that is needed, "
        r"$\rho_{\min}$, is defined in an appendix that the paper's text does not contain."
    )
    st.button(
        "Restart from different poses",
        icon=":material/replay:",
        on_click=start,
        args=(OTHER_POSES, f"Different poses: {about}", sample),
        help="Always uses rotations and translations; takes about half a minute",
    )
    if job is None:
        return
    if live:
        watch(job, _show_starts)
    elif job.history:
        _show_starts(job)


def _describe_film(plan: MeanPlan) -> str:
    """Return the data and settings of an animation, which may differ from the controls above it."""
    config = plan.config
    words = [title(plan.recipe), f"class {plan.of}" if plan.of else ""]
    words += ["a cluster found on Iterations"] if plan.rows else []
    words += [f"{len(plan.names):,} of {plan.total:,} images", name_run(config).lower()]
    words += [f"group {word_of(config.group)}", f"σ = {number(config.sigma)} px"]
    described = escape("; ".join(filter(None, words)))
    return f"**This animation:** {described}. The controls above apply to the next run."


def _explain_film(film: MeanFilm) -> None:
    """Explain the animation: its images and iterations, and how its values can mislead."""
    plan = film.plan
    show_count(len(plan.names), plan.total, "images")
    if plan.reduced:
        st.caption(
            f"Reduced to at most {MAX_SIDE} px per side; px are pixels of the reduced images."
        )
    if len(plan.kept) <= plan.config.steps:
        show_count(len(film.steps), plan.config.steps + 1, "iterations")
    if plan.config.start == "pairwise":
        st.caption(
            "With a warm start, the poses of all pairs are searched before iteration 0, so the "
            "mean is sharp from the beginning. The preset **As in the paper** shows how a blur "
            "becomes sharp."
        )
    st.caption(
        "Objective f: distance of the aligned images from their mean without smoothing, (2.3). It "
        "is dimensionless, because every image has norm 1. Sharpness: ‖∇μ‖² relative to that of "
        "the images; 1 if all images are identical and aligned. σ: the smoothing of that "
        "iteration, the best of several values. Paths: rotation θ (positive anticlockwise) and "
        "translation b = (down, right) of image 1, 2, … Drag along the curves to move through the "
        "iterations."
    )
    show_misleading(
        "A path shows a pose, but not whether it is right. A pose that all images share does not "
        "matter, so the paths of two runs with equal means may end far apart. f is lower for pale "
        "images, so compare it only between runs on the same images. A sharp mean can be wrong: "
        "images aligned by their strongest strokes have a sharp mean even if they have nothing "
        "else in common, and noise is sharp too.",
        key="misleads sharpness",
        draw=lambda: show_drawing(draw_noise(film), "misleading sharpness"),
    )


def _show_starts(job: Job[OtherStarts]) -> None:
    again = job.history[-1]
    st.caption(escape(job.title))
    n = len(again.solutions)
    st.image(again.png, width="stretch", alt=f"The first mean, and {n} others aligned with it")
    if not job.finished:
        st.caption(f"{n} of {STARTS} additional starts finished; the current state is shown.")
    first, *others = st.columns(STARTS + 1)
    first.metric("First: objective f", f"{again.objective:.4f}", help="(2.3), dimensionless")
    for at, (column, solution) in enumerate(zip(others, again.solutions, strict=False), start=1):
        column.metric(
            f"Start {at} differs by",
            f"{100 * solution.residual:.2f} %",
            help="‖μ∘ρ − μ₁‖ / R with the best pose ρ; R is the largest distance between two "
            "images",
        )
        column.caption(
            f"Floor {100 * solution.floor:.2f} %, f = {solution.objective:.4f}, first aligned with "
            f"image {solution.anchor + 1}"
        )
    objectives = [again.objective, *(solution.objective for solution in again.solutions)]
    if max(objectives) > LOCAL_MINIMUM * min(objectives):
        st.warning(
            "One start ended in a local minimum with a larger objective. It is not a solution of "
            "(3.3), so the theorem does not apply to its mean.",
            icon=":material/call_split:",
        )
    st.caption(
        f"R = {number(round(again.radius, 4))}. The floor is the residual with the true poses, "
        "which is the loss from interpolating twice."
    )
    show_count(again.shown, again.total, "images")
    show_misleading(
        "Equal means from a few starts prove nothing, because a different start may end elsewhere. "
        "A residual below the floor only means that the search compensated for the interpolation.",
        key="misleads starts",
        draw=lambda: _draw_shares(again),
    )


def _draw_shares(again: OtherStarts) -> None:
    """Draw the same residuals relative to the floor instead of R, which makes them look large."""
    for at, (column, solution) in enumerate(
        zip(st.columns(STARTS), again.solutions, strict=False), start=1
    ):
        share = solution.residual / max(solution.floor, 1e-12)
        column.metric(f"Start {at}: residual / floor", f"{100 * share:.0f} %")
    st.caption(
        "The same residuals in a different unit: they are small relative to R, but large relative "
        "to the floor."
    )
