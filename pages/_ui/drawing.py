"""A drawing of `ia_engine.figures.svg`, replaced in place without a flicker."""

from collections.abc import Callable

import streamlit as st

from pages._ui.assets import component

_drawing = component("ia_drawing", "drawing")


def show_drawing(
    svg: str, key: str, on_pick: Callable[[int, int], None] | None = None, *, term: str = ""
) -> None:
    """Show a drawing of the engine, which never contains a user's text.

    `on_pick` gets the row and the column of a cell that is clicked. `term` names the terms of
    formulas with which the drawing is highlighted.
    """

    def picked() -> None:
        cell = st.session_state[key].get("picked")
        if cell is not None and on_pick is not None:
            on_pick(int(cell[0]), int(cell[1]))

    data = f'<div data-term="{term}">{svg}</div>' if term else svg
    _drawing(key=key, data=data, on_picked_change=picked)
