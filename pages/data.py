"""The data that attention is shown on: ready-made, generated, or one's own."""

import streamlit as st

from ia_engine.datasets.data import count
from pages._ui.controls import choose_one
from pages._ui.data.catalogue import absent, choose_ready, offer
from pages._ui.data.generate import build
from pages._ui.data.upload import bring
from pages._ui.data.view import show_preview, show_set
from pages._ui.formulas import show_symbols
from pages._ui.page import enter
from pages._ui.state.dataset import asked, chosen, source_of
from pages._ui.state.selection import settle_selection

WAYS = {"Ready-made": choose_ready, "Generate": build, "Upload": bring}
FIRST = {"generated": "Generate", "upload": "Upload"}
# The picture stays in sight while one scrolls through the controls beside it.
STAYS = """<style>
@media (min-width: 800px) {
  [data-testid="stColumn"]:has(> * .st-key-picture) {
    position: sticky; top: 4rem; align-self: flex-start;
  }
}
</style>"""

enter("Data")
st.markdown(
    "Choose images, make transformed copies of some, or bring your own. All other pages use the "
    "images shown on the right. The address of this page recreates them; it names uploaded files, "
    "but does not contain them."
)
way = choose_one(
    "Where the images come from",
    list(WAYS),
    FIRST.get(source_of(asked()), "Ready-made"),
    key="way",
    hidden=True,
)
controls, picture = st.columns([2, 3], gap="large")
with controls:
    preview = WAYS[way]()
with picture, st.container(key="picture"):
    st.html(STAYS)
    if preview:
        show_preview(preview)
    elif missing := absent(source_of(asked())):
        offer(missing)
    else:
        data = chosen()
        settle_selection(data.digest, count(data))
        show_set(data)
show_symbols("n", "v", "𝕋", "θ", "b", "SE(2)")
