"""Which paper, and which of its figures and tables: the address holds the answer."""

from typing import Final

import streamlit as st

from ia_engine.runs.catalogue import PAPER_ENTRY
from ia_engine.runs.papers import ENTRIES, PAPERS
from ia_engine.runs.papers.entry import Entry
from pages._ui.panels import note_unused
from pages._ui.papers.results import COLOURS, entry_of, verdict_of
from pages._ui.runs.current import shown_run
from pages._ui.state.fields import is_new_request, note_written

KEY: Final = "entry"
FIRST: Final = "ia-figure-4"
PAPER: Final = "paper of the entry"
ANSWER: Final = "entry answered"


def pick_entry() -> Entry:
    """The entry that the address names; else that of the run that was opened."""
    asked = _asked() or entry_of(shown_run(PAPER_ENTRY.id)) or FIRST
    if asked not in ENTRIES:
        note_unused(KEY, asked, f"an entry such as {FIRST}", f"{FIRST} is shown")
        asked = FIRST
    paper = ENTRIES[asked].paper
    st.session_state[PAPER] = paper
    st.selectbox("Paper", list(PAPERS), format_func=PAPERS.__getitem__, key=PAPER,
                 on_change=_turn_to_paper)  # fmt: skip
    own = [entry for entry in ENTRIES.values() if entry.paper == paper]
    key = f"entries of {paper}"
    st.session_state[key] = asked
    st.radio(
        "Figures and tables",
        [entry.id for entry in own],
        format_func=lambda name: f"{ENTRIES[name].label} {_badge(ENTRIES[name])}",
        captions=[entry.title for entry in own],
        key=key,
        on_change=_tell,
        args=(key,),
    )
    return ENTRIES[asked]


def _badge(entry: Entry) -> str:
    state = verdict_of(entry)
    return f":{COLOURS[state]}-badge[{state}]"


def _turn_to_paper() -> None:
    paper = st.session_state[PAPER]
    _answer(next(name for name, entry in ENTRIES.items() if entry.paper == paper))


def _tell(key: str) -> None:
    _answer(st.session_state[key])


def _answer(name: str) -> None:
    note_written(KEY, st.query_params.get(KEY), name)
    st.query_params[KEY] = st.session_state[ANSWER] = name


def _asked() -> str | None:
    """As the address says; or the last answer, of which the browser may not have heard."""
    asked = st.query_params.get(KEY)
    if ANSWER in st.session_state and not is_new_request(KEY, asked):
        st.query_params[KEY] = asked = str(st.session_state[ANSWER])
    return asked
