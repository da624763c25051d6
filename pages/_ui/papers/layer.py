"""Figure 6, live: the branch of any layer for any digit, at once."""

from typing import Final

import streamlit as st

from ia_engine.equivariant.digits import draw_digit
from ia_engine.figures.papers.drawing import draw_diagram
from ia_engine.figures.papers.panels import Diagram
from ia_engine.runs.papers.attentive_parts import NETWORKS, draw_branch, follow_branch
from pages._ui.drawing import show_drawing
from pages._ui.theme_colours import theme_colour_map

LIVE: Final = "gcnn-figure-6"
LAYERS: Final = (1, 2, 3, 4, 5, 6)
FILTERS: Final = tuple(range(10))


def show_layer() -> None:
    """Digit, layer and filter to choose; the diagram follows."""
    st.markdown("**Live.** Follow a digit of your choice through the branch of a layer.")
    network = st.selectbox("Network", list(NETWORKS), format_func=NETWORKS.__getitem__,
                           key="branch of")  # fmt: skip
    digit = st.segmented_control("Digit", list(range(10)), default=3, required=True,
                                    key="digit of the branch")  # fmt: skip
    second, third = st.columns([3, 1], vertical_alignment="bottom")
    layer = second.segmented_control("Layer", LAYERS, default=2, required=True,
                                     key="layer of the branch")  # fmt: skip
    output = third.selectbox("Filter", FILTERS, key="filter of the branch",
                             help="Whose responses and result are shown")  # fmt: skip
    drawn, error = _branch(str(network), int(digit or 0), int(layer or 2), int(output or 0))
    show_drawing(draw_diagram(drawn, theme_colour_map()), "live branch")
    st.caption(f"Put together from these arrays, the layer's result is met to {error:.0e}.")


@st.cache_resource(max_entries=32, show_spinner=False)
def _branch(network: str, digit: int, layer: int, output: int) -> tuple[Diagram, float]:
    branch = follow_branch(network, draw_digit(digit), layer, output)
    title = f"{NETWORKS[network]}, layer {layer}, digit {digit}"
    return draw_branch(branch, title), branch.error
