"""A run of clustering on the screen: the film, and below it one of several views."""

from dataclasses import dataclass

import streamlit as st

from ia_engine.clustering.state import State
from ia_engine.datasets.imageset import ImageSet
from ia_engine.datasets.recipes import is_of
from ia_engine.runs.clustering.drive import SEEN
from ia_engine.runs.clustering.look import Look
from ia_engine.runs.clustering.result import Result, read_part
from ia_engine.runs.clustering.summary import summarise
from ia_engine.runs.job import Job
from pages._ui.chosen import choose
from pages._ui.clustering.film import show_film
from pages._ui.panels import shown


@dataclass(frozen=True, eq=False)
class Seen:
    """A run that stands still, and what can be read in it."""

    job: Job[Look]
    data: ImageSet
    state: State
    result: Result
    chosen: int
    """The prototype that is looked at."""

    @property
    def key(self) -> str:
        return f"{self.job.id} {self.state.iteration}"


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
