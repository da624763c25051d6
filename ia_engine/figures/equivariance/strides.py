"""Drawings of the effect of strides: filter positions and responses (appendix C), and attention
maps (Figures 10 and 11)."""

from collections.abc import Iterator, Sequence
from typing import Final

from ia_engine.equivariant.groups import P4
from ia_engine.equivariant.measures import RegimeMaps, StrideComparison, filter_centres
from ia_engine.figures.equivariance.turning import diverge, signed_bar, write_error
from ia_engine.figures.svg import (
    DESCENT,
    GLOBAL,
    QUIET,
    Pixels,
    box,
    colour_bar,
    draw,
    label,
    legend,
    line,
    picture,
    read_map,
    series,
    shade,
    side_by_side,
    write,
)

SIDE: Final = 250
HEAD: Final = 30
GAP: Final = 18


def draw_supports(side: int, stride: int, kernel: int, padding: int, *, pooled: bool) -> str:
    """Draw Figure 9: the filter centres on a picture, and those on the rotated picture after
    rotating it back."""
    cell = (SIDE - 10) / side
    rows = filter_centres(side, stride, kernel, padding)
    parts = [*_grid(side, cell)]
    if pooled:
        parts += [*_windows(side, cell, GLOBAL, 3), *_windows(side, cell, DESCENT, 7, turned=True)]
    for p in rows:
        for q in rows:
            parts.append(_circle((p, q), cell, 0.34, GLOBAL))
            parts.append(_circle((q, side - 1 - p), cell, 0.2, DESCENT))
    for k, (colour, name) in enumerate(((GLOBAL, "upright"), (DESCENT, "rotated by 90° and back"))):
        x = 5 + 84 * k
        parts.append(box(x, SIDE + 8, 11, 11, f'fill="{colour}"'))
        parts.append(legend(x + 15, SIDE + 18, name))
    parts.append(label(5, SIDE + 38, f"{side} rows, {side} columns [px]"))
    lines, across = [p for p in rows for _ in rows], [q for _ in rows for q in rows]
    parts.append(series("upright: row against column [px]", across, lines))
    turned = [side - 1 - p for p in lines]
    parts.append(series("rotated: row against column [px]", turned, across))
    what = "pooling windows" if pooled else "filter centres"
    about = f"{what} on {side} by {side} pixels: blue upright, orange rotated by 90° and back"
    title = f"{what[0].upper()}{what[1:]} on the pixels"
    return draw(SIDE, SIDE + 42, about, parts, title=title)


def draw_responses(found: StrideComparison) -> str:
    """Draw a response, the response to the rotated picture after rotating it back, and their
    difference, as in Figure 10."""
    top = max(float(found.response.abs().max()), 1e-12)
    tiles = (
        ("upright", found.response),
        ("rotated and back", found.turned_back),
        ("difference", found.difference),
    )
    width = 3 * SIDE + 2 * GAP
    parts = []
    for at, (name, values) in enumerate(tiles):
        x = at * (SIDE + GAP)
        parts.append(write(x, 18, name, more='font-weight="600" font-size="19"'))
        parts.append(picture(diverge(values, top), x, HEAD, SIDE, SIDE))
        parts.append(box(x, HEAD, SIDE, SIDE, f'fill="none" {QUIET}'))
        parts.append(read_map(values, (x, HEAD, SIDE, SIDE)))
    parts += signed_bar(0, HEAD + SIDE + 12, width, top, "response [no unit]")
    about = f"Response upright, rotated and rotated back, and their difference: {found.error:.2g}"
    title = "Responses to a picture and to the rotated picture"
    return draw(width, HEAD + SIDE + 46, about, parts, letters=17, title=title)


def _grid(side: int, cell: float) -> Iterator[str]:
    for k in range(side + 1):
        at, end = 5 + k * cell, 5 + side * cell
        yield line((at, 5), (at, end))
        yield line((5, at), (end, at))


def _circle(at: tuple[int, int], cell: float, reach: float, colour: str) -> str:
    """Draw a circle around the pixel in row p and column q."""
    x, y = 5 + (at[1] + 0.5) * cell, 5 + (at[0] + 0.5) * cell
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{reach * cell:.1f}" fill="none" '
        f'stroke="{colour}" stroke-width="3.5"/>'
    )


def _windows(
    side: int, cell: float, colour: str, inset: float, *, turned: bool = False
) -> Iterator[str]:
    """Yield the pooling windows of 2×2 pixels. If the side is odd, no window contains the last
    row."""
    for p in range(side // 2):
        for q in range(side // 2):
            row, column = (2 * q, side - 2 - 2 * p) if turned else (2 * p, 2 * q)
            more = f'fill="none" stroke="{colour}" stroke-width="2.5"'
            size = 2 * cell - 2 * inset
            yield box(5 + column * cell + inset, 5 + row * cell + inset, size, size, more)


CELL: Final = 92
REGIME_GAP: Final = 8
LEFT: Final = 8
REGIME_HEAD: Final = 50
LINE: Final = 104


def draw_regimes(regimes: Sequence[RegimeMaps], ramp: Pixels) -> str:
    """Draw the maps of the rotated pictures and, below them, the maps rotated back minus the first
    map."""
    width, height = LEFT + 4 * (CELL + REGIME_GAP), REGIME_HEAD + LINE + CELL + 106
    drawn = [
        draw(width, height, _tell(regime), _draw(regime, ramp), title=f"Attention, {regime.title}")
        for regime in regimes
    ]
    return side_by_side(drawn, 0.8 * width)


def _tell(regime: RegimeMaps) -> str:
    error = f"error up to {max(regime.errors):.1g}"
    return f"Composed attention at four rotations, {regime.title}: {error}"


def _draw(regime: RegimeMaps, ramp: Pixels) -> Iterator[str]:
    low, top = float(regime.heat.min()), float(regime.heat.max())
    yield label(LEFT, 18, "top: share of attention; below: difference [no unit]")
    for h in range(len(regime.errors)):
        left = LEFT + h * (CELL + REGIME_GAP)
        yield write(left + CELL / 2, REGIME_HEAD - 8, P4.names[h], "middle")
        pixels = shade(regime.heat[h] - low, top - low, ramp)
        yield picture(pixels, left, REGIME_HEAD, CELL, CELL)
        yield box(left, REGIME_HEAD, CELL, CELL, f'fill="none" {QUIET}')
        yield picture(
            diverge(regime.difference[h], (top - low) / 2), left, REGIME_HEAD + LINE, CELL, CELL
        )
        yield box(left, REGIME_HEAD + LINE, CELL, CELL, f'fill="none" {QUIET}')
        text = write_error(regime.errors[h])
        yield write(
            left + CELL / 2, REGIME_HEAD + LINE + CELL + 20, text, "middle", 'font-weight="650"'
        )
        yield read_map(regime.heat[h], (left, REGIME_HEAD, CELL, CELL))
        yield read_map(regime.difference[h], (left, REGIME_HEAD + LINE, CELL, CELL))
    across, below = 4 * (CELL + REGIME_GAP) - REGIME_GAP, REGIME_HEAD + LINE + CELL + 34
    yield from colour_bar(ramp, (LEFT, below, across), (low, top), "share [no unit]")
    yield from signed_bar(LEFT, below + 36, across, (top - low) / 2, "difference [no unit]")
