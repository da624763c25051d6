"""Setting a page to a caption; saving its settings and restoring them when the viewer returns."""

from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any, Final

from streamlit.errors import StreamlitAPIException

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.manifolds.pair import PairConfig
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.params import parameters
from pages._ui.lessons.lesson import Caption, Place
from pages._ui.state.dataset import ADDRESS as DATA
from pages._ui.state.dataset import choose_data
from pages._ui.state.fields import (
    has_value,
    read_parameter,
    read_value,
    set_value,
    write_parameter,
)
from pages._ui.state.iterations import Kernel, Limits
from pages._ui.state.selection import forget_selection, runs_state
from pages._ui.state.viewer import Left, Setting, lessons_state

ADDRESS_ONLY: Final[Mapping[str, tuple[str, ...]]] = {
    "manifolds": ("i", "j", "sigma", "turn"),
    "equivariance": ("layer", "turn"),
}
"""Settings that a page reads from its address; no widget has their names."""
HIDDEN: Final = ("method", "iterations", "period")
"""Parameters of the configs that have no control on any page."""
CONFIGS: Final[Mapping[str, tuple[type, ...]]] = {
    "iterations": (AttentionConfig, Kernel, Limits),
    "mean": (MeanConfig,),
    "manifolds": (PairConfig,),
    "clustering": (ClusterConfig,),
}
"""The configs whose parameters are controls of a page."""
OTHER_CONTROLS: Final[Mapping[str, Mapping[str, Setting]]] = {
    "iterations": {"view": "Distances"},
    "manifolds": dict.fromkeys(ADDRESS_ONLY["manifolds"], ""),
    "clustering": {
        "budget": 60.0,
        "seed": 0,
        "modules": ("affine", "morphology", "tps"),
        "view": "Samples",
    },
    "equivariance": {
        "network": "alpha-f-p4",
        "picture": "scribbled 3",
        "mirror": False,
        "view": "Layer by layer",
        "side": "even: 8 px",
        "way": "stride 2",
        **dict.fromkeys(ADDRESS_ONLY["equivariance"], ""),
    },
}
"""The other controls of a page, with their defaults."""


@cache
def default_settings(page: str) -> Mapping[str, Setting]:
    """Return the controls of a page with their defaults."""
    named = [p for config in CONFIGS.get(page, ()) for p in parameters(config)]
    of_configs: dict[str, Any] = {p.name: p.default for p in named if p.name not in HIDDEN}
    return {**of_configs, **OTHER_CONTROLS.get(page, {})}


def apply_settings(caption: Caption, keep: Container[str] = ()) -> None:
    """Set the page to a caption before its widgets are drawn; parameters in `keep` are kept."""
    if caption.data and DATA not in keep:
        choose_data(caption.data)
    forget_selection()
    address_only = ADDRESS_ONLY.get(caption.page, ())
    for name, value in {**default_settings(caption.page), **caption.settings}.items():
        if name in keep:
            continue
        given, plain = name in caption.settings, list(value) if isinstance(value, tuple) else value
        if name not in address_only and (given or has_value(name)):
            set_value(name, plain)
        with suppress(StreamlitAPIException):  # a widget of the page writes its own parameter
            text = plain if isinstance(plain, list) else str(plain)
            write_parameter(name, text if given else None)


def save_settings(place: Place) -> None:
    """Remember the current settings of the page for this caption."""
    page, address_only = place.caption.page, ADDRESS_ONLY.get(place.caption.page, ())
    values: dict[str, Any] = {name: read_value(name, None) for name in default_settings(page)}
    values |= {name: read_parameter(name) for name in address_only}
    settings = {name: value for name, value in values.items() if value is not None}
    data = read_parameter(DATA) or ""
    lessons_state.left = Left(place.name, settings, data, runs_state.linked_run)


def restore_settings(place: Place, left: Left) -> None:
    """Set the page of a caption as the viewer left it, with its run."""
    apply_settings(replace(place.caption, settings=left.settings, data=left.data))
    if left.run:
        runs_state.link = runs_state.make_link(left.run)
