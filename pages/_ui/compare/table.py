"""The table of a comparison: a row for every method, in a chosen order."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.runs.comparison.compare import Cell, Result, to_screen_row
from ia_engine.runs.comparison.config import TITLES, ComparisonPlan
from pages._ui.controls import bind_option
from pages._ui.panels import escape, show_misleading
from pages._ui.state.compare import compare_state
from pages._ui.state.fields import read_selected_rows

ORDERS: Final = {
    "as run": ("", True),
    "ARI": ("ARI", False),
    "NMI": ("NMI", False),
    "ACC": ("ACC [%]", False),
    "error": ("squared error", True),
    "time": ("CPU s", True),
    "memory": ("memory [MB]", True),
}
"""Columns to sort by; True if the smallest value comes first."""
PURITY: Final = "purity [%]"
NUMBER: Final = st.column_config.NumberColumn
EXPLAINED: Final = {
    "marked": st.column_config.TextColumn(
        width="small",
        help="●: highlighted here, in the plot and among the centres",
    ),
    "method": st.column_config.TextColumn(width=200),
    "ACC [%]": NUMBER(
        format="%.1f",
        help="Images in the right class under the best one-to-one assignment of clusters to "
        "classes",
    ),
    "NMI": NUMBER(
        format="%.3f",
        help="Normalised mutual information of clusters and classes: 1 if equal, 0 if independent",
    ),
    "ARI": NUMBER(
        format="%.3f",
        help="Adjusted Rand index: 1 if equal, 0 on average for random clusters, below 0 if worse",
    ),
    PURITY: NUMBER(
        format="%.1f",
        help="Images in the right class if each cluster is assigned to its largest class",
    ),
    "clusters": NUMBER(help="Non-empty clusters"),
    "squared error": NUMBER(
        format="%.5f",
        help="Mean squared difference per pixel between an image and the centre of its cluster, "
        "which TI and DTI transform to fit the image",
    ),
    "CPU s": NUMBER(format="%.3f", help="Computing time of one core, including reading the result"),
    "memory [MB]": NUMBER(
        format="%.1f",
        help="Peak increase of the resident memory of the computing process",
    ),
}


def show_table(plan: ComparisonPlan, results: Sequence[Result]) -> None:
    """Show a row for every finished method; a click on a row highlights the method."""
    if plan.size < plan.total:
        st.caption(
            f"{plan.size:,} of {plan.total:,} images are compared, spread evenly over the classes"
        )
    left, _ = st.columns([2, 5])
    with_error = any(result.error is not None for result in results)
    orders = [name for name in ORDERS if name != "error" or with_error]
    bound = bind_option("order", orders, orders[0])
    order = left.selectbox("Sort by", orders, key="order", bind=bound)
    compare_state.redraw_highlight()
    highlighted = compare_state.highlighted
    words: list[dict[str, Cell]] = [
        {"marked": "●" if result.method == highlighted else "", **_without_note(result)}
        for result in results
    ]
    rows = sort_rows(drop_empty(words), order or orders[0])
    key = f"table {highlighted}".strip()
    names = {title: name for name, title in TITLES.items()}

    def highlight_clicked() -> None:
        for row in read_selected_rows(key):
            compare_state.highlight(names[str(rows[row]["method"])])

    st.dataframe(
        rows,
        hide_index=True,
        width="stretch",
        height=len(rows) * 35 + 38,
        column_config=EXPLAINED,
        placeholder="–",
        key=key,
        on_select=highlight_clicked,
        selection_mode="single-row",
    )
    for line in format_notes(results):
        st.caption(line)
    show_misleading(
        "Equal computing time is not a fair comparison: K-means finishes almost immediately, and "
        "with a small budget DTI has hardly started. One seed is one sample: a different seed can "
        "swap neighbours in the table. TI and DTI train for a given time, so their results differ "
        "between machines. ACC counts clusters beyond the number of classes as wrong, while purity "
        "increases with their number. The squared error decreases with every allowed "
        "transformation, even if the clusters do not improve. Memory is the increase after the "
        "process has loaded the libraries that all methods need.",
        key="misleads purity",
        draw=lambda: _draw_trivial(plan, words),
    )


def format_notes(results: Sequence[Result]) -> list[str]:
    """Return the notes of the methods, which do not fit into the table, one line each."""
    titles: dict[str, list[str]] = {}
    for result in results:
        note = escape(result.note)
        if not result.finished:
            found = len(result.assignments)
            note += "; the row shows the best result so far" if found else "; it found nothing"
        if note:
            titles.setdefault(note, []).append(TITLES[result.method])
    return [f"{'; '.join(named)}: {note}." for note, named in titles.items()]


def _without_note(result: Result) -> dict[str, Cell]:
    return {name: cell for name, cell in to_screen_row(result).items() if name != "note"}


def _draw_trivial(plan: ComparisonPlan, words: list[dict[str, Cell]]) -> None:
    """Draw an example: purity is highest if every image is its own cluster."""
    alone: dict[str, Cell] = {
        "method": "One cluster per image",
        PURITY: 100.0,
        "clusters": plan.size,
    }
    rows = [{name: row.get(name) for name in alone} for row in [alone, *words]]
    rows.sort(key=lambda row: -float(row[PURITY] or 0))
    st.dataframe(
        rows,
        hide_index=True,
        width="stretch",
        key="misleading table",
        column_config=EXPLAINED,
        placeholder="–",
    )
    st.caption("By purity alone, the best method is the one that finds no groups.")


def sort_rows(rows: list[dict[str, Cell]], order: str) -> list[dict[str, Cell]]:
    """Return the rows sorted by a column; rows without a value in it come last."""
    column, rising = ORDERS[order]
    if not column or not all(column in row for row in rows):
        return rows
    known = [row for row in rows if row[column] is not None]
    known.sort(key=lambda row: float(row[column] or 0), reverse=not rising)
    return known + [row for row in rows if row[column] is None]


def drop_empty(rows: list[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """Return the rows without the columns that are empty in all of them."""
    held = {name for row in rows for name, cell in row.items() if cell not in (None, "")}
    return [{name: cell for name, cell in row.items() if name in held} for row in rows]
