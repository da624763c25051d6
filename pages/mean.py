"""Algorithm 1 step by step: the invariant mean of images, and what the plain average loses."""

from functools import partial
from typing import Any, Final

import streamlit as st

from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.figures.mean import MeanFilm, MeanPlan, plan_mean
from ia_engine.runs.catalogue import OTHER_POSES
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.means import MEANS
from pages._ui.formulas import show_symbols
from pages._ui.lessons.panel import lesson_begins
from pages._ui.mean.controls import ask_config, name_run, pick_class, preset_pressed
from pages._ui.mean.view import example, show_example, show_run, show_theorem
from pages._ui.page import enter
from pages._ui.panels import explain, explaining
from pages._ui.runs.current import current_run, open_linked_run, shown_run
from pages._ui.runs.start import start
from pages._ui.runs.watch import CHANGED, Status, watch
from pages._ui.state.dataset import ADDRESS, CHOSEN, brief, choose, chosen, pick
from pages._ui.state.selection import settle_selection

FIRST: Final = "experiment-2"


def show_mean(job: Job[Any] | None, planned: MeanPlan, data: ImageSet) -> None:
    """The newest mean, or the example."""
    ran = shown_run(MEANS.id)
    if ran is None:
        st.caption("Precomputed example: the settings of the paper's Experiment 2.")
        with explaining():
            show_example(example(), "example", data)
    elif ran is job:
        status = Status(changed=partial(tell_change, planned=planned))
        watch(ran, partial(show_run, data=data), status)
    elif ran.history:
        if ran.finished and (changed := tell_change(ran, planned)):
            st.markdown(changed)
        show_run(ran, data)


def tell_change(job: Job[MeanFilm], planned: MeanPlan) -> str:
    """That the settings are not those of the run."""
    return CHANGED if job.history[0].plan != planned else ""


def show_page(planned: MeanPlan, few: ImageSample, about: str, data: ImageSet) -> None:
    """The film, and the theorem."""
    job = current_run(MEANS.id)
    show_mean(job, planned, data)
    other = shown_run(OTHER_POSES.id)
    show_theorem(few, about, other, live=other is job)


enter("Mean")
st.markdown(
    "The plain average of turned and shifted images is a blur. The **invariant mean** turns and "
    "shifts every image onto the mean, takes the mean anew, and goes on: Algorithm 1."
)
open_linked_run(MEANS.id)
if ADDRESS not in st.query_params and CHOSEN not in st.session_state:
    choose(FIRST)
data_column, class_column, run_column = st.columns([6, 2, 1], vertical_alignment="bottom")
with data_column:
    pick()
data = chosen()
if hasattr(data, "images"):
    settle_selection(data.digest, len(data.names))
    with class_column:
        of = pick_class(data)
    config = ask_config()
    try:
        planned, few = plan_mean(config, data, of)
    except EngineError as error:
        explain(error)
    else:
        about = brief(data) + (f", {of}" if of else "")
        work = (MEANS, f"{name_run(config)}: {about}", planned, data)
        run_column.button(
            "Run", icon=":material/play_arrow:", width="stretch", on_click=start, args=work
        )
        if preset_pressed() or lesson_begins():
            start(*work)
        show_page(planned, few, about, data)
else:
    st.info("This page needs images. Choose an image set above.")
show_symbols(
    *("μ", "f", "τ", "U", "θ", "b", "σ", "W", "N", "t", "R"),
    terms={"μ": "mu", "f": "f", "τ": "tau", "U": "laid"},
)
