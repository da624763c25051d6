"""The runs that were kept: find, open, name, compare and delete them."""

from typing import Final

import streamlit as st

from ia_engine.runs.library import Kept
from pages._ui.page import enter
from pages._ui.panels import shown
from pages._ui.runs.list import show_comparison, show_damaged, show_row, show_undo
from pages._ui.runs.saved import library
from pages._ui.state.dataset import viewer

LISTED: Final = 40


def matches(kept: Kept, words: str) -> bool:
    """Whether every word is in its title, tags or kind."""
    text = " ".join((kept.title, kept.kind, *kept.note.tags)).lower()
    return all(word in text for word in words.lower().split())


enter("Runs")
st.markdown(
    "Every run of Iterations, Mean, Clustering, Compare and of the networks that learn on "
    "Equivariance is kept as it comes, step by step: what was cut off can be resumed, and a link "
    "to a run opens it in any browser that reaches this app."
)
everyone = library().runs()
own = [kept for kept in everyone if not kept.owner or kept.belongs_to(viewer())]
show_undo()
if not own:
    which = "that this browser began " if everyone else ""
    st.info(f"Nothing {which}is kept yet: press Run on one of these pages, and it appears here.")
else:
    words = st.text_input("Find", placeholder="words of a name, a tag or a page")
    found = [kept for kept in own if matches(kept, words)]
    marked = [kept for kept in found[:LISTED] if show_row(kept)]
    shown(min(LISTED, len(found)), len(own), "runs")
    show_comparison(marked)
for run, reason in library().unreadable(viewer()).items():
    show_damaged(run, reason)
if others := len(everyone) - len(own):
    lie = "1 run was" if others == 1 else f"{others:,} runs were"
    st.caption(f"{lie} started in another browser: open such a run by its address.")
