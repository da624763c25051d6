"""Which paper, and which of its figures and tables: the address holds the answer."""

import time
from typing import Final

import streamlit as st

from ia_engine.runs.papers import ENTRIES, PAPERS
from ia_engine.runs.papers.entry import Entry
from pages._ui.jobs import current
from pages._ui.panels import plain
from pages._ui.papers.results import COLOURS, PLACE, entry_of, verdict_of

KEY: Final = "entry"
FIRST: Final = "ia-figure-4"
PAPER: Final = "paper of the entry"
ANSWER: Final = "entry answered"
SETTLED: Final = 2.0
"""Seconds after which the address is as it was told."""


def pick_entry() -> Entry:
    """The entry that the address names; else that of the run that was opened."""
    asked = _just_answered() or st.query_params.get(KEY) or entry_of(current(PLACE)) or FIRST
    if asked not in ENTRIES:
        st.warning(plain(f"The address asks for the entry {asked[:40]}: {FIRST} is shown."))
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
    st.query_params[KEY] = name
    st.session_state[ANSWER] = (name, time.monotonic())


def _just_answered() -> str | None:
    """The last answer, while what the browser asks for may still carry the address before it."""
    name, at = st.session_state.get(ANSWER, (None, 0.0))
    if name is None or time.monotonic() - at > SETTLED:
        return None
    st.query_params[KEY] = name
    return str(name)
