"""A small curve of the number of images that a mean averages at each β, shown below a slider."""

import math
from collections.abc import Sequence
from typing import Final

from ia_engine.figures.svg import GLOBAL, draw, label, line, path, series, write

WIDTH: Final = 96
HEIGHT: Final = 30
"""Size in the drawing's units. It is drawn at most 120 px wide and 37.5 px high."""
LEFT: Final = 18
RIGHT: Final = 91
"""Horizontal positions of the first and the last stop."""
TOP: Final = 10.5
BOTTOM: Final = 20
"""Vertical positions of the curve for all images and for one image."""
LETTERS: Final = 8


def draw_averaged(betas: Sequence[float], averaged: Sequence[float], at: int, n: int) -> str:
    """Draw the number of averaged images [1 to n] against β, both on logarithmic axes, and mark
    stop number `at`.

    `betas` has the β of every stop of the slider, and `averaged` its number of images.
    """

    def place(stop: int) -> tuple[float, float]:
        across = stop / max(1, len(betas) - 1)
        up = min(math.log(max(averaged[stop], 1.0)) / math.log(max(n, 2)), 1.0)
        return LEFT + across * (RIGHT - LEFT), BOTTOM - up * (BOTTOM - TOP)

    x, y = place(at)
    count = f"{averaged[at]:.2g}" if averaged[at] < 99 else f"{averaged[at]:.0f}"
    words = f"averages {count} of {n} images"
    return draw(
        WIDTH,
        HEIGHT,
        f"At β = {betas[at]:g}, a mean {words}; fewer at a larger β",
        (
            write(0, 6.5, words, more='class="title"'),
            write(LEFT - 2, TOP + 2.5, f"{n}", "end"),
            write(LEFT - 2, BOTTOM + 2, "1", "end"),
            line((LEFT, TOP), (LEFT, BOTTOM)),
            line((LEFT, BOTTOM), (RIGHT, BOTTOM)),
            write(LEFT, HEIGHT - 2, f"{betas[0]:g}"),
            label((LEFT + RIGHT) / 2, HEIGHT - 2, "β [no unit]", "middle"),
            write(WIDTH, HEIGHT - 2, f"{betas[-1]:g}", "end"),
            series("averaged images against β", betas, averaged),
            path([place(k) for k in range(len(betas))], f'stroke="{GLOBAL}" stroke-width="1.6"'),
            f'<circle class="mark" cx="{x:.2f}" cy="{y:.2f}" r="2.6" fill="{GLOBAL}"/>',
        ),
        letters=LETTERS,
        title=None,
    )
