"""The colours of maps as the player has them: least is the tone of the page, most is its ink."""

import streamlit as st

from ia_engine.figures.svg import Pixels
from ia_engine.figures.weights import ramp_for


def ramp_here() -> Pixels:
    """In the viewer's theme."""
    return ramp_for(_is_dark())


def ends_here() -> tuple[str, str]:
    """What least and most look like in the viewer's theme."""
    return ("dark", "pale") if _is_dark() else ("pale", "dark")


def _is_dark() -> bool:
    return st.context.theme.type == "dark"
