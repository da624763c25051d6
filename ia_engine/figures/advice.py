"""A small curve of the number of images that a mean averages at each β, for below a slider."""

import math
from collections.abc import Sequence
from typing import Final

from ia_engine.figures.svg import GLOBAL

WIDTH: Final = 100
HEIGHT: Final = 40
"""Size of the drawing in its own units. It is stretched to the width of its column, like the
slider, so it contains no text."""
TOP: Final = 4
BOTTOM: Final = 36
"""Vertical positions of all images and of 1."""
STROKE: Final = 'fill="none" stroke-linecap="round" vector-effect="non-scaling-stroke"'
"""The attributes of lines whose width is not stretched."""


def draw_averaged(betas: Sequence[float], averaged: Sequence[float], at: int, n: int) -> str:
    """Draw the number of averaged images [1 to n], on a logarithmic axis, above each stop of the
    slider, and mark stop number `at`.

    `betas` has the β of every stop, and `averaged` its number of images.
    """

    def place(stop: int) -> str:
        across = stop / max(1, len(betas) - 1)
        up = min(math.log(max(averaged[stop], 1.0)) / math.log(max(n, 2)), 1.0)
        return f"{across * WIDTH:.2f} {BOTTOM - up * (BOTTOM - TOP):.2f}"

    curve, mark = " L".join(place(stop) for stop in range(len(betas))), place(at)
    words = f"averages {averaged[at]:.2g} of {n} images"
    return (
        f'<div style="font-size:0.8rem;line-height:1.2;padding:0 0.4rem">{words}'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="At β = {betas[at]:g}, a mean {words}; fewer at a larger β" '
        f'style="width:100%;height:{HEIGHT}px;display:block;overflow:visible">'
        f'<path d="M0 {BOTTOM} H{WIDTH}" {STROKE} stroke="currentColor" stroke-opacity="0.35"/>'
        f'<path d="M{curve}" {STROKE} stroke="{GLOBAL}" stroke-width="2.5"/>'
        f'<path class="mark" d="M{mark} v0.01" {STROKE} stroke="{GLOBAL}" stroke-width="10"/>'
        "</svg></div>"
    )
