"""The page for a projector: large, in full contrast, and nothing around what is spoken of."""

from typing import Final

import streamlit as st

from pages._ui.assets import component, read_bundle
from pages._ui.news import is_news, write
from pages._ui.panels import explaining

ADDRESS: Final = "projector"
KEPT: Final = "projector mode"
KEY: Final = "projector bar"
INKS: Final = {"light": ("#000", "#fff", "#004f94"), "dark": ("#fff", "#000", "#8cc8ff")}
"""Text, ground and accent."""
ASIDE: Final = """
<style>
  .stMainBlockContainer { position: relative; }
  .st-key-projector_off { position: absolute; z-index: 100; right: 2rem; top: 0.7rem; }
  .st-key-projector_on { position: fixed; z-index: 200; right: 0.6rem; bottom: 0; }
  [class*="st-key-projector_"], [class*="st-key-projector_"] * { width: max-content !important; }
</style>
"""
"""The way in stands beside the title, the way out below the page."""

_bar = component("ia_projector", "projector")


def project() -> None:
    """Once on every page: the way in, or the mode and the way out."""
    on = is_projected()
    ink, paper, accent = INKS[st.context.theme.type or "light"]
    inks = f":root {{ --ink: {ink}; --paper: {paper}; --accent: {accent}; }}"
    st.html(ASIDE)
    if on:
        with explaining():
            st.html(f"<style>{inks}{read_bundle('projector_page.css')}</style>")
    with st.container(key=f"projector_{'on' if on else 'off'}", width="content"):
        _bar(key=KEY, data={"on": on}, on_wish_change=_turn)


def is_projected() -> bool:
    """As the address says; links that do not speak of it leave the mode as it is."""
    asked = st.query_params.get(ADDRESS)
    if asked is not None and is_news(ADDRESS, asked):
        st.session_state[KEPT] = asked == "1"
    elif st.session_state.get(KEPT):
        st.query_params[ADDRESS] = "1"
    elif asked is not None:
        del st.query_params[ADDRESS]
    return bool(st.session_state.get(KEPT))


def _turn() -> None:
    on = st.session_state[KEY].get("wish") == "on"
    st.session_state[KEPT] = on
    write(ADDRESS, *(None, "1") if on else ("1", None))
    if on:
        st.query_params[ADDRESS] = "1"
    else:  # told to the browser in any case: it may just have heard the contrary
        st.query_params[ADDRESS] = "0"
        del st.query_params[ADDRESS]
