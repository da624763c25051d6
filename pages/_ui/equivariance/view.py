"""What is shown below the dial: one view at a time, since hidden ones would compute too."""

from typing import Final

import streamlit as st

from pages._ui.controls import choose_one
from pages._ui.equivariance.convolution import show_convolution, show_strides
from pages._ui.equivariance.networks import network
from pages._ui.equivariance.picture import Picture
from pages._ui.equivariance.training import show_training
from pages._ui.equivariance.turning import show_answers, show_layers

LAYERS, ANSWERS, STRIDES, PARTS, TRAIN = VIEWS = (
    "Layer by layer",
    "Answers",
    "Stride and parity",
    "Inside a convolution",
    "Train",
)


KEY: Final = "view"


OPENED: Final = "training opened"


def show_views(name: str, picture: Picture, *, mirrored: bool) -> None:
    """The view that was chosen; whoever comes for a run wants to see it."""
    job = st.query_params.get("job", "")
    if job != st.session_state.get(OPENED, ""):
        st.session_state[OPENED], st.session_state[KEY] = job, TRAIN
    view = choose_one("Look closer", VIEWS, LAYERS, key=KEY)
    if view == ANSWERS:
        show_answers(name, picture, mirrored=mirrored)
    elif view == STRIDES:
        show_strides(picture)
    elif view == PARTS:
        show_convolution(network(name), picture)
    elif view == TRAIN:
        show_training()
    else:
        show_layers(network(name))
