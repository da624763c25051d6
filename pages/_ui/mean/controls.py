"""Controls of Mean: the images to average, the settings of Algorithm 1, and two presets."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.data import ImageSet
from pages._ui.controls import bind_option, edit
from pages._ui.state.mean import mean_state

ALL: Final = "all images"
PRESETS: Final = {
    "As in the paper": (
        MeanConfig(start="identity", schedule="greedy", steps=50),
        "Descent from the identity, σ searched greedily at every iteration, 50 iterations",
    ),
    "Warm start": (
        MeanConfig(start="pairwise", steps=5),
        "Second-order steps from the poses of all pairs, 5 iterations",
    ),
}
STARTS: Final = {"pairwise": "Warm start", "identity": "Descent", "random": "Random start"}


def offer_classes(rows: Sequence[int]) -> None:
    """State that the images of a cluster are averaged, with a button that shows the classes."""
    st.button(
        f"Cluster: {len(rows):,} images",
        icon=":material/close:",
        width="stretch",
        on_click=mean_state.show_classes,
        help="The images of a cluster that was found on Iterations are averaged. Click to choose "
        "a class instead",
    )


def pick_class(data: ImageSet) -> str:
    """Ask for a class of the data; return "" for all images."""
    if len(data.classes) < 2:
        return ""
    options = [*data.classes, ALL]
    bound = bind_option("class", options, options[0])
    mean_state.check_class(options)
    answer = st.selectbox(
        "Class", options, key="class", help="The class whose mean is computed", bind=bound
    )
    return "" if answer == ALL else str(answer)


def ask_config() -> MeanConfig:
    """Draw the presets and the settings, most of them inside "More"; return the config."""
    presets, *columns, last = st.columns([6, 4, 4, 3], gap="medium", vertical_alignment="bottom")
    with presets.container(horizontal=True):
        for name, (preset, about) in PRESETS.items():
            st.button(name, help=about, on_click=mean_state.press_preset, args=(preset,))
    config = MeanConfig()
    for column, name in zip(columns, ("steps", "sigma"), strict=True):
        with column:
            config = edit(config, only=[name])
    with last.popover("More", icon=":material/tune:", width="stretch"):
        config = edit(config, only=["group", "start", "schedule", "rate"])
        if config.start != "identity":
            st.caption("Schedule and rate are used only by descent from the identity.")
    return config


def name_run(config: MeanConfig) -> str:
    """Return the start and the number of iterations as a title for the runs list."""
    return f"{STARTS[config.start]}, {config.steps} iterations"
