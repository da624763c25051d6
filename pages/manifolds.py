"""Two images, every rotation and translation between them, and the results of both solvers."""

import streamlit as st

from ia_engine.attention.manifolds.sample import MAX_IMAGES, MAX_SIDE, ImageSample, gather
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES
from ia_engine.runs.job import use_one_core
from pages._ui.manifolds.landscape import explain_landscape, show_landscape
from pages._ui.manifolds.pair import pick_pair, show_example, show_matrix
from pages._ui.manifolds.rotation import show_rotation
from pages._ui.page import enter
from pages._ui.panels import explaining, show_count, show_symbols
from pages._ui.state.dataset import load_data, select_data
from pages._ui.state.selection import read_selection, selected


@st.cache_resource(max_entries=4, show_spinner=False)
def gather_sample(digest: str, _data: ImageSet) -> ImageSample:
    """Return the images of the page."""
    return gather(_data, MAX_IMAGES)


enter("Manifolds")
use_one_core()
st.markdown(
    "All rotated and translated copies of an image form a **manifold**. The distance between two "
    "images is the distance between their manifolds. Choose two images to see which poses must be "
    "searched."
)
select_data()
data = load_data()
if isinstance(data, ImageSet) and len(data.names):
    read_selection(data.digest, len(data.names))
    sample = gather_sample(data.digest, data)
    left, right = st.columns([1, 2], gap="medium")
    with left:
        i, j = pick_pair(sample, is_experiment=data.recipe == RECIPES["experiment-1"])
        if sample.total > len(sample.names):
            show_count(len(sample.names), sample.total, "images")
        if sample.reduced:
            st.caption(
                f"Reduced to at most {MAX_SIDE} px per side; px are pixels of the reduced images."
            )
        explain_landscape()
    with right:
        show_landscape(sample, i, j)
    matrices = show_matrix(sample, i, j)
    show_rotation(sample, matrices, (i, j), selected())
else:
    st.info("This page needs images. Choose an image set above.")
with explaining():
    show_example()
show_symbols(
    *("v", "d", "τ", "θ", "b", "σ", "N", "W", "κ", "β", "γ"),
    terms={"d": "d2", "τ": "pose", "σ": "sigma", "W": "W", "θ": "turn"},
)
