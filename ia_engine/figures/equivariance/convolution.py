"""Figures 2, 4 and 5: the filters and the responses of one group convolution."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from torch import Tensor

from ia_engine.equivariant.maps import ConvolutionPicture
from ia_engine.figures.equivariance.turning import INKS, diverge, signed_bar, widen
from ia_engine.figures.svg import (
    QUIET,
    Pixels,
    box,
    colour_bar,
    draw,
    label,
    picture,
    read_map,
    shade,
    write,
)

WIDE: Final = 62
NARROW: Final = 36
"""Side of a cell for groups with up to four poses, and for larger groups."""
GAP: Final = 6
BETWEEN: Final = 34
LEFT: Final = 70
TOP: Final = 66
RESULT: Final = 62
"""Width of the title of the last block."""


@dataclass(frozen=True)
class Grid:
    """Positions of the cells, with enough space for the labels of any group."""

    poses: int

    @property
    def cell(self) -> int:
        return WIDE if self.poses <= 4 else NARROW

    @property
    def top(self) -> int:
        """The y of the first row of cells, below the column labels, which are slanted if cells are
        narrow."""
        return TOP if self.poses <= 4 else TOP + 24

    @property
    def height(self) -> int:
        return self.top + self.poses * (self.cell + GAP)

    def along(self, k: int) -> int:
        return k * (self.cell + GAP)

    def starts(self, counts: list[int]) -> list[float]:
        """Return the x of each block, given the numbers of columns of all blocks."""
        starts, x = [], float(LEFT)
        for count in counts:
            starts.append(x)
            x += self.along(count) - GAP + BETWEEN
        return starts


def draw_convolution(found: ConvolutionPicture, ramp: Pixels) -> str:
    """Draw one row per pose h, with its filters, their responses, the attention to them, and the
    sum."""
    poses, sources = found.filters.shape[:2]
    blocks, grid = [*_blocks(found)], Grid(poses)
    starts = grid.starts([values.shape[1] for _, _, values in blocks])
    parts = [*_names(found, grid)]
    for (title, kind, values), x in zip(blocks, starts, strict=True):
        parts.append(write(x, 18, title, more='font-weight="700" font-size="19"'))
        parts += _heads(found, grid, x, values.shape[1], kind)
        parts += [f'<g data-term="{kind}">', *_block(found, grid, values, (kind, ramp), x), "</g>"]
        parts += _bar(grid, values, (kind, ramp), x)
    parts += _signs(starts, grid)
    width = starts[-1] + max(grid.cell, RESULT) + 4
    about = (
        f"{poses} rotated filters with {sources} slices each in circulant order, their responses"
        + (", the attention that weights them" if found.attention is not None else "")
        + ", and the sums"
    )
    parts.append(label(4, grid.height + 44, "values at the bars [no unit]; frames: slices of ψ"))
    title = "A group convolution, step by step"
    return draw(width, grid.height + 52, about, parts, title=title)


def _blocks(found: ConvolutionPicture) -> Iterator[tuple[str, str, Tensor]]:
    yield "filters ψ under h", "filter", found.filters
    yield "responses f ⋆ ψ", "response", found.responses
    if found.attention is not None:
        yield "attention α⁺", "attention", found.attention
    yield "result", "result", found.result[:, None]


def _names(found: ConvolutionPicture, grid: Grid) -> Iterator[str]:
    yield write(4, grid.top - 8, "h, h̃", more='font-size="17"')
    for h in range(grid.poses):
        y = grid.top + grid.along(h) + grid.cell / 2 + 5
        yield write(4, y, _short(found.element_names[h]), more='font-size="17"')


def _heads(found: ConvolutionPicture, grid: Grid, x: float, count: int, kind: str) -> Iterator[str]:
    """Yield the labels of the columns: each column belongs to a pose h~ of the input."""
    if kind == "result" or count == 1:
        return
    for t in range(count):
        at, y = x + grid.along(t) + grid.cell / 2, grid.top - 8
        name = _short(found.element_names[t])
        if grid.cell == WIDE:
            yield write(at, y, name, "middle", 'font-size="16"')
        else:
            lean = f'transform="rotate(-50 {at:.1f} {y})"'
            yield write(at, y, name, more=f'font-size="16" {lean}')


def _short(name: str) -> str:
    return name.replace("mirror, ", "⇋ ")


def _block(
    found: ConvolutionPicture, grid: Grid, values: Tensor, look: tuple[str, Pixels], x: float
) -> Iterator[str]:
    """Yield the pictures of a block, which share one scale. The frame of a filter has the colour of
    its slice."""
    kind, ramp = look
    top = max(float(values.abs().max()), 1e-12)
    low, high = widen(float(values.min()), float(values.max()))
    for h, row in enumerate(values):
        for t, value in enumerate(row):
            left, upper = x + grid.along(t), grid.top + grid.along(h)
            attends = kind == "attention"
            pixels = shade(value - low, high - low, ramp) if attends else diverge(value, top)
            yield picture(pixels, left, upper, grid.cell, grid.cell)
            if kind == "filter" and values.shape[1] > 1:
                yield _frame(grid.cell, left, upper, int(found.circulant[h, t]))
            else:
                yield box(left, upper, grid.cell, grid.cell, f'fill="none" {QUIET}')
            yield read_map(value, (left, upper, grid.cell, grid.cell))


def _bar(grid: Grid, values: Tensor, look: tuple[str, Pixels], x: float) -> list[str]:
    """Return the colour bar of a block, below it."""
    kind, ramp = look
    across = max(grid.along(values.shape[1]) - GAP, RESULT)
    if kind == "attention":
        ends = widen(float(values.min()), float(values.max()))
        return colour_bar(ramp, (x, grid.height, across), ends, "")
    return signed_bar(x, grid.height, across, max(float(values.abs().max()), 1e-12), "")


def _frame(cell: int, x: float, y: float, slice_: int) -> str:
    more = f'fill="none" stroke="{INKS[slice_ % len(INKS)]}" stroke-width="{cell // 12}"'
    return box(x + 1, y + 1, cell - 2, cell - 2, more, words=f"slice {slice_ + 1} of the filter")


def _signs(starts: list[float], grid: Grid) -> Iterator[str]:
    """Yield the signs of the operations between the blocks."""
    signs = ("→", "Σ") if len(starts) == 3 else ("→", "×", "Σ")
    y = (grid.top + grid.height) / 2
    for x, sign in zip(starts[1:], signs, strict=True):
        yield write(x - BETWEEN / 2, y, sign, "middle", 'font-size="20"')
