"""Shows how rotating one input changes its row of W in invariant and in kernel attention.

The rotated v_i is compared with all unrotated images, including itself: row i of the kernel γ is
recomputed, the other rows stay the same, and the columns are renormalised. At 0°, the result is row
i of W.

This module also contains the example of section 2.2, in which a 7 and a 7 with a bar are closer to
each other than to a 3.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import Euclidean, GlobalSearch
from ia_engine.attention.distances.ascent import ImagePairs, ascend, score
from ia_engine.attention.distances.search import tabulate
from ia_engine.attention.distances.templates import prepare
from ia_engine.attention.iteration import normalise
from ia_engine.attention.manifolds.sample import MAX_SIDE
from ia_engine.attention.weights import weigh
from ia_engine.datasets.bases import load_base
from ia_engine.images import Images, Matrix
from ia_engine.transforms import GROUPS

SE2 = GROUPS["se2"]
STARTS, STEPS = 6, 4


@dataclass(frozen=True, eq=False)
class Matrices:
    """The squared distances of all pairs in invariant and in kernel attention, [n n] each."""

    ia: Matrix
    ka: Matrix


@dataclass(frozen=True, eq=False)
class RotatedRow:
    """An image rotated by an angle, and its row of W under both methods, [n] each."""

    image: Images
    """[1 c h w]."""
    ia: Tensor
    ka: Tensor
    lost: float
    """The invariant d² between the rotated and the unrotated image.

    It is 0, apart from interpolation errors and ink that the rotation moves off the canvas.
    """


def measure_all(v: Images) -> Matrices:
    """Compute the invariant and the Euclidean distances between all images, which must have unit
    norm."""
    return Matrices(GlobalSearch(SE2).align(v).d2, Euclidean().align(v).d2)


def rotate_one(
    v: Images, known: Matrices, i: int, degrees: float, *, beta: float, kernel_beta: float
) -> RotatedRow:
    """Rotate v_i anticlockwise and return its row of W for both methods, each of which has its own
    β."""
    tau = v.new_tensor([[math.radians(degrees), 0.0, 0.0]])
    image = SE2.act(v[i : i + 1], tau) if degrees else v[i : i + 1]
    rows = (measure_row(v, image), (v - image).flatten(1).square().sum(1))
    if not degrees:  # equal to row i, apart from errors of the solvers
        rows = (known.ia[i], known.ka[i])
    ia, ka = (
        weigh(torch.cat([d2[:i], row[None], d2[i + 1 :]]), b)[i]
        for d2, row, b in zip((known.ia, known.ka), rows, (beta, kernel_beta), strict=True)
    )
    return RotatedRow(image, ia, ka, float(rows[0][i]) if degrees else 0.0)


def measure_row(v: Images, image: Images) -> Tensor:
    """Return d² [n] between the manifold of one image [1 c h w] and those of all v: only n pairs,
    not n²."""
    n, everyone = len(v), torch.cat([v, image])
    templates = prepare(everyone, SE2)
    alone = torch.full((n, 1), n, device=v.device)
    there = ImagePairs(templates, alone, templates.take(slice(0, n)))
    start = tabulate(everyone, SE2).search(alone, STARTS)
    best = ascend(there, start, SE2, STEPS).best(1).matrix
    row = torch.arange(n, device=v.device)[None]
    back = replace(there, index=row, target=templates.take(slice(n, n + 1)))
    flat = everyone.flatten(1)
    still, square = flat[:n] @ flat[n], flat.square().sum(1)
    forward = torch.maximum(score(there, best)[:, 0, 0], still)
    backward = torch.maximum(score(back, torch.linalg.inv(best).transpose(0, 1))[0, :, 0], still)
    return (square[:n] + square[n] - forward - backward).clamp_min(0)


DRAWINGS: Final = ("seven", "seven-barred", "three")
POSES: Final = ((0.0, 0.0, 0.0), (0.9, 3.0, -4.0), (-0.6, -4.0, 2.0))
"""Poses (θ, b_p, b_q) [rad, px] of the drawings, chosen so that they do not match pixel by
pixel."""
FILL: Final = 0.6


def make_sevens() -> tuple[Images, Matrices]:
    """Return the three transformed drawings with unit norm, and their distances."""
    drawn = torch.stack([load_base(name, MAX_SIDE, FILL) for name in DRAWINGS])
    v = normalise(SE2.act(drawn, drawn.new_tensor(POSES)))
    return v, measure_all(v)
