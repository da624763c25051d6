"""The colour map of the browser code in the theme of the page."""

import streamlit as st

from ia_engine.figures.svg import Pixels
from ia_engine.figures.weights import ramp_for


def theme_colour_map() -> Pixels:
    """From the page's background, for 0, to its text colour."""
    return ramp_for(_is_dark())


def name_map_ends() -> tuple[str, str]:
    """Words for the colours of the lowest and the highest value."""
    return ("dark", "pale") if _is_dark() else ("pale", "dark")


def _is_dark() -> bool:
    return st.context.theme.type == "dark"
