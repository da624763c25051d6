"""A picture that is turned, and the attention that turns with it."""

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.job import compute_alone
from ia_engine.runs.kinds.races import RACES
from pages._ui.equivariance.networks import (
    describe,
    network,
    pick_mirror,
    pick_network,
    plain_beside,
    take_untrained,
)
from pages._ui.equivariance.picture import pick_picture
from pages._ui.equivariance.turning import show_turning
from pages._ui.equivariance.view import show_views
from pages._ui.formulas import show_symbols
from pages._ui.lessons.panel import is_guided
from pages._ui.page import enter
from pages._ui.panels import explain, explaining, misleads, plain
from pages._ui.runs.current import open_linked_run

enter("Equivariance")
compute_alone()
first = st.container()
st.markdown(
    "Turn the picture: an **equivariant** network's attention turns with it, exactly at quarter "
    "turns. A plain network's maps do not: turned back, they are other maps."
)
open_linked_run(RACES.id)
stage = st.container()
left, right = st.columns([5, 2], vertical_alignment="top")
with right:
    name = pick_network()
    mirrored = pick_mirror()
with left:
    picture = pick_picture()
try:
    for one in (name, plain_beside(name)):
        network(one)
except EngineError as error:  # its file is missing or was changed
    explain(error)
    st.stop()
with stage:
    show_turning(name, picture, mirrored=mirrored)
st.caption(
    f"{plain(describe((name, plain_beside(name))))} The map is the geometric mean of 1 − αX or αX "
    "over all layers of 10 px and more, or of one layer's features their norm."
)
misleads(
    "Each map has a scale of its own, given beside it. At a quarter turn no pixel is interpolated, "
    "and what is left is rounding. In between, the picture and the map are both read between "
    "pixels, and p4 has no element there: that error is no flaw of the network's arithmetic, and "
    "a plain network's may be smaller. Compared is the circle that no turn leaves; arrows sum "
    "the poses, so that opposite ones cancel. Exact is not right: an untrained network is exact, "
    "and says the same nonsense at every quarter turn.",
    key="exact nonsense",
    show=take_untrained,
)
with first if is_guided() else st.container(), explaining():
    show_views(name, picture, mirrored=mirrored)
show_symbols(
    *("α", "f", "ψ", "h", "p4", "s"), terms={"α": "attention", "ψ": "filter", "h": "result"}
)
