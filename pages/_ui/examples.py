"""Runs made beforehand, shown before anything has been computed."""

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.files import find_shipped
from ia_engine.runs.example import Example, load_example
from pages._ui.lanes import lane
from pages._ui.linked import link, play_linked
from pages._ui.player import Lane, PlayerHeader, PlayerState, play, read
from pages._ui.selection import selected, settle_selection


@st.cache_resource(max_entries=4, show_spinner=False)
def example(name: str) -> Example:
    """The example of this name."""
    return load_example(find_shipped(f"runs/{name}.safetensors"))


def play_example(name: str, key: str) -> PlayerState:
    """The player with the example in it; what is selected of other data stays as it is."""
    digest, n, run = _digest(name), len(example(name).names), f"example {name}"
    if selected().digest not in ("", digest):
        return play(_lanes(name), _header(name), key)
    settle_selection(digest, n)
    header = link(_header(name), key, range(n), run)
    return play_linked(_lanes(name), header, key, run)


def turned_betas(name: str, key: str) -> tuple[dict[str, float], int]:
    """The β of the methods that were turned in the example's player, and where it rests."""
    given = example(name).betas
    state = read(_lanes(name), _header(name), key)
    betas = dict(zip(example(name).frames, state.betas, strict=True))
    return {m: beta for m, beta in betas.items() if beta != given[m]}, state.step


@st.cache_resource(max_entries=4, show_spinner=False)
def _digest(name: str) -> str:
    """Of the data as they are made here: the record's may be another machine's."""
    return make(load_recipe(example(name).record.recipe)).digest


def _lanes(name: str) -> list[Lane]:
    shown = example(name)
    return [
        lane(name, AttentionConfig(method=method), frames, len(frames), beta=shown.betas[method])
        for method, frames in shown.frames.items()
    ]


def _header(name: str) -> PlayerHeader:
    shown = example(name)
    return PlayerHeader(
        names=shown.names, labels=shown.labels, classes=shown.classes, poses="common"
    )
