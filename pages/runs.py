"""The saved runs: finding, opening, naming, comparing and deleting them, and projects."""

from typing import Final

import streamlit as st

from ia_engine.runs.library import SavedRun
from pages._ui.controls import choose_one
from pages._ui.page import enter
from pages._ui.panels import show_count
from pages._ui.runs.comparison import show_comparison
from pages._ui.runs.current import library, lists_all_runs
from pages._ui.runs.list import make_mark_key, show_damaged, show_row, show_undo
from pages._ui.runs.project import show_project_bar
from pages._ui.state.fields import read_value
from pages._ui.state.selection import runs_state
from pages._ui.state.viewer import viewer

MORE: Final = 40  # rows
MINE: Final = "Mine"
ALL: Final = "All on this machine"


def matches(kept: SavedRun, words: str) -> bool:
    """True if every word occurs in the title, the tags, the note or the kind of a run."""
    note = kept.note
    text = " ".join((kept.title, kept.kind, *note.tags, note.text)).lower()
    return all(word in text for word in words.lower().split())


def is_own(kept: SavedRun) -> bool:
    """True if the viewer may name and delete a run: it is the viewer's, or everyone's."""
    return not kept.owner or kept.belongs_to(viewer())


def show_more() -> None:
    """List more runs."""
    runs_state.listed += MORE


enter("Runs")
st.markdown(
    "Every run of Iterations, Mean, Clustering and Compare, and of the networks trained on "
    "Equivariance, is saved step by step. An interrupted run can usually be resumed, and a link to "
    "a run opens it in any browser that can reach this app."
)
saved = library().runs()
own = [kept for kept in saved if is_own(kept)]
show_undo()
show_project_bar(own, [kept for kept in own if read_value(make_mark_key(kept), False)])
every = lists_all_runs() and choose_one("Runs", [MINE, ALL], MINE, "whose", hidden=True) == ALL
listed = saved if every else own
if not listed:
    where = " from this browser" if saved else ""
    st.info(f"There are no saved runs{where} yet. Press Run on one of these pages.")
else:
    words = st.text_input("Find", placeholder="words from the name, the tags, the note or the kind")
    found = [kept for kept in listed if matches(kept, words)]
    shown = found[: runs_state.listed]
    marked = [kept for kept in shown if show_row(kept, own=is_own(kept))]
    show_count(len(shown), len(listed), "runs")
    if len(shown) < len(found):
        st.button("Show more", on_click=show_more)
    show_comparison(marked)
deletable = library().unreadable(viewer())
for run, reason in (library().unreadable() if every else deletable).items():
    show_damaged(run, reason, own=run in deletable)
if not lists_all_runs() and (others := len(saved) - len(own)):
    started = "1 run was" if others == 1 else f"{others:,} runs were"
    st.caption(f"{started} started in another browser. To open such a run, use its address.")
