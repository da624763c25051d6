"""A rotating picture, and the attention of networks that rotates with it."""

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.job import use_one_core
from ia_engine.runs.kinds.races import RACES
from pages._ui.equivariance.networks import (
    describe,
    network,
    pick_mirror,
    pick_network,
    plain_beside,
    toggle_untrained,
)
from pages._ui.equivariance.picture import pick_picture
from pages._ui.equivariance.turning import show_turning
from pages._ui.equivariance.view import show_views
from pages._ui.lessons.panel import has_open_caption
from pages._ui.page import enter
from pages._ui.panels import escape, explain, explaining, show_misleading, show_symbols
from pages._ui.runs.current import open_linked_run

enter("Equivariance")
use_one_core()
first = st.container()
st.markdown(
    "Rotate the picture: the attention of an **equivariant** network rotates with it, and does "
    "so exactly for multiples of 90°. The maps of a plain network do not: when rotated back, they "
    "differ from the original maps."
)
open_linked_run(RACES.id)
stage = st.container()
left, right = st.columns([5, 2], vertical_alignment="top")
with right:
    name = pick_network()
    mirrored = pick_mirror()
with left:
    picture = pick_picture()
rows = (name, plain_beside(name))
try:
    for row in rows:
        network(row)
except EngineError as error:  # the file of the network is missing or was changed
    explain(error)
    st.stop()
with stage:
    show_turning(name, picture, mirrored=mirrored)
st.caption(
    f"{escape(describe(rows))} The map is the geometric mean of 1 − αX or αX over all layers of "
    "10 px and more. For the features of a single layer, it is the norm."
)
show_misleading(
    "Each map has its own scale, which is given beside it. At multiples of 90° no pixel is "
    "interpolated, and the remaining error is rounding. At other angles, both the picture and the "
    "map are interpolated, and p4 does not contain the rotation. So this error is not a flaw in "
    "the network's arithmetic, and the error of a plain network may be smaller. The error is "
    "measured in the circle that stays in the picture at all angles. Arrows are sums over the "
    "poses, so opposite arrows cancel. Exact does not mean right: an untrained network is exact, "
    "and gives the same wrong answer at every multiple of 90°.",
    key="exact nonsense",
    show=toggle_untrained,
)
with first if has_open_caption() else st.container(), explaining():
    show_views(name, picture, mirrored=mirrored)
show_symbols(
    *("α", "f", "ψ", "h", "p4", "s"), terms={"α": "attention", "ψ": "filter", "h": "result"}
)
