"""Every page has its own values for its controls, also where another page has one of this name.

Streamlit carries the value of a control that is bound to the address to any later control of the
same key. Without this module, Mean's N would take the value of Iterations' P: both are `steps`.
"""

from typing import Any, Final

import streamlit as st

from pages._ui.numbers import number

PAGE: Final = "page that is open"
DRAWN: Final = "controls of the page that is open"
KEPT: Final = "values of the controls, by page"


def note_control(name: str, default: object) -> None:
    """Register a control of the open page; call this when the control is drawn."""
    st.session_state.setdefault(DRAWN, {})[name] = default


def change_page(page: str) -> None:
    """Put the values of the last page aside; call this before the page draws its first control.

    An address with parameters says everything: what is missing in it has its default. Without any
    parameter, as from the list of pages, the controls are as they were when the page was left.
    """
    last = st.session_state.get(PAGE)
    if last == page:
        return
    kept = st.session_state.setdefault(KEPT, {})
    if last is not None:
        kept[last] = _put_aside()
    st.session_state[PAGE], st.session_state[DRAWN] = page, {}
    if not st.query_params:
        _bring_back(kept.get(page, {}))


def _put_aside() -> dict[str, Any]:
    """The values that differ from their defaults; no control has a value afterwards."""
    values = {}
    for name, default in st.session_state.get(DRAWN, {}).items():
        if name in st.session_state:
            value = st.session_state[name]
            if value is not None and value != default:
                values[name] = value
            del st.session_state[name]
    return values


def _bring_back(values: dict[str, Any]) -> None:
    for name, value in values.items():
        st.session_state[name] = value
        st.query_params[name] = value if isinstance(value, str) else number(value)
