"""The paper's figures and ours, side by side: of one run, and of seeds at the paper's schedule."""

from typing import Final

import streamlit as st

from ia_engine.figures.papers.plots import plot_curves
from ia_engine.runs.papers.entry import Entry, Number, Outcome
from ia_engine.runs.papers.report import write_number
from ia_engine.runs.tables.shown import Finished, show_finished
from pages._ui.panels import plain
from pages._ui.papers.results import BEFORE, NOW
from pages._ui.plots import show_plot

EMPTY: Final = ("", "–")


def show_numbers(before: Outcome | None, now: Outcome | None, key: str) -> None:
    """One row for each named figure; the difference is that of the newest."""
    rows: dict[str, dict[str, str]] = {}
    for name, outcome in ((BEFORE, before), (NOW, now)):
        for number in outcome.numbers if outcome else ():
            row = rows.setdefault(number.name, dict.fromkeys(COLUMNS, "") | {BEFORE: "–", NOW: "–"})
            row.update(_tell(number), **{name: write_number(number.ours)})
    if rows:
        table = _without_empty(list(rows.values()))
        st.dataframe(table, hide_index=True, width="stretch", key=f"numbers {key}")


COLUMNS: Final = ("figure", "paper", BEFORE, NOW, "difference", "unit", "note")


def _tell(number: Number) -> dict[str, str]:
    difference = number.difference
    signed = "–" if difference is None else f"{difference:+.3g}".replace("-", "−")
    return {
        "figure": number.name,
        "paper": write_number(number.paper),
        "difference": signed,
        "unit": number.unit,
        "note": number.note,
    }


def _without_empty(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Columns in which something stands."""
    full = [name for name in COLUMNS if any(row[name] not in EMPTY for row in rows)]
    return [{name: row[name] for name in full} for row in rows]


def show_seeds(entry: Entry) -> None:
    """Nothing for an entry without finished seeds."""
    found = _load_finished(entry.id)
    if not found.lines:
        return
    st.markdown("**At the paper's own schedule** (`make tables`)")
    st.dataframe(list(found.lines), hide_index=True, width="stretch", key=f"seeds {entry.id}")
    st.caption(plain(f"{'; '.join(found.notes)}."))
    for at, panel in enumerate(found.curves):
        st.markdown(f"**{plain(panel.title)}**")
        show_plot(plot_curves(panel), f"seeds {entry.id} {at}", entry.id)


@st.cache_resource(max_entries=32, show_spinner=False)
def _load_finished(entry: str) -> Finished:
    return show_finished(entry)
