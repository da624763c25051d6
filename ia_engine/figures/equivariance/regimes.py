"""Figures 10 and 11: attention maps of one network with strides, and with pooling instead."""

from collections.abc import Iterator, Sequence
from typing import Final

from ia_engine.equivariant.groups import P4
from ia_engine.equivariant.measures import Regime
from ia_engine.figures.equivariance.colours import diverge, write_error
from ia_engine.figures.svg import QUIET, Pixels, box, draw, picture, shade, side_by_side, write

CELL: Final = 92
GAP: Final = 8
LEFT: Final = 8
HEAD: Final = 50
LINE: Final = 104


def draw_regimes(regimes: Sequence[Regime], ramp: Pixels) -> str:
    """Side by side: the maps of the turned pictures, and what is left when they are turned back."""
    width, height = LEFT + 4 * (CELL + GAP), HEAD + LINE + CELL + 30
    drawn = [draw(width, height, _tell(regime), _draw(regime, ramp)) for regime in regimes]
    return side_by_side(drawn, 0.8 * width)


def _tell(regime: Regime) -> str:
    error = f"error up to {max(regime.errors):.1g}"
    return f"Composed attention at four quarter turns, {regime.title}: {error}"


def _draw(regime: Regime, ramp: Pixels) -> Iterator[str]:
    low, top = float(regime.heat.min()), float(regime.heat.max())
    yield write(LEFT, 20, regime.title, more='font-weight="700" font-size="17"')
    for h in range(len(regime.errors)):
        left = LEFT + h * (CELL + GAP)
        yield write(left + CELL / 2, HEAD - 8, P4.names[h], "middle")
        pixels = shade(regime.heat[h] - low, top - low, ramp)
        yield picture(pixels, left, HEAD, CELL, CELL)
        yield box(left, HEAD, CELL, CELL, f'fill="none" {QUIET}')
        yield picture(diverge(regime.difference[h], (top - low) / 2), left, HEAD + LINE, CELL, CELL)
        yield box(left, HEAD + LINE, CELL, CELL, f'fill="none" {QUIET}')
        told = write_error(regime.errors[h])
        yield write(left + CELL / 2, HEAD + LINE + CELL + 20, told, "middle", 'font-weight="650"')
