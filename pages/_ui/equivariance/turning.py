"""A dial that turns the picture, with the maps and answers of the networks."""

import math
from typing import Final

import streamlit as st

from ia_engine.figures.equivariance.curves import draw_answers
from ia_engine.figures.equivariance.turning import LEAST, Turning, pack_turning
from ia_engine.runs.job import compute_alone
from pages._ui.components.bundles import component
from pages._ui.components.drawing import name_map_ends, show_drawing
from pages._ui.equivariance.convolution import tell_ink
from pages._ui.equivariance.exports import show_answers_files
from pages._ui.equivariance.networks import (
    Chosen,
    flat,
    network,
    orbit,
    pick_networks,
    plain_beside,
    take_untrained,
    title,
)
from pages._ui.equivariance.picture import Picture
from pages._ui.panels import formula, misleads, note_unused
from pages._ui.wording import number

_layers = component("ia_layers", "layers")


def show_layers(chosen: Chosen) -> None:
    """The maps follow the dial above, and turn it."""
    st.markdown(
        f"Every map that {flat(chosen.entry.title)} pays attention with. A quarter turn of the "
        "picture turns each map **and** moves it on to the next pose h."
    )
    formula(
        r"{\alpha^+ = 1 - \alpha^-}, \qquad\allowbreak {\alpha^- = \alpha_X\,\alpha_C}, "
        r"\qquad\allowbreak {f^\alpha_c = \alpha^+ f_c = f_c - \alpha^- f_c}\;",
        about="Sections 3.2 to 3.4: the product of both maps is what a layer takes away",
    )
    _layers(key="layers", data={"title": chosen.title})
    _, most = name_map_ends()
    misleads(
        "Each line has a scale of its own, given beside it: a map that spans 0.49 to 0.51 looks as "
        f"lively as one that spans 0 to 1. What is {most} in αX and α⁻ is **not** what the network "
        "looks at: it is what it removes. Between two elements the poses are those of the nearer "
        "quarter turn, so the difference leaps at 45°. What the network itself computes does not. "
        "Random weights look as lively: the button shows some.",
        key="misleads scale",
        show=take_untrained,
    )


def show_answers(name: str, picture: Picture, *, mirrored: bool) -> None:
    """Networks and class to choose; the plot, and the same in words and figures."""
    names = pick_networks(name)
    found = {one: orbit(one, picture, mirrored=mirrored) for one in names}
    orbits = {title(one): turned for one, turned in found.items()}
    label = _pick_class(next(iter(orbits.values())).said, picture.digest)
    show_drawing(draw_answers(orbits, label), "answers")
    st.caption(
        f"The probability of {label}: 0 in the middle, 1 on the outer ring, 120 of 120 angles. At "
        "every quarter turn an equivariant network gives the same answer, as sure as before."
    )
    show_answers_files(found, label)
    misleads(
        "A network that always says the same need not be right: untrained ones are equivariant "
        "as well. Turns make 6 and 9 one shape, so no network that is blind to half turns can "
        "tell them apart by it; those trained on turned digits learn what little differs. The "
        "button takes a 6, or from the 6 a 9.",
        key="misleads six",
        show=_take_six,
    )


def _take_six() -> None:
    known = st.session_state.get("picture")
    st.session_state["picture"] = "9" if known == "6" else "6"


def _pick_class(first: int, digest: str) -> int:
    """Whose probability is drawn; at first what the first network says of the upright picture."""
    answer = st.segmented_control(
        "Class",
        list(range(10)),
        default=first,
        required=True,
        key=f"class of {digest} {first}",
        help="Whose probability is drawn",
    )
    return int(answer)


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
