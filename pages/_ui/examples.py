"""The player with a precomputed example, shown before the first run."""

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.datasets.data import Data, PointSet
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.figures.player import PlayedRun, PlayerHeader, describe_run
from ia_engine.files import find_shipped
from ia_engine.runs.attend import Plan, find_white, measure_frames, plan
from ia_engine.runs.example import Example, load_example
from pages._ui.components.player import PlayerState, connect, play, play_connected, read
from pages._ui.state.iterations import Runs
from pages._ui.state.selection import read_selection, selected


@st.cache_resource(max_entries=4, show_spinner=False)
def example(name: str) -> Example:
    """Return the precomputed example with this name."""
    return load_example(find_shipped(f"runs/{name}.safetensors"))


def play_example(
    name: str, key: str, runs: list[PlayedRun] | None = None, header: PlayerHeader | None = None
) -> PlayerState:
    """Show the player with the example, or with other runs of the same images.

    Selected images of a different data set stay selected.
    """
    runs, header = runs or runs_of(name), header or header_of(name)
    digest, n, run = make_data(name).digest, len(example(name).names), f"example {name}"
    if selected().digest not in ("", digest):
        return play(runs, header, key)
    read_selection(digest, n)
    return play_connected(runs, connect(header, key, range(n), run), key, run)


def example_betas(name: str, key: str) -> tuple[dict[str, float], int]:
    """Return the values of β that were changed in the example's player, and its iteration."""
    betas, state = example(name).betas, read(runs_of(name), header_of(name), key)
    now = dict(zip(example(name).frames, state.betas, strict=True))
    return {method: beta for method, beta in now.items() if beta != betas[method]}, state.step


@st.cache_resource(max_entries=4, show_spinner=False)
def make_data(name: str) -> Data:
    """Return the data of the example; their digest may differ from that in the recorded example."""
    return make(load_recipe(example(name).record.recipe))


@st.cache_resource(max_entries=4, show_spinner=False)
def measure_example(name: str) -> tuple[Plan, Runs]:
    """Return the plan of the example and the steps of its methods, for plots below its player."""
    shown, data = example(name), make_data(name)
    kernel = AttentionConfig(method="ka", beta=shown.betas["ka"])
    configs = {"ia": AttentionConfig.from_json(shown.record.config), "ka": kernel}
    planned = plan([*configs.values()], data, len(shown.names))
    v = data.points if isinstance(data, PointSet) else normalise(data.images)
    white = find_white(v)
    runs = {
        method: measure_frames(configs[method], frames, shown.betas[method], white, data.labels)
        for method, frames in shown.frames.items()
    }
    return planned, runs


def runs_of(name: str) -> list[PlayedRun]:
    """Return the precomputed runs of both methods."""
    shown = example(name)
    return [
        describe_run(
            name, AttentionConfig(method=method), frames, len(frames), beta=shown.betas[method]
        )
        for method, frames in shown.frames.items()
    ]


def header_of(name: str) -> PlayerHeader:
    """Return the header of the player, which both methods share."""
    shown = example(name)
    return PlayerHeader(
        names=shown.names, labels=shown.labels, classes=shown.classes, poses="aligning"
    )
