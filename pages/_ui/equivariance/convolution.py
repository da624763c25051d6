"""The steps of one group convolution, and the strides that break its equivariance."""

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ia_engine.equivariant.maps import (
    ConvolutionPicture,
    count_filters,
    picture_convolution,
)
from ia_engine.equivariant.measures import RegimeMaps, compare_regimes, compare_strides
from ia_engine.figures.equivariance.convolution import draw_convolution
from ia_engine.figures.equivariance.strides import draw_regimes, draw_responses, draw_supports
from ia_engine.figures.equivariance.turning import LEAST, widen, write_error
from pages._ui.components.drawing import name_map_ends, show_drawing, theme_colour_map
from pages._ui.controls import choose_one
from pages._ui.equivariance.networks import LoadedNetwork, network, toggle_untrained
from pages._ui.equivariance.picture import Picture, describe_ink
from pages._ui.panels import Part, formula, show_formula, show_misleading, term
from pages._ui.state.fields import read_value, set_value

LAYERS: Final = 6
SIDES: Final = {"even: 8 px": 8, "odd: 9 px": 9}
WAYS: Final = {
    "stride 1": (1, False),
    "stride 2": (2, False),
    "stride 1, then 2×2 pooling": (1, True),
}
KERNEL, PADDING = 3, 1
DRAWS: Final = 4
"""Number of random draws in the comparison."""


def show_convolution(chosen: LoadedNetwork, picture: Picture) -> None:
    """Draw the controls for layer, filter and channel, and every step of the convolution."""
    st.markdown(
        "One filter of a layer is rotated by every h and applied to one channel of the input. Each "
        "h rotates the filter in the plane **and** permutes its slices, so the frames "
        "along a diagonal have the same colour. This is the circulant structure"
        + (
            ", in each of the four blocks of rotations and reflections (⇋)."
            if len(chosen.entry.group) > 4
            else "."
        )
    )
    first, second, third = st.columns(3, gap="medium")
    layer = _slide(first, "layer", "layer 1 lifts the picture to the group", LAYERS, 2)
    width = count_filters(chosen.network)
    output = _slide(second, "filter", "a filter of the layer", width, 1)
    sources = 1 if layer == 1 else width
    source = 1 if layer == 1 else _slide(third, "channel", "a channel of the input", sources, 1)
    show_formula(_write_equation(layer, output, source, sources), "formula of a convolution")
    found = _convolve(chosen.name, picture.digest, layer, output - 1, source - 1, picture)
    show_drawing(draw_convolution(found, theme_colour_map()), "convolution")
    st.caption(
        "Blue values are below 0, orange values above 0; each block has its own "
        f"scale.{_describe_attention(found, picture)} The picture is at 0°, and the arrays are "
        f"those before normalisation, for 1 of {sources} channels; the sum includes all channels."
    )
    show_misleading(
        "This is one of many channels, and a different channel may cancel its large values in the "
        "sum. In addition, an untrained filter of 3×3 pixels looks just as regular, because the "
        "regularity comes from the group, not from training. The button shows an untrained "
        "network.",
        key="misleads order",
        show=toggle_untrained,
    )


def _describe_attention(found: ConvolutionPicture, picture: Picture) -> str:
    """Explain the colours of the attention, and how it affects the digit."""
    if found.attention is None:
        return ""
    ends = tuple(map(float, found.attention.aminmax()))
    low, high = map(_write_share, ends)
    least, most = name_map_ends()
    scale = f"α⁺ = 1 − α⁻ from {low} ({least}) to {high} ({most})."
    if (wide := widen(*ends)) != ends:
        begin, end = map(_write_share, wide)
        scale = (
            f"α⁺ = 1 − α⁻ from {low} to {high}, so it is nearly the same everywhere. Its colours "
            f"go from {begin} ({least}) to {end} ({most}), because a scale spans at least "
            f"{LEAST:g}."
        )
    return f" {scale} {describe_ink(found.attention, picture, 'α⁺')}"


def _write_share(plus: float) -> str:
    """Return two digits of α⁺, or of its difference from 1."""
    lack = write_error(1 - plus)
    return f"{plus:.2f}" if plus < 0.995 else "1" if lack == "0" else f"1 − {lack}"


def _write_equation(layer: int, output: int, source: int, sources: int) -> list[Part]:
    """Return equation (19) for the layer, the filter and the channel that are shown."""
    return [
        term(f"[f ⋆ ψ_{{{output}}}](x, h)", "result", "h", f"layer {layer}, filter {output}"),
        (" = ",),
        (f"Σ_{{c̃ = 1…{sources}}} Σ_{{h̃}} ",),
        term("α_{c̃}(x, h, h̃)", "attention", "α"),
        (" · [",),
        (
            f"f_{{c̃ = {source}}} ⋆ ",
            "response",
            f"f: the input of the layer; channel {source} is shown",
        ),
        term("L_h ψ_{c̃}", "filter", "ψ", "rotated by h"),
        ("](x, h̃)   (19)",),
    ]


def _slide(column: DeltaGenerator, name: str, about: str, n: int, at: int) -> int:
    key = f"conv_{name}"
    if read_value(key, at) > n:  # another network may have fewer
        set_value(key, n)
    return int(column.slider(name.capitalize(), 1, n, at, key=key, help=about, bind="query-params"))


@st.cache_resource(max_entries=32, show_spinner=False)
def _convolve(
    name: str, digest: str, layer: int, output: int, source: int, _picture: Picture
) -> ConvolutionPicture:
    return picture_convolution(network(name).network, _picture.v, layer, output, source)


def show_strides(picture: Picture) -> None:
    """Draw two controls, the positions of the filter, and the effect of a rotation by 90°."""
    st.markdown(
        "If the side is even, a filter with stride 2 covers **different** pixels of the rotated "
        "picture: the convolution is equivariant, but its sampling is not. The sampling is exact "
        "if the side is odd, or if the side is even and pooling follows stride 1."
    )
    left, right = st.columns([2, 3])
    with left:
        side = choose_one("Side length of the picture", list(SIDES), next(iter(SIDES)), key="side")
    with right:
        way = choose_one("Reduction", list(WAYS), "stride 2", key="way")
    _show_responses(SIDES[side], *WAYS[way])
    st.markdown(
        "The effect on attention is shown for an **αF-p4-All-CNN** with random weights, which has "
        "two such layers, at rotations in 90° steps."
    )
    show_drawing(draw_regimes(_regimes(picture.digest, picture), theme_colour_map()), "regimes")
    least, most = name_map_ends()
    st.caption(
        f"Top: the combined maps 1 − αX of the rotated pictures, {least} for the lowest value and "
        f"{most} for the highest. Bottom: these maps rotated back, minus the upright map (blue and "
        "orange), with the relative error."
    )
    show_misleading(
        "The filter, the picture and the weights are random, so a different draw gives a different "
        "error. What matters is only whether the error is 0. Networks with an error here still "
        "classify well, because neighbouring pixels are similar.",
        key="misleads draw",
        draw=lambda: _draw_others(SIDES[str(side)], *WAYS[str(way)]),
    )


def _draw_others(side: int, stride: int, pooled: bool) -> None:
    """Draw the errors of different random filters on different random pictures."""
    for seed, column in enumerate(st.columns(DRAWS), start=1):
        found = compare_strides(side, stride, KERNEL, PADDING, seed=seed, pooled=pooled)
        column.metric(f"Draw {seed}", write_error(found.error), help="Relative error")
    st.caption(
        "The same layer with different random numbers. The error is 0 in every draw or in none."
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def _regimes(digest: str, _picture: Picture) -> tuple[RegimeMaps, RegimeMaps]:
    return compare_regimes(_picture.v)


def _show_responses(side: int, stride: int, pooled: bool) -> None:
    found = compare_strides(side, stride, KERNEL, PADDING, pooled=pooled)
    left, right = st.columns([1, 3], gap="medium")
    with left:
        show_drawing(draw_supports(side, stride, KERNEL, PADDING, pooled=pooled), "supports")
    left.caption(
        "Positions of the filter: **blue** on the upright picture, **orange** on the rotated one, "
        "rotated back." + (" Frames: the windows that are pooled." if pooled else "")
    )
    with right:
        show_drawing(draw_responses(found), "responses")
    show, verdict = (st.success, "Exact") if found.exact else (st.error, "Not exact")
    show(
        f"**{verdict}**: relative error {write_error(found.error)} after a rotation by 90°",
        icon=":material/check:" if found.exact else ":material/close:",
    )
    _show_rule(side, stride, pooled=pooled)


def _show_rule(side: int, stride: int, *, pooled: bool) -> None:
    """Show the condition under which the filter, or the pooled windows, cover the same pixels."""
    responses = (side + 2 * PADDING - KERNEL) // stride + 1
    rest = responses % 2 if pooled else (side + 2 * PADDING - KERNEL) % stride
    latex = r"(n + 2p - k + 1) \bmod 2" if pooled else r"(n + 2p - k) \bmod s"
    result = "= 0" if rest == 0 else rf"= {rest} \ne 0"
    what = "the pooled windows cover" if pooled else "the filter covers"
    formula(
        f"{latex} {result}",
        {"n": side, "p": PADDING, "k": KERNEL, "s": stride},
        about=f"If this is 0, {what} the same pixels after every rotation by 90°; otherwise, it "
        "they do not.",
    )
