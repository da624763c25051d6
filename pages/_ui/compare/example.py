"""A comparison and its sweeps, computed beforehand."""

from pathlib import Path
from typing import Final

import streamlit as st

from ia_engine.runs.comparison.store import Kept, unpack_kept
from ia_engine.runs.store import load_run

PATH: Final = Path(__file__).parents[3] / "assets" / "runs" / "comparison.safetensors"


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> Kept:
    """What is in the assets."""
    return unpack_kept(load_run(PATH)[1])
