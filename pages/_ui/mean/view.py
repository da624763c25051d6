"""A run of Algorithm 1 on the screen, and Theorem 3.1 by hand."""

from typing import Final

import streamlit as st

from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.datasets.data import ImageSet
from ia_engine.figures.mean import MeanFilm, MeanPlan, list_rows, unpack_film
from ia_engine.figures.mean_figures import STARTS, Again, draw_noise
from ia_engine.files import find_shipped
from ia_engine.runs.catalogue import OTHER_POSES
from ia_engine.runs.example import load_run
from ia_engine.runs.job import Job
from pages._ui.components.drawing import show_drawing
from pages._ui.components.mean_film import show_film
from pages._ui.mean.controls import name_run
from pages._ui.mean.exports import show_files
from pages._ui.panels import misleads, plain, shown
from pages._ui.runs.start import start
from pages._ui.runs.watch import watch
from pages._ui.state.dataset import title
from pages._ui.wording import number, word_of

NAME: Final = "runs/experiment-2-mean.safetensors"


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> MeanFilm:
    """The film in the assets."""
    return unpack_film(load_run(find_shipped(NAME))[1])


def show_run(job: Job[MeanFilm], data: ImageSet) -> None:
    """As far as it has come; the words when it is over, since nothing of them moves."""
    film = job.history[-1]
    st.caption(describe_film(film.plan))
    show_film(film, job.id, list_rows(film.plan, data), running=not job.finished)
    if job.finished:
        show_files(film, job.title)
        explain_film(film)


@st.fragment
def show_example(film: MeanFilm, run: str, data: ImageSet) -> None:
    """A precomputed run."""
    st.caption(describe_film(film.plan))
    show_film(film, run, list_rows(film.plan, data))
    explain_film(film)


def describe_film(plan: MeanPlan) -> str:
    """What the film was computed from, whatever the controls above it say."""
    config = plan.config
    words = [title(plan.recipe), f"class {plan.of}" if plan.of else ""]
    words += [f"{len(plan.names):,} of {plan.total:,} images", name_run(config).lower()]
    words += [f"group {word_of(config.group)}", f"σ = {number(config.sigma)} px"]
    told = plain("; ".join(filter(None, words)))
    return f"**This film:** {told}. The controls above are for the next run."


def explain_film(film: MeanFilm) -> None:
    """How many images and iterations are shown, how the numbers are computed, how they mislead."""
    plan = film.plan
    shown(len(plan.names), plan.total, "images")
    if plan.reduced:
        st.caption("Reduced to at most 64 px a side: px means these pixels.")
    if len(plan.kept) <= plan.config.steps:
        shown(len(film.steps), plan.config.steps + 1, "iterations")
    if plan.config.start == "pairwise":
        st.caption(
            "Warm start: the poses of all pairs are searched before iteration 0, so the mean is "
            "sharp from the beginning. **As in the paper** shows a blur become sharp."
        )
    st.caption(
        "Objective f: how far the aligned images are from their mean, (2.3), not blurred; no unit, "
        "since every image has norm 1. Sharpness: ‖∇μ‖² relative to that of the images; 1 if all "
        "are identical and aligned. σ: the blur with which that iteration was found, "
        "of a few the one that helped most. Paths: turn θ, positive anticlockwise, and shift "
        "b = (down, right) of image 1, 2, …; drag along the curves to move through the iterations."
    )
    misleads(
        "A path shows a pose, not whether it is right: poses that all images share do not matter, "
        "so two runs with equal means may end far apart here. A lower f can come from images that "
        "are pale: f is compared only between runs on the same images. And sharp is not faithful: "
        "images laid on their strongest strokes have a sharp mean even where they have nothing "
        "else in common, and noise is sharp as well.",
        key="misleads sharpness",
        draw=lambda: show_drawing(draw_noise(film), "misleading sharpness"),
    )


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
