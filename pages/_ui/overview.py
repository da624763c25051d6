"""The Overview: the playing example, the lessons and the papers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.data import Data
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.errors import EngineError
from ia_engine.figures.papers.drawing import draw_pictures
from ia_engine.runs.attend import Iteration, attend, plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import begin
from pages._ui.components.drawing import show_drawing, theme_colour_map
from pages._ui.components.player import PlayedRun, describe_run, read
from pages._ui.examples import example, header_of, play_example, runs_of
from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.lesson import Place
from pages._ui.lessons.panel import link_back, link_to
from pages._ui.panels import explain, plain
from pages._ui.papers.results import explain_shipped, shipped
from pages._ui.runs.current import jobs
from pages._ui.state.dataset import viewer

SHOWN: Final = "means of the Overview that are shown"
COMING: Final = "means of the Overview that are computed"
REPLACED: Final = "run of the Overview that was replaced last"
POLL_S: Final = 0.1

Betas = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Live:
    """The example with other values of β."""

    job: Job[Iteration]
    betas: Betas


def play_live(name: str, key: str) -> None:
    """The player with the example; after β was turned, with new means as soon as they are there."""
    _show_finished(name)
    shown: Live | None = st.session_state.get(SHOWN)
    asked = _read_betas(name, key, shown)
    if shown is not None and asked == example(name).betas:
        _replace(name, None)
        shown = None
    _compute(name, asked, shown)
    replaced = st.session_state.get(REPLACED, "")
    header = replace(
        header_of(name),
        means_pending=COMING in st.session_state,
        replaces=replaced,
        autoplay=not replaced,
    )
    play_example(name, key, _played_runs(name, shown), header)
    if COMING in st.session_state:
        st.fragment(_look, run_every=POLL_S)(st.session_state[COMING].job)


def _show_finished(name: str) -> None:
    coming: Live | None = st.session_state.get(COMING)
    if coming is None or not coming.job.finished:
        return
    del st.session_state[COMING]
    if coming.job.state == "done":
        _replace(name, coming)
    elif coming.job.state == "failed":
        st.error(f"The means could not be computed with this β: {plain(coming.job.error)}")


def _replace(name: str, live: Live | None) -> None:
    """Show this instead of what is shown; None shows the example."""
    before: Live | None = st.session_state.get(SHOWN)
    st.session_state[REPLACED] = before.job.id if before else name
    st.session_state[SHOWN] = live


def _read_betas(name: str, key: str, shown: Live | None) -> Betas:
    state = read(_played_runs(name, shown), header_of(name), key)
    return dict(zip(example(name).frames, state.betas, strict=True))


def _compute(name: str, asked: Betas, shown: Live | None) -> None:
    """Begin to compute what is asked, unless it is there or under way."""
    coming: Live | None = st.session_state.get(COMING)
    there = shown.betas if shown else example(name).betas
    if coming is not None and coming.betas != asked:
        coming.job.cancel()
        del st.session_state[COMING]
        coming = None
    if coming is not None or asked == there:
        return
    data, steps = _data(name), min(map(len, example(name).frames.values())) - 1
    configs = [AttentionConfig(method=m, beta=beta, steps=steps) for m, beta in asked.items()]
    planned = plan(configs, data, len(example(name).names))
    known = shown.job.history if shown else ()
    work = partial(attend, planned, data, partial(begin, planned, known))
    try:
        job = jobs().submit(viewer(), "Means on the Overview", work, planned.moments)
    except EngineError as error:
        explain(error)
    else:
        st.session_state[COMING] = Live(job, asked)


def _played_runs(name: str, shown: Live | None) -> list[PlayedRun]:
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


def _look(job: Job[Iteration]) -> None:
    if job.finished:
        st.rerun()


@st.cache_resource(max_entries=1, show_spinner=False)
def _data(name: str) -> Data:
    return make(load_recipe(example(name).record.recipe))


COLUMNS = 4


def show_lessons() -> None:
    """In rows, in their order."""
    st.subheader("Eight lessons", anchor=False)
    st.markdown("A few sentences each beside the live page, and one thing to try.")
    link_back()
    for start in range(0, len(LESSONS), COLUMNS):
        for column, at in zip(st.columns(COLUMNS), range(start, start + COLUMNS), strict=True):
            lesson = LESSONS[at]
            with column.container(border=True, height="stretch", gap="xsmall"):
                link_to(Place(lesson, 0), f"{at + 1}. {lesson.title}", ":material/school:")
                st.caption(lesson.about)


@dataclass(frozen=True)
class Shown:
    """A picture of the page Papers, and what the paper says in a line."""

    entry: str
    panel: int
    name: str
    line: str


PICTURES: Final = (
    Shown(
        "ia-figure-4",
        0,
        "Invariant Attention",
        "Compare images after turning and shifting them, and their averages stay sharp.",
    ),
    Shown(
        "dti-figure-1b",
        0,
        "Deep Transformation-Invariant Clustering",
        "Let every prototype learn how to be moved and bent onto an image; the best fit wins.",
    ),
    Shown(
        "gcnn-figure-1",
        2,
        "Attentive Group Convolutions",
        "Let attention rotate with the picture: what it looks at does not depend on orientation.",
    ),
)


def show_papers() -> None:
    """Side by side."""
    st.subheader("Three papers", anchor=False)
    explain_shipped()
    for column, shown in zip(st.columns(len(PICTURES), gap="medium"), PICTURES, strict=True):
        with column:
            kept = shipped().get(shown.entry)
            panels = kept.outcome.panels if kept else ()
            if shown.panel < len(panels):
                drawn = draw_pictures(panels[shown.panel], theme_colour_map())
                show_drawing(drawn, f"paper {shown.entry}")
            st.page_link(
                "pages/papers.py", label=f"**{shown.name}**", query_params={"entry": shown.entry}
            )
            st.caption(shown.line)
