"""A small curve of the number of images that a mean averages at each β, for below a slider."""

import math
from collections.abc import Sequence
from typing import Final

from ia_engine.figures.svg import GLOBAL, QUIET, draw, line, path, write

WIDTH: Final = 300
HEIGHT: Final = 74
TOP: Final = 22
BOTTOM: Final = 70
"""Vertical positions of the largest number of images and of 1 [px of the drawing]."""
EDGE: Final = 6
"""Margin on the left and the right, half the width of a slider's handle [px of the drawing]."""


def draw_averaged(
    betas: Sequence[float], averaged: Sequence[float], beta: float, now: float, n: int
) -> str:
    """Draw the number of averaged images [1 to n] against log β, and mark the current β.

    `averaged` has one number per β, and `now` is that of the current β.
    """
    low, high = math.log(betas[0]), math.log(betas[-1])

    def place(at: float, count: float) -> tuple[float, float]:
        across = min(max((math.log(at) - low) / (high - low), 0.0), 1.0)
        up = math.log(max(count, 1.0)) / math.log(max(n, 2))
        return EDGE + across * (WIDTH - 2 * EDGE), BOTTOM - min(up, 1.0) * (BOTTOM - TOP)

    x, y = place(beta, now)
    words = f"{now:.2g} of {n} images averaged"
    middle = min(max(x, WIDTH * 0.3), WIDTH * 0.7)
    parts = [
        line((EDGE, BOTTOM), (WIDTH - EDGE, BOTTOM)),
        line((EDGE, TOP), (WIDTH - EDGE, TOP), f'{QUIET} stroke-dasharray="2 4"'),
        path(
            [place(at, count) for at, count in zip(betas, averaged, strict=True)],
            f'stroke="{GLOBAL}" stroke-width="2.5"',
        ),
        line((x, TOP), (x, BOTTOM), 'stroke="currentColor" stroke-width="1.5"'),
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{GLOBAL}"/>',
        write(middle, 14, words, "middle"),
    ]
    return draw(WIDTH, HEIGHT, f"At β = {beta:g}, {words}; fewer at a larger β", parts)
