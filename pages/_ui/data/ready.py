"""Ready-made: the catalogue, what a set of it can be told, and recipes that were saved."""

from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.datasets.recipes import DATASETS, RECIPES, load_recipe
from ia_engine.errors import EngineError
from ia_engine.params import parameters
from pages._ui.chosen import asked, choose, read_recipe, source_of
from pages._ui.data.absent import NEEDS, absent, absent_sets
from pages._ui.data.knobs import ask
from pages._ui.panels import explain, plain

CATALOGUE: Final = [name for name in RECIPES if name != "generated"]
READY: Final = "ready"
SETTINGS: Final = "settings of ready-made sets"
FILE: Final = "recipe file"
MOST_RECIPE: Final = 100_000
"""Bytes of a recipe's file."""


def choose_ready() -> None:
    """The catalogue as a list; below it what the chosen one can be told, and a saved recipe."""
    source, away = source_of(asked()), absent_sets()
    st.session_state[READY] = source if source in CATALOGUE else None
    st.radio(
        "Ready-made sets",
        CATALOGUE,
        captions=[_caption(name, away) for name in CATALOGUE],
        key=READY,
        on_change=lambda: choose(st.session_state[READY]),
        width="stretch",
    )
    if source in CATALOGUE and not absent(source):
        _settings(source)
    _open_recipe()


def _caption(name: str, away: frozenset[str]) -> str:
    about = plain(DATASETS[name].about)
    return f"{about} · *not here yet*" if NEEDS.get(name) in away else about


def _settings(source: str) -> None:
    """What the config of the chosen set can be told, except which published set it is."""
    try:
        recipe = RECIPES[source] if asked() == source else load_recipe(asked())
    except EngineError:  # said where the data would be shown
        return
    if isinstance(recipe.config, GeneratedConfig):
        st.caption("Switch to **Generate** to change it.")
        return
    seen, stamp = st.session_state.get(SETTINGS, ("", 0))
    stamp += seen != asked()
    names = [p.name for p in parameters(type(recipe.config)) if p.name != "set"]
    with st.expander("Settings of this set", icon=":material/tune:", expanded=source == "blobs"):
        config = ask(recipe.config, f"{source} {stamp}", names)
    if config != recipe.config:
        choose(replace(recipe, config=config).to_json())
    st.session_state[SETTINGS] = (asked(), stamp)


def _open_recipe() -> None:
    """A recipe that was saved, dropped here, makes the same data again."""
    with st.expander("Open a saved recipe", icon=":material/folder_open:"):
        st.file_uploader("Recipe (JSON)", type=["json"], key=FILE, on_change=_take_recipe)
        try:
            _read_recipe()
        except EngineError as error:
            explain(error)


def _take_recipe() -> None:
    try:
        recipe = _read_recipe()
    except EngineError:  # said below the file
        return
    if recipe:
        choose(recipe)


def _read_recipe() -> str:
    file = st.session_state[FILE]
    if file is None:
        return ""
    if file.size > MOST_RECIPE:
        raise EngineError(f"a recipe has at most {MOST_RECIPE:,} bytes; got {file.size:,}")
    return read_recipe(file.getvalue().decode("utf-8", "replace"))
