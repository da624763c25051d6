"""Any methods on one data set at equal budgets, and where each of them fails."""

from typing import Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.runs.clustering.result import MAX_SIDE
from ia_engine.runs.comparison.config import TITLES, plan_comparison
from ia_engine.runs.kinds.comparisons import COMPARISONS
from pages._ui.compare.actions import start_comparison
from pages._ui.compare.controls import ask_settings
from pages._ui.compare.view import show_page
from pages._ui.page import enter
from pages._ui.panels import explain, show_symbols
from pages._ui.runs.current import open_linked_run
from pages._ui.state.dataset import (
    choose_first,
    load_data,
    select_data,
)

FIRST: Final = "experiment-1"

enter("Compare")
st.markdown(
    f"{len(TITLES)} ways to find **clusters**, groups of similar images, in the same data and for "
    "the same computing time: what each finds, what it costs, and where it fails."
)
open_linked_run(COMPARISONS.id)
choose_first(FIRST)
data_column, run_column = st.columns([8, 1], vertical_alignment="bottom")
with data_column:
    select_data()
data = load_data()
if isinstance(data, ImageSet):
    config = ask_settings(data)
    try:
        planned = plan_comparison(config, data) if config else None
    except EngineError as error:
        explain(error)
        planned = None
    run_column.button(
        "Run",
        icon=":material/play_arrow:",
        width="stretch",
        disabled=planned is None,
        on_click=start_comparison,
        args=(planned, data),
    )
    if planned is not None:
        if planned.reduced:
            st.caption(f"Reduced to at most {MAX_SIDE} px per side.")
        show_page(planned, data)
else:
    st.info("This page needs images. Choose an image set above.")
show_symbols("ARI", "NMI", "ACC", "K", "n", "P", "β", "σ", "θ", "SE(2)")
