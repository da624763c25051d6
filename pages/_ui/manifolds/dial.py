"""A slider that answers while it is dragged; Streamlit's own waits until the hand rests."""

import streamlit as st

from pages._ui.acts import ACTING, STYLE
from pages._ui.assets import script, style
from pages._ui.news import is_news, write

_dial = st.components.v2.component(
    "ia_dial",
    js=script(ACTING, "dial/dial"),
    css=STYLE + style("dial/dial"),
)


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
            value = 0.0
        st.session_state[kept] = value if low <= value <= high else 0.0
    return float(st.session_state[kept])


def _key(name: str) -> str:
    return f"dial {name}"
