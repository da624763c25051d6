"""Algorithm 1 step by step: the invariant mean of images, compared with their plain average."""

from functools import partial
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.figures.mean import MeanFilm, MeanPlan, plan_mean
from ia_engine.runs.catalogue import OTHER_POSES
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.means import MEANS
from pages._ui.mean.controls import ask_config, name_run, offer_classes, pick_class
from pages._ui.mean.view import example, show_example, show_run, show_theorem
from pages._ui.page import enter
from pages._ui.panels import explain, explaining, show_symbols
from pages._ui.runs.current import current_run, open_linked_run, shown_run
from pages._ui.runs.start import start
from pages._ui.runs.watch import CHANGED, Status, show_methods, watch
from pages._ui.state.dataset import (
    choose_first,
    load_data,
    requested_recipe,
    select_data,
    short_title,
)
from pages._ui.state.mean import mean_state
from pages._ui.state.selection import read_selection, runs_state
from pages._ui.state.viewer import lessons_state

FIRST_DATA: Final = "experiment-2"


def show_mean(job: Job[Any] | None, planned: MeanPlan, data: ImageSet) -> None:
    """Show the newest mean, or the precomputed example."""
    mean = shown_run(MEANS.id)
    if mean is None:
        st.caption("Precomputed example with the settings of the paper's Experiment 2.")
        with explaining():
            show_example(example(), "example", data)
    elif mean is job:
        status = Status(changed=partial(describe_change, planned=planned))
        watch(mean, partial(show_run, data=data), status)
    elif mean.history:
        if mean.finished and (changed := describe_change(mean, planned)):
            st.markdown(changed)
        show_run(mean, data)
        show_methods(mean)


def describe_change(job: Job[MeanFilm], planned: MeanPlan) -> str:
    """Return a sentence if the settings differ from those of the run, or "" if not."""
    return CHANGED if job.history[0].plan != planned else ""


enter("Mean")
st.markdown(
    "The plain average of rotated and translated images is blurred. The **invariant mean** aligns "
    "every image with the mean, computes the mean again, and repeats these steps (Algorithm 1)."
)
open_linked_run(MEANS.id)
choose_first(FIRST_DATA)
data_column, class_column, run_column = st.columns([6, 2, 1], vertical_alignment="bottom")
with data_column:
    select_data()
data = load_data()
if isinstance(data, ImageSet):
    read_selection(data.digest, len(data.names))
    rows = mean_state.read_rows(requested_recipe(), len(data.names))
    with class_column:
        if rows:
            offer_classes(rows)
        class_name = "" if rows else pick_class(data)
    config = ask_config()
    try:
        planned, sample = plan_mean(config, data, class_name, rows)
    except EngineError as error:
        explain(error)
    else:
        part = f"cluster of {len(rows)}" if rows else class_name
        about = short_title(data) + (f", {part}" if part else "")
        work = (MEANS, f"{name_run(config)}: {about}", planned, data)
        run_column.button(
            "Run", icon=":material/play_arrow:", width="stretch", on_click=start, args=work
        )
        linked = runs_state.take_start()
        if mean_state.take_preset_press() or lessons_state.take_pending_run() or linked:
            start(*work)
        job, other = current_run(MEANS.id), shown_run(OTHER_POSES.id)
        show_mean(job, planned, data)
        show_theorem(sample, about, other, live=other is job)
else:
    st.info("This page needs images. Choose an image set above.")
show_symbols(
    *("μ", "f", "τ", "U", "θ", "b", "σ", "W", "N", "t", "R"),
    terms={"μ": "mu", "f": "f", "τ": "tau", "U": "laid"},
)
