"""The parts of the Overview: the player with the example, the lessons and the papers."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.errors import EngineError
from ia_engine.figures.papers.drawing import draw_pictures
from ia_engine.figures.papers.panels import Pictures
from ia_engine.figures.player import PlayedRun, describe_run
from ia_engine.runs.attend import attend, plan
from ia_engine.runs.kinds.iterations import begin
from pages._ui.components.drawing import show_drawing, theme_colour_map
from pages._ui.components.player import read
from pages._ui.examples import example, header_of, make_data, play_example, runs_of
from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.lesson import Place
from pages._ui.lessons.panel import link_back, link_to, offer_handout
from pages._ui.panels import escape, explain
from pages._ui.papers.results import explain_shipped, shipped
from pages._ui.runs.current import jobs
from pages._ui.state.overview import Betas, Means, overview_state
from pages._ui.state.papers import ENTRY
from pages._ui.state.viewer import viewer

POLL_S: Final = 0.1
COLUMNS: Final = 4


@dataclass(frozen=True)
class PaperPicture:
    """A picture from the Papers page, with the name of the paper and its idea in one sentence."""

    entry: str
    panel: int
    name: str
    idea: str


PICTURES: Final = (
    PaperPicture(
        "ia-figure-4",
        0,
        "Invariant Attention",
        "Comparing images up to rotation and translation keeps their averages sharp.",
    ),
    PaperPicture(
        "dti-figure-1b",
        0,
        "Deep Transformation-Invariant Clustering",
        "Every prototype learns to transform itself to fit an image, and the best fit wins.",
    ),
    PaperPicture(
        "gcnn-figure-1",
        2,
        "Attentive Group Convolutions",
        "Attention rotates with the image, so the result does not depend on its orientation.",
    ),
)


def play_live(name: str, key: str) -> None:
    """Show the player with an example. When β is changed there, new means replace the old means."""
    _show_pending(name)
    betas = _read_betas(name, key)
    if overview_state.shown is not None and betas == example(name).betas:
        overview_state.show(None, name)
    _compute(name, betas)
    pending, replaced = overview_state.pending, overview_state.replaced
    header = replace(
        header_of(name),
        means_pending=pending is not None,
        replaces=replaced,
        autoplay=not replaced,
    )
    play_example(name, key, _played_runs(name), header)
    if pending is not None:
        st.fragment(_await, run_every=POLL_S)(pending)


def _show_pending(name: str) -> None:
    """Put the pending means into the player once they are computed."""
    pending = overview_state.pending
    if pending is None or not pending.job.finished:
        return
    overview_state.pending = None
    if pending.job.state == "done":
        overview_state.show(pending, name)
    elif pending.job.state == "failed":
        st.error(f"The means could not be computed with this β: {escape(pending.job.error)}")


def _read_betas(name: str, key: str) -> Betas:
    state = read(_played_runs(name), header_of(name), key)
    return dict(zip(example(name).frames, state.betas, strict=True))


def _compute(name: str, betas: Betas) -> None:
    """Start computing the means for these values of β, unless they are shown or being computed."""
    shown, pending = overview_state.shown, overview_state.pending
    if pending is not None and pending.betas != betas:
        pending.job.cancel()
        pending = overview_state.pending = None
    if pending is not None or betas == (shown.betas if shown else example(name).betas):
        return
    data, steps = make_data(name), min(map(len, example(name).frames.values())) - 1
    configs = [AttentionConfig(method=m, beta=beta, steps=steps) for m, beta in betas.items()]
    planned = plan(configs, data, len(example(name).names))
    known = shown.job.history if shown else ()
    work = partial(attend, planned, data, partial(begin, planned, known))
    try:
        job = jobs().submit(viewer(), "Means on the Overview", work, planned.moments)
    except EngineError as error:
        explain(error)
    else:
        overview_state.pending = Means(job, betas)


def _played_runs(name: str) -> list[PlayedRun]:
    shown = overview_state.shown
    if shown is None:
        return runs_of(name)
    history = shown.job.history
    return [
        describe_run(
            shown.job.id,
            history[0].plan.configs[method],
            [moment.shown[method].frame for moment in history],
            len(history),
            beta=beta,
        )
        for method, beta in shown.betas.items()
    ]


def _await(pending: Means) -> None:
    if pending.job.finished:
        st.rerun()


def show_lessons() -> None:
    """Show the list of lessons, in rows."""
    st.subheader("Twelve lessons", anchor=False)
    st.markdown("Each lesson has short captions beside the live page, and one exercise.")
    link_back()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "pages/quiz.py",
            label="Closing quiz: ten questions with new pictures",
            icon=":material/quiz:",
        )
        offer_handout()
    for start in range(0, len(LESSONS), COLUMNS):
        for column, at in zip(st.columns(COLUMNS), range(start, start + COLUMNS), strict=True):
            lesson = LESSONS[at]
            with column.container(border=True, height="stretch", gap="xsmall"):
                link_to(Place(lesson, 0), f"{at + 1}. {lesson.title}", ":material/school:")
                st.caption(lesson.about)


def show_papers() -> None:
    """Show a picture of each paper, side by side."""
    st.subheader("Three papers", anchor=False)
    explain_shipped()
    for column, picture in zip(st.columns(len(PICTURES), gap="medium"), PICTURES, strict=True):
        with column:
            kept = shipped().get(picture.entry)
            panels = kept.outcome.panels if kept else ()
            panel = panels[picture.panel] if picture.panel < len(panels) else None
            if isinstance(panel, Pictures):
                drawn = draw_pictures(panel, theme_colour_map())
                show_drawing(drawn, f"paper {picture.entry}")
            link = {ENTRY: picture.entry}
            st.page_link("pages/papers.py", label=f"**{picture.name}**", query_params=link)
            st.caption(picture.idea)
