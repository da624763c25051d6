"""Drawings of `ia_engine.figures.svg` and the colour map of the browser code."""

from collections.abc import Callable

import streamlit as st

from ia_engine.figures.matrices import ramp_for
from ia_engine.figures.svg import Pixels
from pages._ui.panels import component
from pages._ui.state.fields import read_answer

_drawing = component("ia_drawing", "drawing")


def show_drawing(
    svg: str, key: str, on_pick: Callable[[int, int], None] | None = None, *, term: str = ""
) -> None:
    """Show a drawing that the engine has made; it never contains text from a user.

    `on_pick` receives the row and the column of a clicked cell. The drawing is highlighted
    together with the terms of formulas that `term` marks.
    """

    def picked() -> None:
        cell = read_answer(key, "picked")
        if cell is not None and on_pick is not None:
            on_pick(int(cell[0]), int(cell[1]))

    data = f'<div data-term="{term}">{svg}</div>' if term else svg
    _drawing(key=key, data=data, on_picked_change=picked)


def theme_colour_map() -> Pixels:
    """Return the colour map from the page's background (value 0) to its text colour."""
    return ramp_for(_is_dark())


def name_map_ends() -> tuple[str, str]:
    """Return names for the colours of the lowest and the highest value."""
    return ("dark", "pale") if _is_dark() else ("pale", "dark")


def _is_dark() -> bool:
    return st.context.theme.type == "dark"
