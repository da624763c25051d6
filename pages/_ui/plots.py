"""Plots by plotly, all shown here: a rerun keeps their view."""

from collections.abc import Callable
from typing import Protocol

import streamlit as st


class Figure(Protocol):
    """What is used here of a figure by plotly, which only the engine imports."""

    def update_layout(self, *, uirevision: str) -> object: ...


def show_plot(
    figure: Figure,
    key: str,
    result: str,
    on_click: Callable[[int, int], None] | None = None,
) -> None:
    """Show the figure, as wide as its column.

    Zoom, hidden lines and the step of an animation stay when the figure is drawn again for the
    same `result`, and are reset for another one (assets/components/projector/plots.js). `on_click`
    receives the numbers of the curve and of the point that was clicked.
    """
    figure.update_layout(uirevision=f"{key} {result}")
    if on_click is None:
        st.plotly_chart(figure, width="stretch", key=key)
        return

    def clicked() -> None:
        for point in st.session_state[key].selection.points[:1]:
            on_click(point["curve_number"], point["point_index"])

    st.plotly_chart(figure, width="stretch", key=key, on_select=clicked, selection_mode="points")
