"""A picture that is rotated, and the attention of networks that rotates with it."""

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.job import use_one_core
from ia_engine.runs.kinds.races import RACES
from pages._ui.components.bundles import show_symbols
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
from pages._ui.panels import escape, explain, explaining, show_misleading
from pages._ui.runs.current import open_linked_run

enter("Equivariance")
use_one_core()
first = st.container()
st.markdown(
    "Rotate the picture: the attention of an **equivariant** network rotates with it, exactly at "
    "multiples of 90°. The maps of a plain network do not: rotated back, they differ."
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
except EngineError as error:  # its file is missing or was changed
    explain(error)
    st.stop()
with stage:
    show_turning(name, picture, mirrored=mirrored)
st.caption(
    f"{escape(describe(rows))} The map is the geometric mean of 1 − αX or αX over all layers of "
    "10 px and more. Of a single layer's features it is the norm."
)
show_misleading(
    "Each map has its own scale, given beside it. At multiples of 90° no pixel is interpolated, "
    "and the remaining error is rounding. At other angles, the picture and the map are both "
    "interpolated, and p4 has no such element: this error is no flaw in the network's arithmetic, "
    "and a plain network's may be smaller. The error is measured in the circle that stays in the "
    "picture at all angles; arrows sum the poses, so opposite ones cancel. Exact does not mean "
    "right: an untrained network is exact, and gives the same wrong answer at every multiple of "
    "90°.",
    key="exact nonsense",
    show=toggle_untrained,
)
with first if has_open_caption() else st.container(), explaining():
    show_views(name, picture, mirrored=mirrored)
show_symbols(
    *("α", "f", "ψ", "h", "p4", "s"), terms={"α": "attention", "ψ": "filter", "h": "result"}
)
