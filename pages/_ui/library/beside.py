"""Two kept runs beside each other."""

from collections.abc import Sequence

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.kept.differences import compare
from ia_engine.runs.library import Kept
from pages._ui.panels import explain


def show_comparison(chosen: Sequence[Kept]) -> None:
    """A table of what differs, once two are marked."""
    if not chosen:
        return
    st.subheader("Compare")
    if len(chosen) != 2:
        st.info(f"Mark two runs to compare them; {len(chosen)} marked.")
        return
    one, other = chosen
    try:
        lines = compare(one, other)
    except EngineError as error:
        explain(error)
        return
    titles = (one.title, other.title if other.title != one.title else f"{other.title} (second)")
    table = {
        "": [line.name for line in lines],
        titles[0]: [line.one for line in lines],
        titles[1]: [line.other for line in lines],
    }
    st.dataframe(table, hide_index=True, width="stretch")
    st.caption(
        "Settings that are equal are left out. To see both films side by side, open one run of the "
        "same images after the other: Iterations then offers the first beside the second."
    )
