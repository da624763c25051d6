"""One group convolution taken apart, and where strides break equivariance."""

from typing import Final

import streamlit as st

from ia_engine.equivariant.maps import (
    ConvolutionPicture,
    count_filters,
    picture_convolution,
    weigh_ink,
)
from ia_engine.equivariant.measures import RegimeMaps, compare_regimes, compare_strides
from ia_engine.figures.equivariance.convolution import draw_convolution
from ia_engine.figures.equivariance.strides import draw_regimes, draw_responses, draw_supports
from ia_engine.figures.equivariance.turning import LEAST, widen, write_error
from ia_engine.shapes import Heat
from pages._ui.components.drawing import name_map_ends, show_drawing, theme_colour_map
from pages._ui.controls import choose_one
from pages._ui.equivariance.networks import Chosen, network, take_untrained
from pages._ui.equivariance.picture import Picture
from pages._ui.formulas import Part, show_formula, term
from pages._ui.panels import formula, misleads

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


SIDES: Final = {"even: 8 px": 8, "odd: 9 px": 9}
WAYS: Final = {
    "stride 1": (1, False),
    "stride 2": (2, False),
    "stride 1, then 2×2 pooling": (1, True),
}
KERNEL, PADDING = 3, 1
DRAWS: Final = 4


def show_strides(picture: Picture) -> None:
    """Two toggles, the filter's places, and what a quarter turn makes of the responses."""
    st.markdown(
        "A filter that jumps two pixels at a time lands on **other** pixels of the turned picture "
        "if the side is even: the convolution is equivariant, its sampling is not. On odd sides, "
        "or with stride 1 and pooling on even ones, it is exact."
    )
    left, right = st.columns([2, 3])
    with left:
        side = choose_one("Side of the picture", list(SIDES), next(iter(SIDES)), key="side")
    with right:
        way = choose_one("How it gets smaller", list(WAYS), "stride 2", key="way")
    _show(SIDES[side], *WAYS[way])
    st.markdown(
        "What that does to attention: the maps of an **αF-p4-All-CNN**, which has two such "
        "places, while the picture is turned by quarters. Its weights are random."
    )
    show_drawing(draw_regimes(_regimes(picture.digest, picture), theme_colour_map()), "regimes")
    least, most = name_map_ends()
    st.caption(
        f"Above, the composed 1 − αX of the turned pictures, {least} where it is least and {most} "
        "where it is most; below, the same turned back, less the upright one, in blue and orange, "
        "with the relative error."
    )
    misleads(
        "One random filter on one random picture, and random weights: the size of an error is that "
        "of this draw, only whether it is nothing is telling. Networks that err here still "
        "classify well, since neighbouring pixels are alike.",
        key="misleads draw",
        draw=lambda: _draw_others(SIDES[str(side)], *WAYS[str(way)]),
    )


def _draw_others(side: int, stride: int, pooled: bool) -> None:
    """The error of other random filters on other random pictures."""
    for seed, column in enumerate(st.columns(DRAWS), start=1):
        found = compare_strides(side, stride, KERNEL, PADDING, seed=seed, pooled=pooled)
        column.metric(f"Draw {seed}", write_error(found.error), help="Relative error")
    st.caption("The same layer, other random numbers: only whether the error is nothing stays.")


@st.cache_resource(max_entries=8, show_spinner=False)
def _regimes(digest: str, _picture: Picture) -> tuple[RegimeMaps, RegimeMaps]:
    return compare_regimes(_picture.v)


def _show(side: int, stride: int, pooled: bool) -> None:
    found = compare_strides(side, stride, KERNEL, PADDING, pooled=pooled)
    left, right = st.columns([1, 3], gap="medium")
    with left:
        show_drawing(draw_supports(side, stride, KERNEL, PADDING, pooled=pooled), "supports")
    left.caption(
        "Where the filter stands: **blue** upright, **orange** on the turned picture, turned back."
        + (" Frames: the windows that are pooled." if pooled else "")
    )
    with right:
        show_drawing(draw_responses(found), "responses")
    show, verdict = (st.success, "Exact") if found.exact else (st.error, "Not exact")
    show(
        f"**{verdict}**: relative error {write_error(found.error)} after a quarter turn",
        icon=":material/check:" if found.exact else ":material/close:",
    )
    _show_rule(side, stride, pooled=pooled)


def _show_rule(side: int, stride: int, *, pooled: bool) -> None:
    """The condition under which the filters, or the pooled windows, cover the same pixels."""
    responses = (side + 2 * PADDING - KERNEL) // stride + 1
    rest = responses % 2 if pooled else (side + 2 * PADDING - KERNEL) % stride
    latex = r"(n + 2p - k + 1) \bmod 2" if pooled else r"(n + 2p - k) \bmod s"
    result = "= 0" if rest == 0 else rf"= {rest} \ne 0"
    what = "the pooled windows cover" if pooled else "the filter covers"
    formula(
        f"{latex} {result}",
        {"n": side, "p": PADDING, "k": KERNEL, "s": stride},
        about=f"If this is 0, {what} the same pixels after every quarter turn; otherwise not.",
    )


SAME: Final = 0.01
"""Means that differ by less are called alike."""


def tell_ink(kept: Heat, picture: Picture, name: str) -> str:
    """What the kept share of attention [... y x], with this name, does to the digit."""
    on, beside = weigh_ink(kept, picture.v)
    told = f"On the digit {name} is {on:.2f} on average, beside it {beside:.2f}: the digit is "
    if abs(on - beside) < SAME:
        return f"{told}attenuated as much as what surrounds it."
    return f"{told}{'kept' if on > beside else 'attenuated'} more than what surrounds it."
