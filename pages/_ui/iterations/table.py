"""The numbers of every iteration as a table; a click on a row shows its iteration."""

from typing import Final

import streamlit as st

from ia_engine.figures.plots import tabulate_steps
from pages._ui.iterations.seen import Seen
from pages._ui.steps import jump_to


def show_numbers(seen: Seen) -> None:
    """A click on a row brings the player to its iteration."""
    table = tabulate_steps(seen.numbers, seen.step)
    key = f"numbers {seen.key} {seen.step}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            jump_to(seen.key, int(table[rows[0]]["iteration"] or 0))

    st.dataframe(
        table,
        width="stretch",
        hide_index=True,
        column_config=EXPLAINED,
        placeholder="–",
        key=key,
        on_select=clicked,
        selection_mode="single-row",
    )


EXPLAINED: Final = {
    "shown": st.column_config.TextColumn(
        width="small", help="▶: the player shows this iteration; click a row to go to its own"
    ),
    "iteration": st.column_config.NumberColumn(help="0: the data; p: after p averagings"),
    "clusters": st.column_config.NumberColumn(
        help="Number of clusters: images that have become the same count as one"
    ),
    "ARI": st.column_config.NumberColumn(
        format="%.3f",
        help="Adjusted Rand index of the clusters against the classes: 1 equal, 0 as by chance",
    ),
    "block mass": st.column_config.NumberColumn(
        format="percent",
        help="Weight within classes: Σ Wᵢⱼ over i ≠ j of one class, divided by Σ Wᵢⱼ over i ≠ j",
    ),
    "d² within": st.column_config.NumberColumn(
        format="%.3g", help="Mean d² of two images of one class"
    ),
    "d² between": st.column_config.NumberColumn(
        format="%.3g", help="Mean d² of two images of two classes"
    ),
    "contraction": st.column_config.NumberColumn(
        format="%.4f",
        help="The largest d(p)/d(p-1) of any pair: Theorem 4.1 says when it is below 1",
    ),
    "CPU s": st.column_config.NumberColumn(
        format="%.3f", help="CPU time of this iteration in seconds"
    ),
}
