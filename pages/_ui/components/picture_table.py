"""A table of pictures, some of which can be chosen by a click."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from ia_engine.figures.clustering.export import pack_pixels
from ia_engine.runs.clustering.run import Picture
from pages._ui.components.bundles import component
from pages._ui.state.selection import select_pair

_table = component("ia_pictures", "picture_table")


@dataclass(frozen=True)
class Words:
    """What stands around the pictures, which are in rows of so many columns."""

    columns: int
    size: int = 96
    """How wide a picture is at most [px]."""
    heads: Sequence[str] = ()
    sides: Sequence[str] = ()
    captions: Sequence[str] = ()
    about: Sequence[str] = ()
    """A description of each picture."""
    marked: Sequence[int] = ()
    terms: Mapping[int, str] = field(default_factory=dict)
    """Of a formula beside them: what some pictures stand for."""
    picks: Mapping[int, int] = field(default_factory=dict)
    """What a click on a picture stands for, of those that can be clicked."""


def show_pictures(pixels: Picture, words: Words, key: str) -> None:
    """Show pictures [n h w c]; a click on one that stands for an image selects that image."""
    header = {
        "key": key,
        "columns": words.columns,
        "size": words.size,
        "heads": list(words.heads),
        "sides": list(words.sides),
        "captions": list(words.captions),
        "about": list(words.about),
        "marked": list(words.marked),
        "terms": {str(at): name for at, name in words.terms.items()},
        "picks": {str(at): pick for at, pick in words.picks.items()},
    }
    _table(key=key, data=pack_pixels(header, pixels), on_picked_change=lambda: _pick(key))


def _pick(key: str) -> None:
    answer = st.session_state[key].get("picked")
    if answer is not None and answer[1] == key:
        select_pair((int(answer[0]),), (0, 0))
