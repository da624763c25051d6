"""Drawings, icons and digits to click on: a picture book beside the list that holds the choice."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.figures.mosaic import FAMILIES, TILE_COLUMNS, Tile, draw_tiles, list_tiles
from pages._ui.assets import component
from pages._ui.panels import explaining

KEY: Final = "tiles"
TOGGLED: Final = "toggled"

_sheet = component("ia_tile_sheet", "tile_sheet", styled=False)
_picker = component("ia_tiles", "tiles")


def pick_bases(bases: Sequence[str], stamp: str) -> tuple[str, ...]:
    """The names of what is chosen, in the order in which it was chosen."""
    tiles, key = list_tiles(), f"bases {stamp}"
    titles = {tile.name: tile.title for tile in tiles}
    names = [*dict.fromkeys([*titles, *bases])]
    slot = st.container()
    chosen: list[str] = st.multiselect(
        "Images to copy",
        names,
        bases,
        format_func=lambda name: titles.get(name, name),
        key=key,
        placeholder="Click on pictures below, or type a name",
        help="Each becomes a class; the pictures below choose and drop them as well",
    )
    with slot, explaining():
        _book(tiles, chosen, key)
    return tuple(chosen)


def _book(tiles: tuple[Tile, ...], chosen: Sequence[str], key: str) -> None:
    with st.container(gap=None):
        _picker(
            key=KEY,
            data={
                "tiles": [[tile.name, tile.title, tile.family] for tile in tiles],
                "families": FAMILIES,
                "columns": TILE_COLUMNS,
                "chosen": list(chosen),
            },
            on_toggled_change=lambda: _toggle(key),
        )
        _sheet(key="tile sheet", data=_draw(tiles), height=1)


def _toggle(key: str) -> None:
    """A click in the book changes the list, before the page is run again."""
    name = st.session_state[KEY].get(TOGGLED)
    chosen = list(st.session_state[key])
    if name:
        st.session_state[key] = (
            [other for other in chosen if other != name] if name in chosen else [*chosen, name]
        )


@st.cache_data(max_entries=2, show_spinner=False)
def _draw(tiles: tuple[Tile, ...]) -> bytes:
    return draw_tiles(tiles)
