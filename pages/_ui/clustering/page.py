"""The run or the example, and what is shown below it."""

from typing import Final

import streamlit as st

from ia_engine.datasets.imageset import ImageSet
from ia_engine.datasets.recipes import RECIPES
from ia_engine.runs.clustering.look import Look
from ia_engine.runs.clustering.plan import ClusterPlan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from ia_engine.runs.kinds.unsaved import SIDE_BY_SIDE
from pages._ui.clustering.beside import show_beside
from pages._ui.clustering.example import example
from pages._ui.clustering.film import show_film
from pages._ui.clustering.run import read_run, show_run
from pages._ui.clustering.status import status_of
from pages._ui.clustering.views import VIEWS, ask_view
from pages._ui.panels import explaining
from pages._ui.runs.current import shown_run
from pages._ui.runs.watch import watch

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
