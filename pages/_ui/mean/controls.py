"""What is averaged, and the knobs of Algorithm 1 with two presets, which run at once."""

from typing import Final

import streamlit as st

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.data import ImageSet
from pages._ui.controls import edit, is_option

ALL: Final = "all images"
ASKED: Final = "a preset of the mean was pressed"
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


NAMES: Final = {"pairwise": "Warm start", "identity": "Descent", "random": "Chance start"}


def pick_class(data: ImageSet) -> str:
    """One class of a labelled set, the first unless told; nothing stands for all images."""
    if len(data.classes) < 2:
        return ""
    options = [*data.classes, ALL]
    bound = "query-params" if is_option("class", options, options[0]) else None
    if st.session_state.get("class", options[0]) not in options:
        del st.session_state["class"]  # a class of the data that were chosen before
    answer = st.selectbox("Class", options, key="class", help="Whose mean is computed", bind=bound)
    return "" if answer == ALL else str(answer)


def ask_config() -> MeanConfig:
    """The presets, which choose how it starts, and what matters for both; the rest on demand."""
    presets, *columns, last = st.columns([6, 4, 4, 3], gap="medium", vertical_alignment="bottom")
    with presets.container(horizontal=True):
        for name, (preset, about) in PRESETS.items():
            st.button(name, help=about, on_click=_turn_to, args=(preset,))
    config = MeanConfig()
    for column, name in zip(columns, ("steps", "sigma"), strict=True):
        with column:
            config = edit(config, only=[name])
    with last.popover("More", icon=":material/tune:", width="stretch"):
        config = edit(config, only=["group", "start", "schedule", "rate"])
        if config.start != "identity":
            st.caption("Schedule and rate belong to the descent from the identity.")
    return config


def name_run(config: MeanConfig) -> str:
    """A run in two words, since the list of runs shows no more."""
    return f"{NAMES[config.start]}, {config.steps} iterations"


def preset_pressed() -> bool:
    """Whether a preset waits to be run; it is asked once."""
    return bool(st.session_state.pop(ASKED, False))


def _turn_to(preset: MeanConfig) -> None:
    st.session_state.update(vars(preset))
    st.session_state[ASKED] = True
