"""The lists of papers and of their figures and tables."""

from typing import Final

import streamlit as st

from ia_engine.runs.catalogue import PAPER_ENTRY
from ia_engine.runs.papers import ENTRIES, PAPERS
from ia_engine.runs.papers.entry import Entry
from pages._ui.panels import note_unused
from pages._ui.papers.results import COLOURS, entry_of, verdict_of
from pages._ui.runs.current import shown_run
from pages._ui.state.fields import read_value, set_value
from pages._ui.state.papers import ENTRY, papers_state

FIRST: Final = "ia-figure-4"
PAPER: Final = "paper of the entry"


def pick_entry() -> Entry:
    """Ask for an entry: initially the one in the address, or of the run that was opened."""
    name = papers_state.requested_entry() or entry_of(shown_run(PAPER_ENTRY.id)) or FIRST
    if name not in ENTRIES:
        note_unused(ENTRY, name, f"an entry such as {FIRST}", f"{FIRST} is shown")
        name = FIRST
    paper = ENTRIES[name].paper
    set_value(PAPER, paper)
    st.selectbox("Paper", list(PAPERS), format_func=PAPERS.__getitem__, key=PAPER,
                 on_change=_choose_paper)  # fmt: skip
    own = [entry for entry in ENTRIES.values() if entry.paper == paper]
    key = f"entries of {paper}"
    set_value(key, name)
    st.radio(
        "Figures and tables",
        [entry.id for entry in own],
        format_func=lambda name: f"{ENTRIES[name].label} {_badge(ENTRIES[name])}",
        captions=[entry.title for entry in own],
        key=key,
        on_change=lambda: papers_state.choose_entry(read_value(key, name)),
    )
    return ENTRIES[name]


def _badge(entry: Entry) -> str:
    state = verdict_of(entry)
    return f":{COLOURS[state]}-badge[{state}]"


def _choose_paper() -> None:
    paper = read_value(PAPER, "")
    papers_state.choose_entry(next(n for n, entry in ENTRIES.items() if entry.paper == paper))
