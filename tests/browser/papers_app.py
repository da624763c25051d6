"""An app that shows the figures of all entries of the Papers page, as the page draws them."""

import streamlit as st

from ia_engine.runs.papers import ENTRIES
from pages._ui.page import show_bar
from pages._ui.papers import view
from pages._ui.papers.results import results_of

st.set_page_config(layout="wide")
show_bar("Papers")  # adds the files of plots
for entry in ENTRIES.values():
    view._show_seeds(entry)
    if results := results_of(entry):
        view._show_outcomes(entry, results)
view._show_branch()
