"""Generate: which images, how many copies, and what is done to them, seen as it is turned."""

import time
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.datasets.imageset import Recipe
from ia_engine.datasets.recipes import RECIPES, load_recipe
from ia_engine.errors import EngineError
from pages._ui.chosen import asked, choose, shown_name, source_of
from pages._ui.data.absent import absent
from pages._ui.data.distortions import Change, edit_distortions
from pages._ui.data.knobs import ask
from pages._ui.data.picker import pick_bases
from pages._ui.panels import explain

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
