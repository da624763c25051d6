"""A slider that answers while it is dragged; Streamlit's own waits until the hand rests."""

import math

import streamlit as st

from pages._ui.assets import component
from pages._ui.news import is_news, write
from pages._ui.numbers import number
from pages._ui.panels import note_unused

_dial = component("ia_dial", "dial")


def dial(
    name: str, label: str, about: str, *, bounds: tuple[float, float], step: float, unit: str
) -> float:
    """The value, 0 at first, which the address holds under this name; for use in a fragment."""
    low, high = bounds
    given = _given(name, low, high)
    answer = st.session_state.get(_key(name), {}).get("value")
    value = float(answer[0]) if answer is not None and answer[1] == given else given
    value = min(max(value, low), high)
    _dial(
        key=_key(name),
        data={
            "label": label,
            "low": low,
            "high": high,
            "step": step,
            "given": given,
            "heard": value,
            "unit": unit,
            "about": about,
            "term": name,
        },
        on_value_change=lambda: None,  # without a callback a component's value is not kept
    )
    write(_key(name), st.query_params.get(name), f"{value:g}")
    st.query_params[name] = f"{value:g}"
    return value


def _given(name: str, low: float, high: float) -> float:
    """Where the slider starts: as the address says, if it was not this slider that wrote it."""
    asked, kept = st.query_params.get(name), f"dial {name} given"
    if kept not in st.session_state or is_news(_key(name), asked):
        try:
            value = float(asked or 0)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            legal = f"a number between {number(low)} and {number(high)}"
            note_unused(name, asked or "", legal, "0 is used")
            value = 0.0
        st.session_state[kept] = value
    return float(st.session_state[kept])


def _key(name: str) -> str:
    return f"dial {name}"
