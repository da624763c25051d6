"""Two kept runs beside each other."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import compare_runs
from ia_engine.runs.library import Kept
from pages._ui.panels import explain, plain

WIDEST: Final = 44
"""So many letters of a title a heading has room for."""


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
        lines = compare_runs(one, other)
    except EngineError as error:
        explain(error)
        return
    titles = _head(one, other)
    table = {
        "": [line.name for line in lines],
        titles[0]: [line.one for line in lines],
        titles[1]: [line.other for line in lines],
    }
    columns = {
        title: st.column_config.TextColumn(help=plain(run.title))
        for title, run in zip(titles, chosen, strict=True)
    }
    st.dataframe(table, hide_index=True, width="stretch", column_config=columns)
    st.caption(
        "Settings that are equal are left out. To see both films side by side, open one run of the "
        "same images after the other: Iterations then offers the first beside the second."
    )


def _head(one: Kept, other: Kept) -> tuple[str, str]:
    """Two headings that differ: where titles are equal, or equally cut, by when they were begun."""
    first, second = _cut(one.title), _cut(other.title)
    if first == second:
        first, second = _date(one), _date(other)
    return first, second if first != second else f"{second} (second)"


def _date(kept: Kept) -> str:
    begun = datetime.fromisoformat(kept.record.created)
    return f"{begun:%d %b, %H:%M:%S} · {_cut(kept.title)}"


def _cut(title: str) -> str:
    return title if len(title) <= WIDEST else f"{title[: WIDEST - 1].rstrip()}…"
