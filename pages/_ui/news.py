"""Whether what the address says comes from the viewer, or is our own.

With every request Streamlit sends the address as the browser knew it then. What was on its way when
a page wrote the address still brings the one before, and must not be taken for the viewer's wish.
"""

import time
from typing import Final

import streamlit as st

SETTLED: Final = 10.0
"""Seconds after which the browser knows what was written, also on a busy machine."""


def write(name: str, before: object, now: object) -> None:
    """The address says one thing of this, and is made to say another, or left as it is."""
    _, known, _ = st.session_state.get(_key(name), (None, None, 0.0))
    if before != now or known != now:
        st.session_state[_key(name)] = (before, now, time.monotonic())


def is_news(name: str, asked: object) -> bool:
    """Whether neither this was written here nor was it there until a moment ago."""
    if _key(name) not in st.session_state:
        return True
    before, now, at = st.session_state[_key(name)]
    return asked != now and (asked != before or time.monotonic() - at > SETTLED)


def forget(name: str) -> None:
    """Whatever the address will say of this is news."""
    st.session_state.pop(_key(name), None)


def _key(name: str) -> str:
    return f"{name} as written to the address"
