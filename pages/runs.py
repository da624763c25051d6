"""The saved runs: finding, opening, naming, comparing and deleting them."""

from typing import Final

import streamlit as st

from ia_engine.runs.library import SavedRun
from pages._ui.page import enter
from pages._ui.panels import show_count
from pages._ui.runs.current import library
from pages._ui.runs.list import show_comparison, show_damaged, show_row, show_undo
from pages._ui.state.viewer import viewer

MAX_LISTED: Final = 40


def matches(kept: SavedRun, words: str) -> bool:
    """True if the title, the tags or the kind of a run contain every one of the words."""
    text = " ".join((kept.title, kept.kind, *kept.note.tags)).lower()
    return all(word in text for word in words.lower().split())


enter("Runs")
st.markdown(
    "Every run of Iterations, Mean, Clustering and Compare, and of the networks trained on "
    "Equivariance, is saved step by step. An interrupted run can usually be resumed, and a link to "
    "a run opens it in any browser that can reach this app."
)
saved = library().runs()
own = [kept for kept in saved if not kept.owner or kept.belongs_to(viewer())]
show_undo()
if not own:
    where = " from this browser" if saved else ""
    st.info(f"There are no saved runs{where} yet. Press Run on one of these pages.")
else:
    words = st.text_input("Find", placeholder="words from the name, the tags or the kind of a run")
    found = [kept for kept in own if matches(kept, words)]
    marked = [kept for kept in found[:MAX_LISTED] if show_row(kept)]
    show_count(min(MAX_LISTED, len(found)), len(own), "runs")
    show_comparison(marked)
for run, reason in library().unreadable(viewer()).items():
    show_damaged(run, reason)
if others := len(saved) - len(own):
    started = "1 run was" if others == 1 else f"{others:,} runs were"
    st.caption(f"{started} started in another browser. To open such a run, use its address.")
