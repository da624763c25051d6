"""Controls of Compare."""

from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.runs.comparison.config import TITLES, ComparisonConfig
from pages._ui.controls import edit
from pages._ui.state.compare import CompareState, compare_state

MOST_CLASSES: Final = 40


def ask_settings(data: ImageSet) -> ComparisonConfig | None:
    """Draw the controls and read them; None if no method is chosen."""
    known = len(data.classes) if data.labels is not None else 0
    k = known if 2 <= known <= min(MOST_CLASSES, len(data.images) - 1) else 0
    compare_state.set_k(data.recipe.to_json(), k)
    compare_state.set_linked_controls()
    config = ComparisonConfig(k=k)
    row = st.columns([4, 3, 3, 3, 2], gap="medium", vertical_alignment="bottom")
    for cell, name in zip(row[1:4], ("k", "budget", "images"), strict=True):
        with cell:
            config = edit(config, only=[name])
    with row[4].popover("More", help="Averaging steps and seed", width="stretch"):
        config = edit(config, only=["averagings", "seed"])
    with row[0]:
        methods = _ask_methods()
    if not config.k:
        st.caption(
            "K is not set. Attention and mean shift determine K themselves; all other methods use "
            "the K for which K-means has the best silhouette."
        )
    if not methods:
        st.info("Choose at least one method.")
        return None
    return replace(config, methods=methods)


def _ask_methods() -> tuple[str, ...]:
    """Ask for the methods to run; return them in the order of the catalogue."""
    count = len(compare_state.read_methods())
    label = "All methods" if count == len(TITLES) else f"{count} of {len(TITLES)} methods"
    with st.popover(label, width="stretch"):
        with st.container(horizontal=True):
            st.button("All", on_click=_choose, args=(list(TITLES),), help="Select all methods")
            st.button("None", on_click=_choose, args=([],), help="Deselect every method")
        chosen = st.pills(
            "Methods",
            list(TITLES),
            selection_mode="multi",
            key=CompareState.methods.key,
            format_func=TITLES.__getitem__,
            help="The address and the command line use short names",
        )
    names = tuple(name for name in TITLES if name in chosen)
    compare_state.write_methods(names)
    return names


def _choose(names: list[str]) -> None:
    compare_state.methods = names
