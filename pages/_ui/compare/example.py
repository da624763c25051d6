"""A comparison and its sweeps, computed beforehand."""

from typing import Final

import streamlit as st

from ia_engine.files import find_shipped
from ia_engine.runs.comparison.store import Kept, unpack_kept
from ia_engine.runs.store import load_run

NAME: Final = "runs/comparison.safetensors"


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> Kept:
    """What is in the assets."""
    return unpack_kept(load_run(find_shipped(NAME))[1])
