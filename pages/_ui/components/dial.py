"""A slider that sends values while it is dragged; Streamlit's own sends one when it is released."""

import math

import streamlit as st

from pages._ui.components.bundles import component
from pages._ui.panels import note_unused
from pages._ui.state.fields import is_news, write
from pages._ui.wording import number

_dial = component("ia_dial", "dial")


def dial(
    name: str, label: str, about: str, *, bounds: tuple[float, float], step: float, unit: str
) -> float:
    """The value, 0 at first, which is in the URL under this name; for use in a fragment."""
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
            "received": value,
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
    """The initial value: that of the URL, unless this slider has written it."""
    asked, start = st.query_params.get(name), f"dial {name} given"
    if start not in st.session_state or is_news(_key(name), asked):
        try:
            value = float(asked or 0)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            legal = f"a number between {number(low)} and {number(high)}"
            note_unused(name, asked or "", legal, "0 is used")
            value = 0.0
        st.session_state[start] = value
    return float(st.session_state[start])


def _key(name: str) -> str:
    return f"dial {name}"
