"""Style of lines, signed numbers and errors in drawings of networks."""

from typing import Final

import numpy as np
from torch import Tensor

from ia_engine.figures.style import POINT_COLOURS
from ia_engine.figures.svg import Pixels

INKS: Final = POINT_COLOURS[:8]
DASHES: Final = ("", "9 5", "2 4", "12 4 2 4", "5 3", "1 3", "14 6", "6 2")
SMALL: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LEAST: Final = 0.01
"""Least range of a scale."""
BELOW, ABOVE = (11, 95, 165), (194, 87, 12)


def widen(low: float, high: float) -> tuple[float, float]:
    """The range of a map's scale, at least LEAST wide, so that rounding errors are invisible.

    Values between 0 and 1, as of attention, keep this scale.
    """
    if high - low >= LEAST:
        return low, high
    start = (low + high - LEAST) / 2
    if low >= 0 and high <= 1:
        start = min(max(start, 0.0), 1 - LEAST)
    return start, start + LEAST


def ink(k: int) -> str:
    """The style of the k-th line."""
    dash = DASHES[k % len(DASHES)]
    return f'stroke="{INKS[k % len(INKS)]}"' + (f' stroke-dasharray="{dash}"' if dash else "")


def diverge(values: Tensor, top: float) -> Pixels:
    """Numbers [h w] from -top to top: blue below 0, white at 0, orange above."""
    share = (values / max(top, 1e-12)).clamp(-1, 1).cpu().double().numpy()[..., None]
    colour = np.where(share < 0, np.array(BELOW), np.array(ABOVE))
    return np.rint(255 + np.abs(share) * (colour - 255)).astype(np.uint8)


def write_error(error: float) -> str:
    """An error with two digits, or with one and a power of ten."""
    if error == 0 or error >= 1e-3:
        return f"{error:.2g}"
    mantissa, _, power = f"{error:.0e}".partition("e")
    return f"{mantissa}·10{str(int(power)).translate(SMALL)}"
