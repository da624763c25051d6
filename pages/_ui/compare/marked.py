"""The method that is marked in the table, in the plot and among the centres; the address has it."""

from typing import Final

import streamlit as st

from ia_engine.runs.comparison.config import TITLES
from pages._ui.panels import note_unused

ADDRESS: Final = "marked"
KEPT: Final = "method that is marked"
TURNED: Final = "a method was marked just now"


def marked() -> str:
    """Its name in the catalogue, as the address says or as it was before; nothing if none is."""
    asked = st.query_params.get(ADDRESS)
    if asked in TITLES:
        st.session_state[KEPT] = asked
    elif asked is not None:
        del st.query_params[ADDRESS]
        note_unused(ADDRESS, asked, f"one of {', '.join(TITLES)}", "no method is highlighted")
    name = str(st.session_state.get(KEPT, ""))
    if name:
        st.query_params[ADDRESS] = name
    return name


def mark(name: str) -> None:
    """Mark this method, or none where it is marked already; meant for a click."""
    st.session_state[KEPT] = "" if name == st.session_state.get(KEPT) else name
    st.session_state[TURNED] = True
    st.query_params.pop(ADDRESS, None)


def mark_title(title: str) -> None:
    """Mark the method that is so called on the screen."""
    mark(next(name for name, known in TITLES.items() if known == title))


def follow_mark() -> None:
    """All views are drawn anew after a click in one of them, also where each runs alone."""
    if st.session_state.pop(TURNED, False):
        st.rerun()
