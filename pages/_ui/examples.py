"""Precomputed runs, shown before anything has been computed."""

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.files import find_shipped
from ia_engine.runs.example import Example, load_example
from pages._ui.components.player import (
    PlayedRun,
    PlayerHeader,
    PlayerState,
    connect,
    describe_run,
    play,
    play_connected,
    read,
)
from pages._ui.state.selection import selected, settle_selection


@st.cache_resource(max_entries=4, show_spinner=False)
def example(name: str) -> Example:
    """The example of this name."""
    return load_example(find_shipped(f"runs/{name}.safetensors"))


def play_example(
    name: str, key: str, runs: list[PlayedRun] | None = None, header: PlayerHeader | None = None
) -> PlayerState:
    """The player with the example, or with other runs of the same images.

    A selection of other data stays as it is.
    """
    runs, header = runs or runs_of(name), header or header_of(name)
    digest, n, run = _digest(name), len(example(name).names), f"example {name}"
    if selected().digest not in ("", digest):
        return play(runs, header, key)
    settle_selection(digest, n)
    return play_connected(runs, connect(header, key, range(n), run), key, run)


def turned_betas(name: str, key: str) -> tuple[dict[str, float], int]:
    """The β of the methods that were turned in the example's player, and where it rests."""
    given = example(name).betas
    state = read(runs_of(name), header_of(name), key)
    betas = dict(zip(example(name).frames, state.betas, strict=True))
    return {m: beta for m, beta in betas.items() if beta != given[m]}, state.step


@st.cache_resource(max_entries=4, show_spinner=False)
def _digest(name: str) -> str:
    """Of the data as they are made here: the record's may be another machine's."""
    return make(load_recipe(example(name).record.recipe)).digest


def runs_of(name: str) -> list[PlayedRun]:
    """Both methods, as they were precomputed."""
    shown = example(name)
    return [
        describe_run(
            name, AttentionConfig(method=method), frames, len(frames), beta=shown.betas[method]
        )
        for method, frames in shown.frames.items()
    ]


def header_of(name: str) -> PlayerHeader:
    """What both methods share."""
    shown = example(name)
    return PlayerHeader(
        names=shown.names, labels=shown.labels, classes=shown.classes, poses="common"
    )
