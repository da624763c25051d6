"""Kernel attention and invariant attention on one data set, iteration by iteration."""

from functools import partial

import streamlit as st

from ia_engine.datasets.data import count
from ia_engine.runs.attend import plan
from ia_engine.runs.kinds.iterations import ITERATIONS
from pages._ui.formulas import show_symbols
from pages._ui.iterations.actions import adopt_settings, await_first, opened, pace, run, turn_knobs
from pages._ui.iterations.controls import ask
from pages._ui.iterations.next_run import await_means, take_place, tell_change
from pages._ui.iterations.presets import preset_pressed, show_presets
from pages._ui.iterations.view import show_before, show_data, show_run, warn_constant
from pages._ui.lessons.panel import lesson_begins
from pages._ui.page import enter
from pages._ui.runs.current import open_linked_run
from pages._ui.runs.watch import Status, watch
from pages._ui.state.dataset import chosen, pick
from pages._ui.state.selection import settle_selection

enter("Iterations")
st.markdown(
    "Every image becomes the mean of all that are like it: pixel by pixel (**kernel attention**), "
    "or up to rotation and translation (**invariant attention**)."
)
open_linked_run(ITERATIONS.id)
take_place()
turn_knobs()
data_column, presets_column, run_column = st.columns([6.2, 4.6, 1.3], vertical_alignment="bottom")
with data_column:
    pick()
with presets_column:
    show_presets()
data = chosen()
settle_selection(data.digest, count(data))
adopt_settings(data)
asked = ask(data)
warn_constant(data)
planned = plan(asked.configs, data, asked.images, asked.device)
run_column.button(
    "Run", icon=":material/play_arrow:", width="stretch", on_click=run, args=(planned, data)
)
if preset_pressed() or lesson_begins():
    run(planned, data)
job = opened(planned)
if job is None:
    show_before(planned, data)
else:
    await_first(job, planned)
    if job.history:
        show = partial(show_run, planned=planned, data=data)
        status = Status(changed=partial(tell_change, planned=planned))
        watch(job, show, status, pace(planned))
        await_means(job.id)
    else:  # the data, until there is more: then the page is drawn anew
        watch(job, lambda _: st.rerun(), every_s=pace(planned))
        show_data(planned, data)
show_symbols(
    *("W", "κ", "β", "d", "σ", "μ", "τ", "𝕋", "P", "R", "ARI", "block mass"),
    terms={"W": "W", "κ": "kappa", "β": "beta", "d": "d2", "μ": "mean"},
)
