"""The table of all methods, sorted as one likes, and files of it."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.runs.comparison.compare import Cell, Result, to_words
from ia_engine.runs.comparison.config import TITLES, ComparisonPlan
from pages._ui.compare.controls import follow_mark, mark_title, marked
from pages._ui.controls import is_option
from pages._ui.panels import misleads, plain

ORDERS: Final = {
    "as run": ("", True),
    "ARI": ("ARI", False),
    "NMI": ("NMI", False),
    "ACC": ("ACC [%]", False),
    "time": ("CPU s", True),
    "memory": ("memory [MB]", True),
}
"""By which column, and whether the least comes first."""
PURITY: Final = "purity [%]"
NUMBER: Final = st.column_config.NumberColumn
EXPLAINED: Final = {
    "marked": st.column_config.TextColumn(
        width="small", help="●: this method is marked in the plot and among the centres as well"
    ),
    "method": st.column_config.TextColumn(width=200),
    "ACC [%]": NUMBER(
        format="%.1f",
        help="Images in the right class under the best map of clusters to classes, one to one",
    ),
    "NMI": NUMBER(
        format="%.3f", help="Normalised mutual information of clusters and classes: 1 equal, 0 none"
    ),
    "ARI": NUMBER(
        format="%.3f", help="Adjusted Rand index: 1 equal, 0 as by chance, below 0 worse"
    ),
    "purity [%]": NUMBER(
        format="%.1f",
        help="Where there are not as many clusters as classes: each counts as its largest class",
    ),
    "clusters": NUMBER(help="Non-empty clusters"),
    "CPU s": NUMBER(format="%.3f", help="Computing time of one core, reading the result included"),
    "memory [MB]": NUMBER(
        format="%.1f",
        help="Growth of the resident memory of the process that computes, at its peak",
    ),
}


def show_table(plan: ComparisonPlan, results: Sequence[Result]) -> None:
    """A row for every method that is done; a click on a head sorts, one on a row marks."""
    if plan.size < plan.total:
        st.caption(
            f"{plan.size:,} of {plan.total:,} images take part, spread evenly over the classes"
        )
    left, _ = st.columns([2, 5])
    orders = list(ORDERS)
    bound = "query-params" if is_option("order", orders, orders[0]) else None
    order = left.selectbox("Sort by", orders, key="order", bind=bound)
    follow_mark()
    words = [_mark_row(result.method) | _without_note(result) for result in results]
    rows = sort_rows(drop_empty(words), order)
    key = f"table {marked()}".strip()

    def clicked() -> None:
        for row in st.session_state[key].selection.rows:
            mark_title(str(rows[row]["method"]))

    st.dataframe(
        rows,
        hide_index=True,
        width="stretch",
        height=len(rows) * 35 + 38,
        column_config=EXPLAINED,
        placeholder="–",
        key=key,
        on_select=clicked,
        selection_mode="single-row",
    )
    for line in tell_notes(results):
        st.caption(line)
    misleads(
        "Equal computing time is not a fair comparison: K-means ends within a moment, and DTI has "
        "hardly begun if the budget is small. One seed is one sample: another seed can swap "
        "neighbours in the table; TI and DTI learn for a time, so they end elsewhere on another "
        "machine. ACC counts clusters beyond the number of classes as wrong; "
        "purity rises with their number by itself. Memory is what a process gained after "
        "it had loaded what all methods need.",
        key="misleads purity",
        draw=lambda: _draw_trivial(plan, words),
    )


def tell_notes(results: Sequence[Result]) -> list[str]:
    """What is noted of the methods, those of one note in one line; a table has no room for it."""
    noted: dict[str, list[str]] = {}
    for result in results:
        if told := _tell_note(result):
            noted.setdefault(told, []).append(TITLES[result.method])
    return [f"{'; '.join(titles)}: {told}." for told, titles in noted.items()]


def _tell_note(result: Result) -> str:
    if result.finished:
        return plain(result.note)
    so_far = "the row is the best so far" if len(result.assignments) else "it has found nothing"
    return f"{plain(result.note)}; {so_far}"


def _without_note(result: Result) -> dict[str, Cell]:
    return {name: cell for name, cell in to_words(result).items() if name != "note"}


def _draw_trivial(plan: ComparisonPlan, words: list[dict[str, Cell]]) -> None:
    """By purity nothing beats every image in a cluster of its own."""
    alone: dict[str, Cell] = {"method": "Every image its own", "clusters": plan.size}
    rows = [alone | {PURITY: 100.0}, *words]
    told = [{name: row.get(name) for name in ("method", PURITY, "clusters")} for row in rows]
    told.sort(key=lambda row: -float(row[PURITY] or 0))
    st.dataframe(
        told,
        hide_index=True,
        width="stretch",
        key="misleading table",
        column_config=EXPLAINED,
        placeholder="–",
    )
    st.caption("By purity alone the best method finds nothing.")


def _mark_row(name: str) -> dict[str, Cell]:
    return {"marked": "●" if name == marked() else ""}


def sort_rows(rows: list[dict[str, Cell]], order: str) -> list[dict[str, Cell]]:
    """The rows by a column; those that have nothing there come last."""
    column, rising = ORDERS[order]
    if not column or not all(column in row for row in rows):
        return rows
    known = [row for row in rows if row[column] is not None]
    known.sort(key=lambda row: float(row[column] or 0), reverse=not rising)
    return known + [row for row in rows if row[column] is None]


def drop_empty(rows: list[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """The rows without the columns in which none has anything."""
    held = {name for row in rows for name, cell in row.items() if cell not in (None, "")}
    return [{name: cell for name, cell in row.items() if name in held} for row in rows]
