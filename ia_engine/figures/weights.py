"""The first and the last weight matrix of every method, as one drawing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from torch import Tensor

from ia_engine.figures.history import Numbers
from ia_engine.figures.style import NAMES, PAIR, Pair
from ia_engine.figures.svg import RAMP, Pixels, Point, box, draw, picture, read, write
from ia_engine.shapes import Matrix

SIDE: Final = 230
GAP: Final = 26
HEAD: Final = 48


@dataclass(frozen=True, eq=False)
class Weighed:
    """W of a step, and the step's numbers."""

    W: Matrix
    numbers: Numbers


def draw_weights(
    runs: Mapping[str, tuple[Weighed, Weighed]],
    labels: Sequence[int],
    pair: Pair = None,
    *,
    dark: bool,
) -> str:
    """W sorted by class (or by final cluster), with one scale for off-diagonal elements."""
    ramp = ramp_for(dark)
    top = max(_largest(weighed.W) for ends in runs.values() for weighed in ends)
    parts = []
    for at, (method, ends) in enumerate(runs.items()):
        groups = labels or ends[1].numbers.assignments
        order = order_by(groups)
        for step, weighed in enumerate(ends):
            x, y = step * (SIDE + GAP), at * (HEAD + SIDE + GAP)
            parts += [
                write(x, y + 16, f"{NAMES[method]}, iteration {weighed.numbers.p}"),
                write(x, y + 36, _say(weighed.numbers), more='font-weight="600"'),
                picture(_shade(weighed.W[order][:, order], top, ramp), x, y + HEAD, SIDE, SIDE),
                *_frame(order, pair, (x, y + HEAD)),
                _values(weighed.W[order][:, order], (x, y + HEAD)),
            ]
    bottom = len(runs) * (HEAD + SIDE + GAP) - GAP
    parts += _bar(bottom + 12, top, ramp)
    described = (
        (NAMES[m], *(_say(weighed.numbers) for weighed in ends)) for m, ends in runs.items()
    )
    about = "; ".join(f"{name}: {first}, then {last}" for name, first, last in described)
    return draw(2 * SIDE + GAP, bottom + 44, f"First and last W. {about}", parts)


def order_by(groups: Sequence[int]) -> list[int]:
    """The order of images by group, for rows and columns."""
    return sorted(range(len(groups)), key=lambda i: groups[i])


def ramp_for(dark: bool) -> Pixels:
    """The player's colours: from the background of the page to its text colour."""
    return RAMP if dark else RAMP[::-1]


def _shade(W: Tensor, top: float, ramp: Pixels) -> Pixels:
    share = W.detach().cpu().double().numpy() / max(top, 1e-12)
    return ramp[np.rint(share.clip(0, 1) * (len(ramp) - 1)).astype(int)]


def _frame(order: Sequence[int], pair: Pair, at: Point) -> list[str]:
    """Frames of the row of image i and the column of mean j."""
    if pair is None:
        return []
    cell, (x, y) = SIDE / len(order), at
    row, column = (order.index(k) * cell for k in pair)
    frames = [f'fill="none" stroke="{colour}" stroke-width="2"' for colour in PAIR]
    return [
        box(x, y + row, SIDE, cell, frames[0]),
        box(x + column, y, cell, SIDE, frames[1]),
    ]


def _values(W: Tensor, at: Point) -> str:
    """Tooltips of the cells, which can be clicked."""
    texts = [f"{value:.3f}" for value in W.flatten().tolist()]
    return read((*at, SIDE, SIDE), texts, len(W), "Wᵢⱼ = {value}", pick=True)


def _bar(y: float, top: float, ramp: Pixels) -> list[str]:
    """The colour bar with both end values and a label."""
    width = 2 * SIDE + GAP
    return [
        picture(ramp[None], 0, y, width, 10),
        write(0, y + 26, "0"),
        write(width, y + 26, f"{top:.3g}", "end"),
        write(width / 2, y + 26, "weight Wᵢⱼ, the diagonal left out of the scale", "middle"),
    ]


def _say(numbers: Numbers) -> str:
    if numbers.block_mass is None:
        return f"{numbers.clusters} cluster{'s' * (numbers.clusters != 1)}"
    return f"within classes: {100 * numbers.block_mass:.1f} %"


def _largest(W: Tensor) -> float:
    return float(W.clone().fill_diagonal_(0).max())
