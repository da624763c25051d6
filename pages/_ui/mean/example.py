"""Experiment 2 as in the paper, computed beforehand."""

from typing import Final

import streamlit as st

from ia_engine.figures.mean import MeanFilm, unpack_film
from ia_engine.files import find_shipped
from ia_engine.runs.store import load_run

NAME: Final = "runs/experiment-2-mean.safetensors"


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> MeanFilm:
    """The film in the assets."""
    return unpack_film(load_run(find_shipped(NAME))[1])
