"""Seeds at the paper's own schedule: their means beside the paper, and their curves."""

import streamlit as st

from ia_engine.figures.papers.plots import plot_curves
from ia_engine.runs.papers.entry import Entry
from ia_engine.runs.tables.shown import Finished, show_finished
from pages._ui.panels import plain
from pages._ui.plots import show_plot


def show_seeds(entry: Entry) -> None:
    """Nothing for an entry without finished seeds."""
    found = _load(entry.id)
    if not found.lines:
        return
    st.markdown("**At the paper's own schedule** (`make tables`)")
    st.dataframe(list(found.lines), hide_index=True, width="stretch", key=f"seeds {entry.id}")
    st.caption(plain(f"{'; '.join(found.notes)}."))
    for at, panel in enumerate(found.curves):
        st.markdown(f"**{plain(panel.title)}**")
        show_plot(plot_curves(panel), f"seeds {entry.id} {at}", entry.id)


@st.cache_resource(max_entries=32, show_spinner=False)
def _load(entry: str) -> Finished:
    return show_finished(entry)
