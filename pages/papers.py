"""Every figure and every table of the three papers: what it says, and what is found here."""

import streamlit as st

from ia_engine.runs.job import compute_alone
from pages._ui.page import enter
from pages._ui.panels import misleads
from pages._ui.papers.controls import pick_entry
from pages._ui.papers.results import explain_shipped
from pages._ui.papers.view import show_entry

enter("Papers")
compute_alone()
st.markdown(
    "Every figure and table of the three papers: what it says, what comes out **here**, and the "
    "difference. Choose one, and compute it again."
)
explain_shipped()
left, right = st.columns([2, 5], gap="medium")
with left:
    entry = pick_entry()
with right:
    show_entry(entry)
misleads(
    "**Reproduced** means that every claim listed holds on data like the paper's; it does not mean "
    "equal pictures. One seed and CPU seconds stand against ten runs of GPU hours: figures of "
    "tables say which way it goes, and may swap places under another seed. Many pictures have a "
    "scale of their own, which is given below them."
)
