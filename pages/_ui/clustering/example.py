"""A clustering of handwritten digits, computed beforehand."""

from pathlib import Path
from typing import Final

import streamlit as st

from ia_engine.runs.clustering.summary import Film, unpack_film
from ia_engine.runs.store import load_run

PATH: Final = Path(__file__).parents[3] / "assets" / "runs" / "clustering-digits.safetensors"


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> Film:
    """The film in the assets."""
    return unpack_film(load_run(PATH)[1])
