"""The dial with the maps of two networks, and the views of their layers and their answers."""

import streamlit as st

from ia_engine.equivariant.maps import trace, weigh_ink
from ia_engine.figures.equivariance.curves import draw_answers
from ia_engine.figures.equivariance.export import draw_answers_file, write_answers
from ia_engine.figures.equivariance.turning import LEAST, Turning, pack_turning
from ia_engine.runs.job import use_one_core
from pages._ui.components.drawing import name_map_ends, show_drawing
from pages._ui.components.maps import show_dial, show_layer_maps
from pages._ui.equivariance.networks import (
    LoadedNetwork,
    flat,
    network,
    orbit,
    pick_networks,
    plain_beside,
    title,
    toggle_untrained,
)
from pages._ui.equivariance.picture import DIGITS, Picture, describe_ink
from pages._ui.panels import download, formula, show_misleading
from pages._ui.state.equivariance import equivariance_state
from pages._ui.state.viewer import lessons_state


@st.fragment
def show_turning(name: str, picture: Picture, *, mirrored: bool) -> None:
    """Show the dial. All angles are sent at once, so that a rotation needs no request."""
    use_one_core()
    start, from_address = equivariance_state.read_first_angle()
    names = name, plain_beside(name)
    angle = show_dial(_pack(names, picture.digest, mirrored, start, not from_address, picture))
    if angle is not None and angle != equivariance_state.dial_angle:
        equivariance_state.dial_angle = angle
        equivariance_state.angle = f"{angle:g}"
    st.caption(_describe(name, picture, mirrored=mirrored))


@st.cache_resource(max_entries=8, show_spinner=False)
def _pack(
    names: tuple[str, ...],
    digest: str,
    mirrored: bool,
    start: float,
    autoplay: bool,
    _picture: Picture,
) -> bytes:
    rows = []
    for chosen in map(network, names):
        turned = orbit(chosen.name, _picture, mirrored=mirrored)
        rows.append(Turning(chosen.title, turned, tuple(chosen.entry.group.names)))
    key = " ".join([*names, digest, *(["mirrored"] if mirrored else [])])
    return pack_turning(rows, DIGITS, key, start, autoplay)


def _describe(name: str, picture: Picture, *, mirrored: bool) -> str:
    """Explain the colours, and how attention affects the digit before it is rotated."""
    low, high = name_map_ends()
    scale = (
        f"In every map, the lowest value is {low} and the highest value is {high}. Every scale "
        f"spans at least {LEAST:g}."
    )
    kept = orbit(name, picture, mirrored=mirrored).composed.get("kept")
    if kept is None:
        return scale
    means = (
        "The maps are means of spatial attention αX over the layers; α⁺ = 1 − αX·αC also has "
        "channels."
    )
    return f"{scale} {describe_ink(kept.heat.upright, picture, '1 − αX')} {means}"


def show_layers(chosen: LoadedNetwork, picture: Picture) -> None:
    """Show the maps of all layers, which follow the dial above and can rotate it."""
    st.markdown(
        f"These are all the attention maps of {flat(chosen.entry.title)}. A rotation of the "
        "picture by 90° rotates each map **and** moves it to the next pose h."
    )
    formula(
        r"{\alpha^+ = 1 - \alpha^-}, \qquad\allowbreak {\alpha^- = \alpha_X\,\alpha_C}, "
        r"\qquad\allowbreak {f^\alpha_c = \alpha^+ f_c = f_c - \alpha^- f_c}\;",
        about="Sections 3.2 to 3.4: a layer removes the product of both maps from its channels",
    )
    kept = _measure_layers(chosen.name, picture.digest, picture)
    caption = lessons_state.open
    angle = (equivariance_state.angle or "") if caption else ""
    if kept:
        means = "; ".join(f"{name}: {on:.2f}, {beside:.2f}" for name, on, beside in kept)
        st.caption(f"Mean of 1 − αX (share kept) on the upright digit, and beside it: {means}.")
    layer = equivariance_state.read_layer(len(kept)) if kept else 1
    show_layer_maps(chosen.title, layer, angle, caption)
    _, high = name_map_ends()
    show_misleading(
        "Each row has its own scale, which is given beside it, so a map from 0.49 to 0.51 has as "
        "much contrast as a map from 0 to 1. In αX and α⁻, the network removes the parts that are "
        f"{high}; it does **not** attend to them. At angles between multiples of 90°, the poses of "
        "the nearest multiple are used, so the difference jumps at 45°, although the network's "
        "result does not. Maps from a network with random weights have just as much contrast; the "
        "button shows an example.",
        key="misleads scale",
        show=toggle_untrained,
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _measure_layers(
    name: str, digest: str, _picture: Picture
) -> tuple[tuple[str, float, float], ...]:
    """Return the name of every layer with attention, and its means of 1 − αX on and beside the
    digit."""
    maps = trace(network(name).network, _picture.v).maps
    return tuple((layer.name, *weigh_ink(layer.places("kept"), _picture.v)) for layer in maps)


def show_answers(name: str, picture: Picture, *, mirrored: bool) -> None:
    """Draw the controls for networks and class, and show the answers at all angles."""
    names = pick_networks(name)
    orbits = {one: orbit(one, picture, mirrored=mirrored) for one in names}
    label = _pick_class(orbits[names[0]].said, picture.digest)
    titled = {title(one): found for one, found in orbits.items()}
    show_drawing(draw_answers(titled, label), "answers")
    st.caption(
        f"The probability of {label}: 0 in the centre, 1 on the outer ring, 120 of 120 angles. At "
        "every multiple of 90° an equivariant network gives the same answer with the same "
        "probability."
    )
    with st.container(horizontal=True):
        download("Answers, CSV", "answers.csv", lambda: write_answers(orbits), "text/csv")
        download(
            "Answers, PNG", "answers.png", lambda: draw_answers_file(orbits, label), "image/png"
        )
    show_misleading(
        "A network that always gives the same answer need not be right: untrained networks are "
        "equivariant too. Up to rotation, 6 and 9 have the same shape, so a network that ignores "
        "rotations by 180° cannot distinguish them by their shape. Networks that are trained on "
        "rotated digits learn the small differences. The button shows a 6, or a 9 if a 6 is shown.",
        key="misleads six",
        show=_show_six_or_nine,
    )


def _pick_class(first: int, digest: str) -> int:
    """Ask for the class whose probability is drawn: initially the first network's answer at 0°."""
    answer = st.segmented_control(
        "Class",
        list(range(10)),
        default=first,
        required=True,
        key=f"class of {digest} {first}",
        help="The class whose probability is drawn",
    )
    return int(answer)


def _show_six_or_nine() -> None:
    equivariance_state.picture = "9" if equivariance_state.picture == "6" else "6"
