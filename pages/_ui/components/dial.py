"""A slider that sends values while it is dragged; `st.slider` sends a value when it is released."""

import math

from pages._ui.panels import component, note_unused
from pages._ui.state.fields import (
    has_value,
    is_new_request,
    read_answer,
    read_parameter,
    read_value,
    replace_parameter,
    set_value,
)
from pages._ui.wording import number

_dial = component("ia_dial", "dial")


def dial(
    name: str, label: str, about: str, *, bounds: tuple[float, float], step: float, unit: str
) -> float:
    """Draw the slider and return its value, initially 0; the URL has it under this name.

    Use it in a fragment: it sends many values.
    """
    low, high = bounds
    key = f"dial {name}"
    given = _given(name, low, high)
    answer = read_answer(key, "value")
    value = float(answer[0]) if answer is not None and answer[1] == given else given
    value = min(max(value, low), high)
    _dial(
        key=key,
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
    replace_parameter(name, f"{value:g}")
    return value


def _given(name: str, low: float, high: float) -> float:
    """Return the initial value: that in the URL, unless this slider has written it."""
    requested, key = read_parameter(name), f"dial {name} given"
    if not has_value(key) or is_new_request(name, requested):
        try:
            value = float(requested or 0)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            legal = f"a number between {number(low)} and {number(high)}"
            note_unused(name, requested or "", legal, "0 is used")
            value = 0.0
        set_value(key, value)
    return read_value(key, 0.0)
