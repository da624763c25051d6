"""Stride and parity: where exactness is lost although every layer is a group convolution."""

from typing import Final

import streamlit as st

from ia_engine.equivariant.measures import RegimeMaps, compare_regimes, compare_strides
from ia_engine.figures.equivariance.colours import write_error
from ia_engine.figures.equivariance.strides import draw_regimes, draw_responses, draw_supports
from pages._ui.controls import choose_one
from pages._ui.drawing import show_drawing
from pages._ui.equivariance.pictures import Picture
from pages._ui.panels import formula, misleads
from pages._ui.theme_colours import name_map_ends, theme_colour_map

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
