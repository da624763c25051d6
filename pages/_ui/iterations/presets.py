"""Settings that show one thing each; a preset runs at once."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.params import parameters
from pages._ui.iterations.controls import Kernel, Limits
from pages._ui.iterations.plots import MATRICES, VIEW
from pages._ui.state.dataset import choose

ASKED: Final = "a preset was pressed"


@dataclass(frozen=True)
class Preset:
    """A data set and the knobs that are not as usual."""

    title: str
    about: str
    data: str
    knobs: Mapping[str, float | str]
    view: str | None = None


PRESETS: Final = (
    Preset(
        "Default",
        "Experiment 1 with global search: the settings that this page starts with",
        "experiment-1",
        {},
    ),
    Preset(
        "As in the paper",
        "Figure 4: a descent that stops after a few steps leaves the first matrix imperfect, "
        "and the second iteration improves it",
        "experiment-1",
        {
            "solver": "descent",
            "schedule": "annealed",
            "rate": 1.0,
            "updates": 13,
            "bandwidth": "quantile",
            "quantile": 0.12,
            "steps": 2,
        },
        view=MATRICES,
    ),
    Preset(
        "Points",
        "Figure 2: kernel attention on blobs: points collapse to the means of their clusters",
        "blobs",
        {"steps": 6, "points_kernel_beta": 2.0},
    ),
)


def show_presets() -> None:
    """A row of buttons."""
    with st.container(horizontal=True):
        for preset in PRESETS:
            st.button(preset.title, help=preset.about, on_click=_press, args=(preset,))


def preset_pressed() -> bool:
    """Whether a preset waits to be run; it is asked once."""
    return bool(st.session_state.pop(ASKED, False))


def _press(preset: Preset) -> None:
    usual = {
        p.name: p.default
        for p in (*parameters(AttentionConfig), *parameters(Kernel), *parameters(Limits))
    }
    del usual["method"]
    choose(preset.data)
    st.session_state.update(usual | dict(preset.knobs))
    for name, value in preset.knobs.items():
        with suppress(StreamlitAPIException):  # knobs on the page see to the address themselves
            st.query_params[name] = str(value)
    st.session_state[ASKED] = True
    if preset.view:
        st.session_state[VIEW] = preset.view
