"""What the networks say of the picture at every angle, in one polar plot."""

import streamlit as st

from ia_engine.figures.equivariance.curves import draw_answers
from pages._ui.drawing import show_drawing
from pages._ui.equivariance.files import show_answers_files
from pages._ui.equivariance.networks import orbit, pick_networks, title
from pages._ui.equivariance.pictures import Picture
from pages._ui.panels import misleads


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
