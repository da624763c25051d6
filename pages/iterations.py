"""Kernel attention and invariant attention on one data set, iteration by iteration."""

from functools import partial

import streamlit as st

from ia_engine.datasets.data import count
from ia_engine.runs.attend import plan
from ia_engine.runs.kinds.iterations import ITERATIONS
from pages._ui.iterations.actions import (
    adopt_settings,
    find_run,
    poll_interval,
    run,
    wait_for_first,
)
from pages._ui.iterations.advice import show_advice
from pages._ui.iterations.controls import ask, place_betas, show_presets
from pages._ui.iterations.follow import (
    describe_change,
    describe_following,
    show_ready_pending,
    watch_pending,
)
from pages._ui.iterations.theorems import TITLE, show_example_theorems, show_theorems
from pages._ui.iterations.view import (
    find_sliders,
    show_before,
    show_data,
    show_run,
    warn_constant,
)
from pages._ui.page import enter
from pages._ui.panels import section, show_symbols
from pages._ui.runs.current import open_linked_run
from pages._ui.runs.watch import Status, watch
from pages._ui.state.dataset import load_data, select_data
from pages._ui.state.fields import keep_controls
from pages._ui.state.iterations import iterations_state
from pages._ui.state.selection import read_selection, runs_state
from pages._ui.state.viewer import lessons_state

enter("Iterations")
st.markdown(
    "Each image becomes the mean of similar images, pixel by pixel (**kernel attention**) or up to "
    "rotation and translation (**invariant attention**)."
)
open_linked_run(ITERATIONS.id)
show_ready_pending()
keep_controls()
data_column, presets_column, run_column = st.columns([6.2, 4.6, 1.3], vertical_alignment="bottom")
with data_column:
    select_data()
with presets_column:
    show_presets()
data = load_data()
read_selection(data.digest, count(data))
adopt_settings(data)
asked = ask(data)
warn_constant(data)
planned = plan(asked.configs, data, asked.images, asked.device)
run_column.button(
    "Run", icon=":material/play_arrow:", width="stretch", on_click=run, args=(planned, data)
)
linked = runs_state.take_start()
if iterations_state.take_preset_press() or lessons_state.take_pending_run() or linked:
    run(planned, data)
job = find_run(planned)
if job is not None:
    wait_for_first(job, planned)
sliders = find_sliders(job, planned)
place_betas(asked, planned, sliders.runs)
if job is None:
    show_before(planned, data, sliders)
    show_advice(asked, planned, data, job, sliders)
    show_example_theorems(planned, data)
elif job.history:
    show = partial(show_run, planned=planned, data=data, sliders=sliders)
    changed = partial(describe_change, planned=planned)
    status = Status(changed=changed, following=describe_following)
    watch(job, show, status, poll_interval(planned))
    watch_pending(job.id)
    show_advice(asked, planned, data, job, sliders)
    if job.finished:
        with section(TITLE, ":material/function:", "theorems") as is_open:
            if is_open:
                show_theorems(job, data)
else:  # show the data; the page is drawn again after the first iteration
    watch(job, lambda _: st.rerun(), every_s=poll_interval(planned))
    show_data(planned, data)
    show_advice(asked, planned, data, job, sliders)
show_symbols(
    *("W", "κ", "β", "d", "σ", "μ", "τ", "θ", "b", "𝕋", "P", "R", "ARI", "block mass"),
    terms={"W": "W", "κ": "kappa", "β": "beta", "d": "d2", "μ": "mean"},
)
