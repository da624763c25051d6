"""The first view: a dial that turns the picture, and the maps of two networks beside it."""

import math
from typing import Final

import streamlit as st

from ia_engine.figures.equivariance.colours import LEAST
from ia_engine.figures.equivariance.turning import Turning, pack_turning
from ia_engine.runs.threads import compute_alone
from pages._ui.assets import component
from pages._ui.equivariance.ink import tell_ink
from pages._ui.equivariance.networks import network, orbit, plain_beside
from pages._ui.equivariance.pictures import Picture
from pages._ui.numbers import number
from pages._ui.panels import note_unused
from pages._ui.theme_colours import name_map_ends

TURN: Final = "turn"
"""The name of the angle in the address."""
FIRST: Final = 90.0
"""Where the picture comes to rest at first: exact in one row, and not in the other."""
GIVEN: Final = "turn given"
CLASSES: Final = tuple("0123456789")


_turning = component("ia_turning", "turning")


@st.fragment
def show_turning(name: str, picture: Picture, *, mirrored: bool) -> None:
    """All angles travel at once: the browser turns without asking again."""
    compute_alone()
    start, asked = _start()
    names = name, plain_beside(name)
    data = _pack(names, picture.digest, mirrored, start, not asked, picture)
    state = _turning(key="turning", data=data, on_angle_change=lambda: None)
    angle = state.get("angle")
    if angle is not None:
        st.query_params[TURN] = f"{angle:g}"
    st.caption(_tell(name, picture, mirrored=mirrored))


def _tell(name: str, picture: Picture, *, mirrored: bool) -> str:
    """What the colours mean, and what attention does to the digit before it is turned."""
    least, most = name_map_ends()
    scale = f"In every map the least is {least} and the most {most}; "
    scale += f"no scale spans less than {LEAST:g}."
    kept = orbit(name, picture, mirrored=mirrored).composed.get("kept")
    if kept is None:
        return scale
    means = (
        "Shown are means of spatial attention αX over the layers; α⁺ = 1 − αX·αC has channels too."
    )
    return f"{scale} {tell_ink(kept.heat.upright, picture, '1 − αX')} {means}"


@st.cache_resource(max_entries=8, show_spinner=False)
def _pack(
    names: tuple[str, ...],
    digest: str,
    mirrored: bool,
    start: float,
    autoplay: bool,
    _picture: Picture,
) -> bytes:
    rows = [_row(name, _picture, mirrored) for name in names]
    key = " ".join([*names, digest, *(["mirrored"] if mirrored else [])])
    return pack_turning(rows, CLASSES, key, start, autoplay)


def _row(name: str, picture: Picture, mirrored: bool) -> Turning:
    chosen = network(name)
    turned = orbit(name, picture, mirrored=mirrored)
    return Turning(chosen.title, turned, tuple(chosen.entry.group.names))


def _start() -> tuple[float, bool]:
    """Where the picture lies at first, and whether the address said so: once in a session."""
    if GIVEN not in st.session_state:
        asked = st.query_params.get(TURN)
        try:
            angle = float(asked or FIRST) % 360
        except ValueError:
            angle = math.nan
        if math.isnan(angle):
            note_unused(TURN, asked or "", "an angle in degrees", f"{number(FIRST)} is used")
            angle, asked = FIRST, None
        st.session_state[GIVEN] = (angle, asked is not None)
    start, told = st.session_state[GIVEN]
    return float(start), bool(told)
