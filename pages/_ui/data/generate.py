"""The Generate tab: the images to copy, the number of copies and their distortions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Recipe
from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import FAMILIES, TILE_COLUMNS, Tile, draw_tiles, list_tiles
from pages._ui.components.tiles import send_tile_sheet, show_tiles
from pages._ui.data.catalogue import absent
from pages._ui.data.controls import edit_config
from pages._ui.data.distortions import Change, edit_distortions
from pages._ui.panels import explain, explaining
from pages._ui.state.data import Draft, data_state, find_generated
from pages._ui.state.dataset import choose_data, last_recipe, requested_recipe, source_of
from pages._ui.state.fields import read_value, set_value

MAX_LIVE_PIXELS: Final = 1 << 19
"""Larger sets are not made while a slider moves; the page shows a preview instead."""


def generate() -> str | None:
    """Draw the controls and show their data; return the recipe of a preview if the set is large."""
    draft = data_state.update_draft()
    edited = _edit(draft.config, str(draft.stamp))
    large = _count_pixels(edited) > MAX_LIVE_PIXELS
    if (edited != draft.config or _shows_other_data()) and not large:
        data_state.replace_recipe(_to_recipe(edited))
    data_state.draft = Draft(requested_recipe(), edited, draft.stamp)
    return _offer(edited) if large and find_generated(requested_recipe()) != edited else None


def _edit(config: GeneratedConfig, stamp: str) -> GeneratedConfig:
    bases = _pick_bases(config.bases, f"bases {stamp}")
    if not bases:
        st.info("Choose at least one picture to copy.")
    config = edit_config(config, stamp, ["copies", "seed", "size", "fill"], columns=2)
    row = edit_distortions(config.distortions, config.size, stamp, _change_distortions)
    try:
        return replace(config, bases=bases or config.bases, distortions=row)
    except EngineError as error:
        explain(error)
        return config


def _pick_bases(bases: Sequence[str], key: str) -> tuple[str, ...]:
    """Ask for images to copy; return their names in the order in which they were chosen."""
    tiles = list_tiles()
    titles = {tile.name: tile.title for tile in tiles}
    above = st.container()
    chosen: list[str] = st.multiselect(
        "Images to copy",
        [*dict.fromkeys([*titles, *bases])],
        bases,
        format_func=lambda name: titles.get(name, name),
        key=key,
        placeholder="Click pictures above, or type a name",
        help="Each image becomes a class. Click a picture above to add or remove it",
    )
    with above, explaining(), st.container(gap=None):
        show_tiles(
            [(tile.name, tile.title, tile.family) for tile in tiles],
            FAMILIES,
            TILE_COLUMNS,
            key="tiles",
            chosen=chosen,
            on_toggle=lambda name: _toggle(key, name),
        )
        send_tile_sheet(_draw_sheet(tiles), "tile sheet")
    return tuple(chosen)


def _toggle(key: str, name: str) -> None:
    """Add a name to the list of chosen images, or remove it."""
    chosen = read_value(key, list[str]())
    others = [other for other in chosen if other != name]
    set_value(key, others if name in chosen else [*chosen, name])


@st.cache_data(max_entries=2, show_spinner=False)
def _draw_sheet(tiles: tuple[Tile, ...]) -> bytes:
    return draw_tiles(tiles)


def _change_distortions(change: Change) -> None:
    """Change the list of distortions, and make new controls for it."""
    _, config, stamp = data_state.draft
    config = replace(config, distortions=change(config.distortions))
    if _count_pixels(config) <= MAX_LIVE_PIXELS:
        choose_data(_to_recipe(config))
    data_state.draft = Draft(requested_recipe(), config, stamp + 1)


def _shows_other_data() -> bool:
    """Return True if data of a different kind are shown.

    Return False if the data in the address cannot be shown. The page explains this until
    a control is changed.
    """
    explained = requested_recipe() != last_recipe() and not absent(source_of(requested_recipe()))
    return not explained and find_generated(requested_recipe()) is None


def _offer(config: GeneratedConfig) -> str:
    """Draw a button that makes the complete set; return the recipe of a preview until then."""
    st.button(
        f"Make all {len(config.bases) * config.copies:,} images",
        on_click=choose_data,
        args=(_to_recipe(config),),
        width="stretch",
        help="A set of this size is not recomputed every time a control changes",
    )
    copies = max(1, config.copies * MAX_LIVE_PIXELS // _count_pixels(config))
    bases = config.bases[: max(1, MAX_LIVE_PIXELS // config.size**2)]
    return _to_recipe(replace(config, copies=copies, bases=bases))


def _to_recipe(config: GeneratedConfig) -> str:
    return Recipe("generated", config).to_json()


def _count_pixels(config: GeneratedConfig) -> int:
    return len(config.bases) * config.copies * config.size**2
