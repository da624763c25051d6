"""A page's state: set to what a caption names, all else as usual; and kept as it is left."""

from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.manifolds.pair import PairConfig
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.params import parameters
from pages._ui.lessons.lesson import Caption, Knob, Place
from pages._ui.runs.current import BEGUN
from pages._ui.runs.saved import LINK
from pages._ui.state.dataset import ADDRESS as DATA
from pages._ui.state.dataset import choose
from pages._ui.state.iterations import Kernel, Limits
from pages._ui.state.selection import forget_selection

KEPT: Final = "lesson as it was left"
ALONE: Final[Mapping[str, tuple[str, ...]]] = {"manifolds": ("i", "j", "sigma", "turn")}
"""What a page reads from its address alone: no widget of this name has a state."""
NEVER: Final = ("method", "iterations", "period")
"""Parameters that no page asks for."""


@dataclass(frozen=True)
class Left:
    """Where a viewer left a lesson, and how the page was set then."""

    name: str
    caption: Caption
    job: str


@cache
def usual(page: str) -> Mapping[str, Knob]:
    """The knobs of a page, as they are where nothing is said."""
    configs: dict[str, tuple[type, ...]] = {
        "iterations": (AttentionConfig, Kernel, Limits),
        "mean": (MeanConfig,),
        "manifolds": (PairConfig,),
        "clustering": (ClusterConfig,),
    }
    beside: dict[str, dict[str, Knob]] = {
        "iterations": {"view": "Distances"},
        "manifolds": dict.fromkeys(ALONE["manifolds"], ""),
        "clustering": {
            "budget": 60.0,
            "seed": 0,
            "modules": ("affine", "morphology", "tps"),
            "view": "Samples",
        },
        "equivariance": {
            "network": "alpha-f-p4",
            "picture": "hasty 3",
            "mirror": False,
            "view": "Layer by layer",
            "side": "even: 8 px",
            "way": "stride 2",
        },
    }
    named = [p for config in configs.get(page, ()) for p in parameters(config)]
    return {p.name: p.default for p in named if p.name not in NEVER} | beside.get(page, {})


def set_state(caption: Caption, keep: Container[str] = ()) -> None:
    """Before any widget is drawn; what is to be kept stays as the address says."""
    if caption.data and DATA not in keep:
        choose(caption.data)
    forget_selection()
    for name, value in {**usual(caption.page), **caption.knobs}.items():
        if name in keep:
            continue
        told = name in caption.knobs
        if name not in ALONE.get(caption.page, ()) and (told or name in st.session_state):
            st.session_state[name] = list(value) if isinstance(value, tuple) else value
        _tell(name, value if told else None)


def keep_state(place: Place) -> None:
    """Remember how the page is set now."""
    alone, page = ALONE.get(place.caption.page, ()), place.caption.page
    given = {name: st.query_params[name] for name in alone if name in st.query_params}
    for name in usual(page):
        if name not in alone and st.session_state.get(name) is not None:
            given[name] = st.session_state[name]
    caption = replace(place.caption, knobs=given, data=st.query_params.get(DATA, ""))
    st.session_state[KEPT] = Left(place.name, caption, st.query_params.get(LINK, ""))


def left() -> Left | None:
    """The lesson that was left last, if there is one."""
    known: Left | None = st.session_state.get(KEPT)
    return known


def bring_back(known: Left) -> None:
    """The state as it was left, with its run."""
    set_state(known.caption)
    if known.job:  # a new ending, since a link that was followed before is not followed again
        begun = st.session_state.get(BEGUN, 0)
        st.query_params[LINK] = f"{known.job.partition('.')[0]}.{begun}"


def _tell(name: str, value: Knob | None) -> None:
    """The address says what is not as usual."""
    with suppress(StreamlitAPIException):  # knobs on the page see to the address themselves
        if value is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = list(value) if isinstance(value, tuple) else str(value)
