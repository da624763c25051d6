"""The data that all pages use: ready-made, generated, or uploaded."""

import streamlit as st

from ia_engine.datasets.data import count
from pages._ui.controls import choose_one
from pages._ui.data.catalogue import absent, choose_ready_made, offer_download
from pages._ui.data.generate import generate
from pages._ui.data.upload import upload
from pages._ui.data.view import show_preview, show_set
from pages._ui.page import enter
from pages._ui.panels import show_symbols
from pages._ui.state.dataset import UPLOAD, load_data, requested_recipe, source_of
from pages._ui.state.selection import read_selection

WAYS = {"Ready-made": choose_ready_made, "Generate": generate, "Upload": upload}
FIRST_WAYS = {"generated": "Generate", UPLOAD: "Upload"}
# The picture stays visible while the user scrolls the controls beside it.
STICKY = """<style>
@media (min-width: 800px) {
  [data-testid="stColumn"]:has(> * .st-key-picture) {
    position: sticky; top: 4rem; align-self: flex-start;
  }
}
</style>"""

enter("Data")
st.markdown(
    "Choose a data set, generate transformed copies of images, or upload your own. All other pages "
    "use the images shown on the right. The address of this page recreates them; it identifies "
    "uploaded files, but does not contain them."
)
way = choose_one(
    "Source of the images",
    list(WAYS),
    FIRST_WAYS.get(source_of(requested_recipe()), "Ready-made"),
    key="way",
    hidden=True,
)
controls, picture = st.columns([2, 3], gap="large")
with controls:
    preview = WAYS[way]()
with picture, st.container(key="picture"):
    st.html(STICKY)
    source = source_of(requested_recipe())
    if preview:
        show_preview(preview)
    elif source != UPLOAD and (missing := absent(source)):
        offer_download(missing)
    else:
        data = load_data()
        read_selection(data.digest, count(data))
        show_set(data)
show_symbols("n", "v", "𝕋", "θ", "b", "SE(2)")
