"""Every figure and table of the three papers, with the result computed here."""

import streamlit as st

from ia_engine.runs.job import use_one_core
from ia_engine.runs.papers.report import list_verdicts
from pages._ui.page import enter
from pages._ui.panels import show_misleading
from pages._ui.papers.controls import pick_entry
from pages._ui.papers.results import explain_shipped
from pages._ui.papers.view import show_entry

enter("Papers")
use_one_core()
st.markdown(
    "Every figure and table of the three papers: the paper's result, the result computed **here**, "
    "and the difference. Choose one and compute it again."
)
explain_shipped()
left, right = st.columns([2, 5], gap="medium")
with left:
    entry = pick_entry()
with right:
    show_entry(entry)
show_misleading(
    "The verdicts, strongest first. An entry gets the weakest verdict among its claims. "
    "Entries of paper 1 report seeds that were not used to choose their settings, except the words "
    "*most seeds* in Figures 4 and 5, which were chosen after the reported seeds had been seen.\n\n"
    f"{list_verdicts()}\n\n"
    "A verdict does not mean identical pictures. Many pictures have their own scale, which is "
    "stated below them."
)
