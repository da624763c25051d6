"""Streamlit searches the whole heap for garbage after every run of a script: keep that short."""

import gc

import streamlit as st


@st.cache_resource(show_spinner=False)
def settle(page: str) -> None:
    """Once this page's modules are imported, what is there stays: it need not be searched again.

    The search holds up what was drawn last: on two cores by a tenth of a second and more.
    """
    gc.collect()
    gc.freeze()
