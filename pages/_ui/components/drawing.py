"""Drawings of `ia_engine.figures.svg` and the colour map of the browser code."""

from collections.abc import Callable

import streamlit as st

from ia_engine.figures.matrices import ramp_for
from ia_engine.figures.svg import Pixels
from pages._ui.components.bundles import component
from pages._ui.state.fields import read_answer

_drawing = component("ia_drawing", "drawing")


def show_drawing(
    svg: str, key: str, on_pick: Callable[[int, int], None] | None = None, *, term: str = ""
) -> None:
    """Show a drawing of the engine, which never contains a user's text.

    `on_pick` gets the row and the column of a cell that is clicked. The drawing is highlighted
    together with the terms of formulas that are named in `term`.
    """

    def picked() -> None:
        cell = read_answer(key, "picked")
        if cell is not None and on_pick is not None:
            on_pick(int(cell[0]), int(cell[1]))

    data = f'<div data-term="{term}">{svg}</div>' if term else svg
    _drawing(key=key, data=data, on_picked_change=picked)


def theme_colour_map() -> Pixels:
    """The colour map from the page's background, for 0, to its text colour."""
    return ramp_for(_is_dark())


def name_map_ends() -> tuple[str, str]:
    """Words for the colours of the lowest and the highest value."""
    return ("dark", "pale") if _is_dark() else ("pale", "dark")


def _is_dark() -> bool:
    return st.context.theme.type == "dark"
