"""One group convolution taken apart: Figures 2, 4 and 5."""

import streamlit as st

from ia_engine.equivariant.maps import ConvolutionPicture, count_filters, picture_convolution
from ia_engine.figures.equivariance.colours import LEAST, widen, write_error
from ia_engine.figures.equivariance.convolution import draw_convolution
from pages._ui.drawing import show_drawing
from pages._ui.equivariance.ink import tell_ink
from pages._ui.equivariance.networks import Chosen, network, take_untrained
from pages._ui.equivariance.pictures import Picture
from pages._ui.interactive_formulas import Part, show_formula, term
from pages._ui.panels import misleads
from pages._ui.theme_colours import name_map_ends, theme_colour_map

LAYERS = 6


def show_convolution(chosen: Chosen, picture: Picture) -> None:
    """A layer, a filter and a channel to choose, and everything that is computed with them."""
    st.markdown(
        "One filter of a layer, turned by every h, reads one channel of its input. A turned "
        "filter is turned in the plane **and** its slices move on: read along a diagonal, a "
        "frame keeps its colour. That is the circulant structure"
        + (
            ", in each of the four blocks of turns and mirrors (⇋)."
            if len(chosen.entry.group) > 4
            else "."
        )
    )
    first, second, third = st.columns(3, gap="medium")
    layer = _ask(first, "layer", "the first lifts the picture to the group", LAYERS, 2)
    width = count_filters(chosen.network)
    output = _ask(second, "filter", "one of the layer's", width, 1)
    sources = 1 if layer == 1 else width
    source = 1 if layer == 1 else _ask(third, "channel", "of the input", sources, 1)
    show_formula(_write(layer, output, source, sources), "formula of a convolution")
    found = _picture(chosen.name, picture.digest, layer, output - 1, source - 1, picture)
    show_drawing(draw_convolution(found, theme_colour_map()), "convolution")
    st.caption(
        f"Blue is below 0, orange above, on one scale for each block.{_tell(found, picture)} At "
        f"0°, before normalisation; 1 of {sources} channels shown, the sum is of all of them."
    )
    misleads(
        "One channel of many: what is strong in it may be cancelled by another in the sum. And a "
        "filter of 3×3 pixels that was never trained looks just as orderly: the order is the "
        "group's, not what was learned. The button takes a network that never learned.",
        key="misleads order",
        show=take_untrained,
    )


def _tell(found: ConvolutionPicture, picture: Picture) -> str:
    """What the colours of the attention mean, and what it does to the digit."""
    if found.attention is None:
        return ""
    ends = tuple(map(float, found.attention.aminmax()))
    low, high = map(_write_plus, ends)
    least, most = name_map_ends()
    scale = f"α⁺ = 1 − α⁻ from {low} ({least}) to {high} ({most})."
    if (wide := widen(*ends)) != ends:
        begin, end = map(_write_plus, wide)
        scale = (
            f"α⁺ = 1 − α⁻ from {low} to {high}: nearly the same everywhere. Its colours go from "
            f"{begin} ({least}) to {end} ({most}), since a scale spans {LEAST:g} at least."
        )
    return f" {scale} {tell_ink(found.attention, picture, 'α⁺')}"


def _write_plus(plus: float) -> str:
    """Two digits of α⁺, or of what it lacks of 1."""
    lack = write_error(1 - plus)
    return f"{plus:.2f}" if plus < 0.995 else "1" if lack == "0" else f"1 − {lack}"


def _write(layer: int, output: int, source: int, sources: int) -> list[Part]:
    """Equation (19), with the layer, the filter and the channel that are shown."""
    return [
        term(f"[f ⋆ ψ_{{{output}}}](x, h)", "result", "h", f"layer {layer}, filter {output}"),
        (" = ",),
        (f"Σ_{{c̃ = 1…{sources}}} Σ_{{h̃}} ",),
        term("α_{c̃}(x, h, h̃)", "attention", "α"),
        (" · [",),
        (
            f"f_{{c̃ = {source}}} ⋆ ",
            "response",
            f"f: the layer's input, of which channel {source} is shown",
        ),
        term("L_h ψ_{c̃}", "filter", "ψ", "turned by h"),
        ("](x, h̃)   (19)",),
    ]


def _ask(column: st.delta_generator.DeltaGenerator, name: str, about: str, n: int, at: int) -> int:
    key = f"conv_{name}"
    if st.session_state.get(key, at) > n:  # another network has fewer
        st.session_state[key] = n
    return int(column.slider(name.capitalize(), 1, n, at, key=key, help=about, bind="query-params"))


@st.cache_resource(max_entries=32, show_spinner=False)
def _picture(
    name: str, digest: str, layer: int, output: int, source: int, _picture: Picture
) -> ConvolutionPicture:
    return picture_convolution(network(name).network, _picture.v, layer, output, source)
