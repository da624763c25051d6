"""The projector mode: large letters, full contrast, and nothing around the pictures."""

from typing import Final

import streamlit as st

from pages._ui.assets import component, read_bundle
from pages._ui.news import is_news, write
from pages._ui.panels import explaining

PARAMETER: Final = "projector"
MODE: Final = "projector mode"
"""Of the session: whether the mode is on."""
BAR: Final = "projector bar"
COLOURS: Final = {"light": ("#000", "#fff", "#004f94"), "dark": ("#fff", "#000", "#8cc8ff")}
"""Text, background and accent."""
BAR_STYLE: Final = """
<style>
  .stMainBlockContainer { position: relative; }
  .st-key-projector_off { position: absolute; z-index: 100; right: 2rem; top: 0.7rem; }
  .st-key-projector_on { position: fixed; z-index: 200; right: 0.6rem; bottom: 0; }
  [class*="st-key-projector_"], [class*="st-key-projector_"] * { width: max-content !important; }
</style>
"""
"""The button that starts the mode is beside the title; those of the mode are below the page."""

_bar = component("ia_projector", "projector")


def show_projector_bar() -> None:
    """Once on every page: the button that starts the mode, or the mode and its buttons."""
    on = is_projected()
    ink, paper, accent = COLOURS[st.context.theme.type or "light"]
    colours = f":root {{ --ink: {ink}; --paper: {paper}; --accent: {accent}; }}"
    st.html(BAR_STYLE)
    if on:
        with explaining():
            st.html(f"<style>{colours}{read_bundle('projector_page.css')}</style>")
    with st.container(key=f"projector_{'on' if on else 'off'}", width="content"):
        _bar(key=BAR, data={"on": on}, on_wish_change=_switch)


def is_projected() -> bool:
    """As the URL says; links without the parameter leave the mode as it is."""
    asked = st.query_params.get(PARAMETER)
    if asked is not None and is_news(PARAMETER, asked):
        st.session_state[MODE] = asked == "1"
    elif st.session_state.get(MODE):
        st.query_params[PARAMETER] = "1"
    elif asked is not None:
        del st.query_params[PARAMETER]
    return bool(st.session_state.get(MODE))


def _switch() -> None:
    on = st.session_state[BAR].get("wish") == "on"
    st.session_state[MODE] = on
    write(PARAMETER, *(None, "1") if on else ("1", None))
    if on:
        st.query_params[PARAMETER] = "1"
    else:  # sent to the browser in any case, since it may just have received the contrary
        st.query_params[PARAMETER] = "0"
        del st.query_params[PARAMETER]
