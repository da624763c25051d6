"""Drawings of matrices: the first and last weights of every method, the distances of all pairs, and
a row of W."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from torch import Tensor

from ia_engine.attention.clusters.measures import Numbers
from ia_engine.attention.manifolds.rotation import Matrices
from ia_engine.figures.style import NAMES, PAIR, Pair
from ia_engine.figures.svg import (
    DESCENT,
    GLOBAL,
    QUIET,
    RAMP,
    Pixels,
    Point,
    box,
    draw,
    label,
    legend,
    line,
    picture,
    read,
    read_map,
    scale_bar,
    shade,
    side_by_side,
    ticks,
    write,
)
from ia_engine.images import Images, Matrix

WEIGHTS_SIDE: Final = 230
GAP: Final = 26
TITLE_HEIGHT: Final = 48


@dataclass(frozen=True, eq=False)
class Weighed:
    """The matrix W of a step, and the metrics of the step."""

    W: Matrix
    numbers: Numbers


def draw_weights(
    runs: Mapping[str, tuple[Weighed, Weighed]],
    labels: Sequence[int],
    pair: Pair = None,
    *,
    dark: bool,
) -> str:
    """Draw the first and the last W of every method, sorted by class (or by final cluster). All
    off-diagonal elements share one scale."""
    ramp = ramp_for(dark)
    top = max(_largest(weighed.W) for ends in runs.values() for weighed in ends)
    parts = []
    for at, (method, ends) in enumerate(runs.items()):
        groups = labels or ends[1].numbers.assignments
        order = order_by(groups)
        for step, weighed in enumerate(ends):
            x, y = step * (WEIGHTS_SIDE + GAP), at * (TITLE_HEIGHT + WEIGHTS_SIDE + GAP)
            parts += [
                write(x, y + 16, f"{NAMES[method]}, iteration {weighed.numbers.p}"),
                write(x, y + 36, _say(weighed.numbers), more='font-weight="600"'),
                picture(
                    _shade(weighed.W[order][:, order], top, ramp),
                    x,
                    y + TITLE_HEIGHT,
                    WEIGHTS_SIDE,
                    WEIGHTS_SIDE,
                ),
                *_frame_pair(order, pair, (x, y + TITLE_HEIGHT)),
                _values(weighed.W[order][:, order], (x, y + TITLE_HEIGHT)),
            ]
    bottom = len(runs) * (TITLE_HEIGHT + WEIGHTS_SIDE + GAP) - GAP
    parts += _bar(bottom + 12, top, ramp)
    described = (
        (NAMES[m], *(_say(weighed.numbers) for weighed in ends)) for m, ends in runs.items()
    )
    about = "; ".join(f"{name}: {first}, then {last}" for name, first, last in described)
    width, title = 2 * WEIGHTS_SIDE + GAP, "First and last weights W (rows i, columns j)"
    return draw(width, bottom + 44, f"First and last W. {about}", parts, title=title)


def order_by(groups: Sequence[int]) -> list[int]:
    """Return the indices of the images, sorted by group."""
    return sorted(range(len(groups)), key=lambda i: groups[i])


def ramp_for(dark: bool) -> Pixels:
    """Return the colours that the player uses: from the background of the page to its text
    colour."""
    return RAMP if dark else RAMP[::-1]


def _shade(W: Tensor, top: float, ramp: Pixels) -> Pixels:
    share = W.detach().cpu().double().numpy() / max(top, 1e-12)
    return ramp[np.rint(share.clip(0, 1) * (len(ramp) - 1)).astype(int)]


def _frame_pair(order: Sequence[int], pair: Pair, at: Point) -> list[str]:
    """Return frames around the row of image i and the column of mean j."""
    if pair is None:
        return []
    cell, (x, y) = WEIGHTS_SIDE / len(order), at
    row, column = (order.index(k) * cell for k in pair)
    frames = [f'fill="none" stroke="{colour}" stroke-width="2"' for colour in PAIR]
    return [
        box(x, y + row, WEIGHTS_SIDE, cell, frames[0]),
        box(x + column, y, cell, WEIGHTS_SIDE, frames[1]),
    ]


def _values(W: Tensor, at: Point) -> str:
    """Return the tooltips of the cells, which can also be clicked."""
    texts = [f"{value:.3f}" for value in W.flatten().tolist()]
    return read((*at, WEIGHTS_SIDE, WEIGHTS_SIDE), texts, len(W), "Wᵢⱼ = {value}", pick=True)


def _bar(y: float, top: float, ramp: Pixels) -> list[str]:
    """Return a colour bar with both end values and a label."""
    width = 2 * WEIGHTS_SIDE + GAP
    return [
        picture(ramp[None], 0, y, width, 10),
        legend(0, y + 26, "0"),
        legend(width, y + 26, f"{top:.3g}", "end"),
        label(width / 2, y + 26, "Wᵢⱼ, scaled without the diagonal [no unit]", "middle"),
    ]


def _say(numbers: Numbers) -> str:
    if numbers.block_mass is None:
        return f"{numbers.clusters} cluster{'s' * (numbers.clusters != 1)}"
    return f"within classes: {100 * numbers.block_mass:.1f} %"


def _largest(W: Tensor) -> float:
    return float(W.clone().fill_diagonal_(0).max())


SIDE, HEAD = 380, 30
LEAST: Final = 320
CELL, THUMB = 110, 84
WIDTH, HEIGHT = 460, 240
LETTERS: Final = 17
FRAMED: Final = f'fill="none" stroke="{GLOBAL}" stroke-width="3" stroke-dasharray="5 3"'
OTHERS: Final = 'fill="currentColor" fill-opacity="0.45"'


def draw_matrices(
    matrices: Matrices, labels: Sequence[int], i: int, j: int, numbers: Sequence[int] = ()
) -> str:
    """Draw the invariant and the Euclidean d of all pairs, with lines between the classes.

    `numbers` are the numbers by which images are named; by default, they are counted from 1.
    """
    top = float(matrices.ka.max()) ** 0.5
    return side_by_side(
        (
            _matrix(name, d2.sqrt(), top, labels, (i, j), numbers=numbers)
            for name, d2 in (
                ("up to a pose (invariant)", matrices.ia),
                ("pixel by pixel (kernel)", matrices.ka),
            )
        ),
        LEAST,
    )


def _matrix(
    name: str,
    d: Matrix,
    top: float,
    labels: Sequence[int],
    pair: tuple[int, int],
    *,
    numbers: Sequence[int],
) -> str:
    parts = [
        label(0, 18, "row: image i, column: image j"),
        picture(shade(d, top), 0, HEAD, SIDE, SIDE),
    ]
    parts += [*_lines(0, labels), *_frame(0, SIDE / len(d), *pair)]
    values = [f"{value:.3f}" for value in d.flatten().tolist()]
    texts = "i = {row}, j = {column}: d = {value}"
    area = (0, HEAD, SIDE, SIDE)
    parts.append(read(area, values, len(d), texts, numbers=numbers, pick=True))
    parts += scale_bar(0, HEAD + SIDE + 12, SIDE, top, "d [no unit]")
    about = f"Distances between {len(d)} images, dark for small distances: {name}"
    title = f"Distances: {name}"
    return draw(SIDE, HEAD + SIDE + 44, about, parts, letters=15, title=title)


def draw_table(images: Images, d: Matrix, what: str = "Distances d") -> str:
    """Draw a small matrix, with the images along both sides."""
    n, top = len(images), float(d.max())
    parts = []
    white = max(float(images.max()), 1e-12)
    for at, image in enumerate(images):
        drawn, place = _grey(image, white), THUMB + 10 + at * CELL
        parts.append(picture(drawn, place + (CELL - THUMB) / 2, 0, THUMB, THUMB))
        parts.append(picture(drawn, 0, place + (CELL - THUMB) / 2, THUMB, THUMB))
    colours = shade(d, top)
    for row in range(n):
        for column in range(n):
            x, y = (THUMB + 10 + place * CELL for place in (column, row))
            colour = colours[row, column].tolist()
            parts.append(box(x, y, CELL - 3, CELL - 3, f'fill="rgb{tuple(colour)}"'))
            ink = "#000" if sum(colour) > 400 else "#fff"
            more = f'style="fill:{ink}" font-size="20"'
            value = f"{float(d[row, column]):.2f}"
            parts.append(write(x + CELL / 2, y + CELL / 2 + 6, value, "middle", more))
    side, start = THUMB + 10 + n * CELL, THUMB + 10
    words = "i = {row}, j = {column}: {value}"
    parts.append(read_map(d, (start, start, n * CELL, n * CELL), words))
    parts += scale_bar(start, side + 6, n * CELL - 3, top, f"{what.split(' ')[1]} [no unit]")
    about = f"{what} between {n} images"
    return draw(side, side + 38, about, parts, title=about)


def draw_row(
    row: Tensor,
    before: Tensor,
    labels: Sequence[int],
    i: int,
    j: int,
    *,
    numbers: Sequence[int] = (),
) -> str:
    """Draw W_ij as a bar for every j. Bars of the class of vᵢ are darker; marks show the values at
    0° and the image j."""
    top = max(float(row.max()), float(before.max()), 1e-6)
    left, bottom = 52, HEIGHT - 34
    width, height = (WIDTH - left - 8) / len(row), bottom - 28
    parts = []
    for value in ticks(top):
        y = bottom - height * value / top
        parts.append(line((left, y), (WIDTH - 8, y), 'stroke="currentColor" stroke-opacity="0.15"'))
        parts.append(write(left - 8, y + 5, f"{value:.2g}", "end"))
    for k, (now, then) in enumerate(zip(row.tolist(), before.tolist(), strict=True)):
        x, tall = left + k * width, height * now / top
        fill = f'fill="{_colour(k, labels, i)}"' if _related(k, labels, i) else OTHERS
        parts.append(box(x + 0.1 * width, bottom - tall, 0.8 * width, tall, fill))
        y = bottom - height * then / top
        parts.append(line((x, y), (x + width, y), 'stroke="currentColor" stroke-width="2"'))
    parts.append(box(left + j * width, 28, width, height, FRAMED))
    pairs = zip(row.tolist(), before.tolist(), strict=True)
    texts = [f"{now:.4f},\u00a0at\u00a00°\u00a0{then:.4f}" for now, then in pairs]
    across = (left, 28, len(row) * width, height)
    said = "j = {column}: Wᵢⱼ = {value}"
    parts.append(read(across, texts, len(row), said, numbers=numbers, pick=True))
    parts += [line((left, bottom), (WIDTH - 8, bottom), QUIET), label(6, 18, "Wᵢⱼ [no unit]")]
    parts += [label((left + WIDTH) / 2, HEIGHT - 8, f"image j of {len(row)}", "middle")]
    parts += _bar_legend(bool(labels))
    kept = float(torch_min(row, before) / before.sum().clamp_min(1e-12))
    about = f"Row i of W: {100 * kept:.0f} % of the weight is the same as at 0 degrees"
    title = "Weights of vᵢ in the means of all images"
    return draw(WIDTH, HEIGHT, about, parts, letters=LETTERS, title=title)


def _bar_legend(has_classes: bool) -> Iterator[str]:
    """Yield the names of the colours of the bars and of the marks."""
    entries = [("vᵢ itself", f'fill="{DESCENT}"'), ("its class", f'fill="{GLOBAL}"')]
    entries = [*entries[: 1 + has_classes], ("others", OTHERS)]
    for k, (words, fill) in enumerate(entries):
        x = 132 + 84 * k
        yield box(x, 8, 11, 11, fill) + legend(x + 15, 18, words, more='font-size="14"')
    x = 132 + 84 * len(entries)
    yield line((x, 13), (x + 14, 13), 'stroke="currentColor" stroke-width="2"')
    yield legend(x + 18, 18, "at 0°", more='font-size="14"')


def torch_min(row: Tensor, before: Tensor) -> Tensor:
    """Return the sum of the element-wise minima of two rows."""
    return row.minimum(before).sum()


def _related(j: int, labels: Sequence[int], i: int) -> bool:
    return j == i or (bool(labels) and labels[j] == labels[i])


def _colour(j: int, labels: Sequence[int], i: int) -> str:
    return DESCENT if j == i else GLOBAL


def _lines(x: float, labels: Sequence[int]) -> Iterator[str]:
    """Yield lines between adjacent images of different classes."""
    cell = SIDE / max(len(labels), 1)
    for at in range(1, len(labels)):
        if labels[at] != labels[at - 1]:
            place, white = at * cell, 'stroke="#fff" stroke-width="1"'
            yield line((x + place, HEAD), (x + place, HEAD + SIDE), white)
            yield line((x, HEAD + place), (x + SIDE, HEAD + place), white)


def _frame(x: float, cell: float, i: int, j: int) -> Iterator[str]:
    """Yield frames around the cell of the pair."""
    for width, colour in ((4, "#000"), (2, "#fff")):
        more = f'fill="none" stroke="{colour}" stroke-width="{width}"'
        yield box(x + j * cell, HEAD + i * cell, cell, cell, more)


def _grey(image: Tensor, white: float) -> Pixels:
    grey = (image.mean(0) / white).clamp(0, 1).detach().cpu().double().numpy()
    return np.repeat(np.rint(255 * grey)[..., None], 3, 2).astype(np.uint8)
