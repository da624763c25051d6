"""A table of pictures; a click selects some of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ia_engine.figures.clustering.export import pack_pixels
from ia_engine.runs.clustering.run import Picture
from pages._ui.components.bundles import component
from pages._ui.state.fields import read_value
from pages._ui.state.selection import select_pair

_table = component("ia_pictures", "picture_table")


@dataclass(frozen=True)
class Words:
    """The texts around the pictures, and their number of columns."""

    columns: int
    size: int = 96
    """Maximum width of a picture [px]."""
    heads: Sequence[str] = ()
    sides: Sequence[str] = ()
    captions: Sequence[str] = ()
    about: Sequence[str] = ()
    """A description of each picture."""
    marked: Sequence[int] = ()
    terms: Mapping[int, str] = field(default_factory=dict)
    """Terms of a formula beside the table, by picture."""
    picks: Mapping[int, int] = field(default_factory=dict)
    """The image that a click on a picture selects; other pictures cannot be clicked."""


def show_pictures(pixels: Picture, words: Words, key: str) -> None:
    """Show pictures [n h w c]; a click selects the image of the picture, if it has one."""
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
    answer = read_value(key, dict[str, Any]()).get("picked")
    if answer is not None and answer[1] == key:
        select_pair((int(answer[0]),), (0, 0))
