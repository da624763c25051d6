"""Distances as points in the plane: classical scaling (Torgerson 1952), step by step.

The plane of each step is turned onto that of the step before (Procrustes), so that points move only
where distances do.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.shapes import Matrix
from ia_engine.ties import first_max


@dataclass(frozen=True, eq=False)
class Plane:
    """Points whose distances are as near to the given ones as two dimensions allow."""

    points: Tensor
    """[n 2], their mean at the origin."""
    kept: float
    """The share of the spread that the two dimensions hold; the rest is not in the picture."""


def embed(d2: Matrix) -> Plane:
    """The two leading directions of B = -½ J d² J, with J = I - 11ᵀ/n."""
    x = d2.double()
    centred = -(x - x.mean(0) - x.mean(1, keepdim=True) + x.mean()) / 2
    values, vectors = torch.linalg.eigh(centred)
    vectors = vectors * _signs(vectors)
    length = values.clamp_min(0).sqrt()
    points = (vectors * length).flip(1)[:, :2]
    points = torch.nn.functional.pad(points, (0, 2 - points.shape[1]))
    whole = float(values.abs().sum())
    kept = float(points.square().sum()) / whole if whole > 0 else 1.0
    return Plane(points.to(d2.dtype), kept)


def _signs(vectors: Tensor) -> Tensor:
    """±1 for each column, so that the first of its greatest entries becomes positive.

    An eigenvector's sign is arbitrary, and depends on the processor.
    """
    place = first_max(vectors.abs(), 0)
    return vectors.gather(0, place[None]).sign() if len(vectors) else vectors.sum(0)


def embed_steps(distances: Iterable[Matrix]) -> Iterator[Plane]:
    """A plane for every step, each turned or mirrored onto the one before."""
    before: Tensor | None = None
    for d2 in distances:
        plane = embed(d2)
        points = plane.points if before is None else turn_onto(plane.points, before)
        yield Plane(points, plane.kept)
        before = points


def find_illusion(points: Tensor, d2: Matrix) -> tuple[int, int]:
    """The two points that lie nearest to one another for how far apart they are."""
    d = d2.double().clamp_min(0).sqrt()
    drawn = torch.cdist(points.double(), points.double())
    hidden = (d - drawn).fill_diagonal_(-torch.inf)
    i, j = divmod(int(first_max(hidden.flatten())), len(d))
    return i, j


def turn_onto(points: Tensor, target: Tensor) -> Tensor:
    """The points [n 2], turned and mirrored to lie as near to the target's as can be."""
    left, _, right = torch.linalg.svd(points.T @ target)
    return points @ (left @ right)
