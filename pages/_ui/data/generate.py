"""Generate: which images, how many copies, and what is done to them."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Recipe
from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.datasets.recipes import RECIPES, load_recipe
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import FAMILIES, TILE_COLUMNS, Tile, draw_tiles, list_tiles
from pages._ui.components.bundles import component
from pages._ui.data.catalogue import absent
from pages._ui.data.controls import ask
from pages._ui.data.distortions import Change, edit_distortions
from pages._ui.panels import explain, explaining
from pages._ui.state.dataset import asked, choose, shown_name, source_of

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


DRAFT: Final = "generated draft"
LEFT: Final = "addresses that a slider has just left"
SETTLED: Final = 2.0
"""Seconds after which the browser has the address that it was told."""
LIVE: Final = 1 << 19
"""So many pixels are made anew while a slider moves; of more only a part is."""


def build() -> str | None:
    """The controls; the set follows them, or a small part of it if it is large: its recipe."""
    config, stamp = _draft()
    edited = _edit(config, stamp)
    large = _pixels(edited) > LIVE
    if (edited != config or _shows_others()) and not large:
        _leave(asked())
        choose(Recipe("generated", edited).to_json())
    st.session_state[DRAFT] = (asked(), edited, stamp)
    return _offer(edited) if large and _config_of(asked()) != edited else None


def _draft() -> tuple[GeneratedConfig, int]:
    """What the controls stand at, and a number that rises when they have to be made anew."""
    seen, config, stamp = st.session_state.get(DRAFT, ("", GeneratedConfig(), 0))
    if seen != asked() and _lags(asked()):
        choose(seen)
    if seen != asked():
        known = _config_of(asked())
        config, stamp = known or config, stamp + 1
    return config, stamp


def _leave(recipe: str) -> None:
    """Remember the address that a slider leaves behind, and when."""
    st.session_state[LEFT] = {**st.session_state.get(LEFT, {}), recipe: time.monotonic()}


def _lags(recipe: str) -> bool:
    """Whether it is an address just left, which the browser still had while a key was held."""
    left: dict[str, float] = st.session_state.get(LEFT, {})
    now = time.monotonic()
    st.session_state[LEFT] = {name: at for name, at in left.items() if now - at < SETTLED}
    return recipe in st.session_state[LEFT]


def _config_of(recipe: str) -> GeneratedConfig | None:
    """The config of generated data; nothing for other data and for what is no recipe."""
    try:
        known = RECIPES[recipe] if recipe in RECIPES else load_recipe(recipe)
    except EngineError:
        return None
    if known.source not in ("generated", "experiment-1"):
        return None
    return GeneratedConfig.from_json(known.config.to_json())


def _shows_others() -> bool:
    """Whether data of another kind are shown; not if what the address asks for has to be explained.

    Then that is said beside the controls until one of them is touched.
    """
    met = asked() == shown_name() or absent(source_of(asked()))
    return bool(met) and _config_of(asked()) is None


def _edit(config: GeneratedConfig, stamp: int) -> GeneratedConfig:
    bases = pick_bases(config.bases, str(stamp))
    if not bases:
        st.info("Choose at least one picture to copy.")
    config = ask(config, str(stamp), ["copies", "seed", "size", "fill"], columns=2)
    row = edit_distortions(config.distortions, config.size, str(stamp), _restructure)
    try:
        return replace(config, bases=bases or config.bases, distortions=row)
    except EngineError as error:
        explain(error)
        return config


def _restructure(change: Change) -> None:
    """Another list of distortions, and controls that are made anew from it."""
    _, config, stamp = st.session_state[DRAFT]
    config = replace(config, distortions=change(config.distortions))
    if _pixels(config) <= LIVE:
        choose(Recipe("generated", config).to_json())
    st.session_state[DRAFT] = (asked(), config, stamp + 1)


def _offer(config: GeneratedConfig) -> str:
    """A button that makes all of it; until then the recipe of a part of it."""
    st.button(
        f"Make all {len(config.bases) * config.copies:,} images",
        on_click=choose,
        args=(Recipe("generated", config).to_json(),),
        width="stretch",
        help="Sets of this size are not made again at every change of a control",
    )
    copies = max(1, config.copies * LIVE // _pixels(config))
    bases = config.bases[: max(1, LIVE // config.size**2)]
    return Recipe("generated", replace(config, copies=copies, bases=bases)).to_json()


def _pixels(config: GeneratedConfig) -> int:
    return len(config.bases) * config.copies * config.size**2
