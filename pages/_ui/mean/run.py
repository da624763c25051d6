"""A run of Algorithm 1 on the screen: the film, and what its numbers mean."""

import streamlit as st

from ia_engine.datasets.imageset import ImageSet
from ia_engine.figures.mean import MeanFilm, MeanPlan, list_rows
from ia_engine.figures.mean_figures import draw_noise
from ia_engine.runs.job import Job
from pages._ui.chosen import title
from pages._ui.drawing import show_drawing
from pages._ui.mean.files import show_files
from pages._ui.mean.film import show_film
from pages._ui.mean.knobs import name_run
from pages._ui.numbers import number
from pages._ui.panels import misleads, plain, shown
from pages._ui.words import word_of


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
