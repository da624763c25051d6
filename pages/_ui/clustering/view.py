"""A run of clustering on the screen: the film, and below it one of several views."""

from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES, is_of
from ia_engine.files import find_shipped
from ia_engine.runs.catalogue import SIDE_BY_SIDE
from ia_engine.runs.clustering.result import Result, read_part
from ia_engine.runs.clustering.run import SEEN, ClusterPlan, Look
from ia_engine.runs.clustering.summary import Film, summarise, unpack_film
from ia_engine.runs.example import load_run
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from pages._ui.clustering.actions import show_change, status_of
from pages._ui.clustering.beside import show_beside
from pages._ui.clustering.exports import show_files
from pages._ui.clustering.prototype import show_confusion, show_prototype
from pages._ui.clustering.samples import show_outliers, show_samples
from pages._ui.components.prototype_film import show_film
from pages._ui.controls import choose_one
from pages._ui.panels import explaining, shown
from pages._ui.runs.current import shown_run
from pages._ui.runs.watch import watch
from pages._ui.state.clustering import Seen
from pages._ui.state.dataset import choose

NAME: Final = "runs/clustering-digits.safetensors"


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> Film:
    """The film in the assets."""
    return unpack_film(load_run(find_shipped(NAME))[1])


def show_run(job: Job[Look]) -> int:
    """The film as far as it has come; which prototype is chosen in it."""
    look = job.history[-1]
    film = summarise(job.history)
    return show_film(film, job.id, newest=look.newest.picture, running=not job.finished)


def read_run(job: Job[Look], data: ImageSet, chosen: int) -> Seen | None:
    """The run with its images, if they are those that are chosen."""
    look = job.history[-1]
    state = look.newest.state
    if state is None:
        return None
    if not is_of(data, look.plan.digest, look.plan.recipe):
        _other_data(look)
        return None
    result = look.newest.result
    if result is None:
        with st.spinner("Reading some images"):
            result = _read(f"{job.id} {state.iteration}", state, data)
    if len(result.rows) < look.plan.total:
        shown(len(result.rows), look.plan.total, "images")
    return Seen(job, data, state, result, chosen)


def _other_data(look: Look) -> None:
    st.info("This run used a different data set: its samples need its own images.")
    st.button("Choose the data of this run", on_click=choose, args=(look.plan.recipe,))


@st.cache_resource(max_entries=4, show_spinner=False)
def _read(key: str, _state: State, _data: ImageSet) -> Result:
    return read_part(_state, _data.images, _data.labels, SEEN)


VIEW: Final = "view"
VIEWS: Final[Mapping[str, Callable[[Seen], None]]] = {
    "Samples": show_samples,
    "Prototype": show_prototype,
    "Outliers": show_outliers,
    "Confusion": show_confusion,
    "Change": show_change,
    "Export": show_files,
}


def ask_view() -> str:
    """Which view is wanted."""
    return choose_one("View", list(VIEWS), next(iter(VIEWS)), key=VIEW, hidden=True)


EVERY_S: Final = 0.3
"""Seconds between two looks at a run: prototypes move at least twice a second."""


def show_page(planned: ClusterPlan | None, data: ImageSet, about: str) -> None:
    """The newest run, or the example; the comparison has runs of its own.

    Where the settings cannot be, nothing new is planned, and what there is stays.
    """
    ran, beside = shown_run(CLUSTERINGS.id), shown_run(SIDE_BY_SIDE.id)

    def show(run: Job[Look]) -> None:
        chosen = show_run(run)
        if run.finished:
            _views(run, data, chosen)

    if ran is None:
        other = "" if data.recipe == RECIPES["digits"] else ", not the data chosen above"
        st.caption(
            f"Precomputed example: scikit-learn's handwritten digits{other}, one core for a "
            "minute. The controls above are for the next run."
        )
        with explaining():
            show_film(example(), "example", play=True)
    else:
        watch(ran, show, status_of(data, planned), EVERY_S)
    if planned is not None and (ran is None or ran.finished):
        with st.expander(
            "Side by side: K-means, GMM, TI, DTI",
            icon=":material/compare:",
            expanded=beside is not None,
        ):
            show_beside(planned, data, about, beside)


def _views(run: Job[Look], data: ImageSet, chosen: int) -> None:
    seen = read_run(run, data, chosen)
    if seen is not None:
        VIEWS[ask_view()](seen)
