"""Two images, every turn and shift between them, and what the solvers make of it."""

import streamlit as st

from ia_engine.attention.manifolds.sample import MOST, SIDE, ImageSample, gather
from ia_engine.datasets.data import Data
from ia_engine.datasets.recipes import RECIPES
from ia_engine.runs.job import compute_alone
from pages._ui.formulas import show_symbols
from pages._ui.manifolds.landscape import explain_landscape, show_landscape
from pages._ui.manifolds.pair import pick_pair, show_example, show_matrix
from pages._ui.manifolds.turning import show_turning
from pages._ui.page import enter
from pages._ui.panels import explaining, shown
from pages._ui.state.dataset import chosen, pick
from pages._ui.state.selection import selected, settle_selection


@st.cache_resource(max_entries=4, show_spinner=False)
def few_of(digest: str, _data: Data) -> ImageSample:
    """The images that take part."""
    return gather(_data, MOST)


enter("Manifolds")
compute_alone()
st.markdown(
    "All turned and shifted copies of an image form a **manifold**; the distance of two images is "
    "that of their manifolds. Choose two images, and see what has to be searched to find it."
)
pick()
data = chosen()
if hasattr(data, "images") and len(data.names):
    settle_selection(data.digest, len(data.names))
    few = few_of(data.digest, data)
    left, right = st.columns([1, 2], gap="medium")
    with left:
        i, j = pick_pair(few, telling=data.recipe == RECIPES["experiment-1"])
        if few.total > len(few.names):
            shown(len(few.names), few.total, "images")
        if few.reduced:
            st.caption(f"Reduced to at most {SIDE} px a side: px means these pixels.")
        explain_landscape()
    with right:
        show_landscape(few, i, j)
    known = show_matrix(few, i, j)
    show_turning(few, known, (i, j), selected())
else:
    st.info("This page needs images. Choose an image set above.")
with explaining():
    show_example()
show_symbols(
    *("v", "d", "τ", "θ", "b", "σ", "N", "W", "κ", "β", "γ"),
    terms={"d": "d2", "τ": "pose", "σ": "sigma", "W": "W", "θ": "turn"},
)
