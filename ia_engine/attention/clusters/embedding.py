"""Shows distances as points in the plane: classical scaling (Torgerson 1952), step by step.

The plane of each step is rotated onto that of the previous step (Procrustes), so that points move
only if distances change.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.images import Matrix
from ia_engine.ties import first_max


@dataclass(frozen=True, eq=False)
class Plane:
    """Points in the plane whose distances approximate the given distances."""

    points: Tensor
    """[n 2], with their mean at the origin."""
    kept: float
    """Fraction of the variance that the two dimensions show."""


def embed(d2: Matrix) -> Plane:
    """Embed images in the plane by the two leading eigenvectors of B = -½ J d² J, where J = I -
    11ᵀ/n."""
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
    """Return a sign ±1 for each column, such that the first of its largest entries becomes
    positive.

    The sign of an eigenvector is arbitrary and may depend on the processor.
    """
    place = first_max(vectors.abs(), 0)
    return vectors.gather(0, place[None]).sign() if len(vectors) else vectors.sum(0)


def embed_steps(distances: Iterable[Matrix]) -> Iterator[Plane]:
    """Yield a plane for each step, rotated or reflected to match the previous plane."""
    before: Tensor | None = None
    for d2 in distances:
        plane = embed(d2)
        points = plane.points if before is None else turn_onto(plane.points, before)
        yield Plane(points, plane.kept)
        before = points


def find_illusion(points: Tensor, d2: Matrix) -> tuple[int, int]:
    """Return the indices of the two points whose distance in the plane is smallest relative to
    their true distance."""
    d = d2.double().clamp_min(0).sqrt()
    drawn = torch.cdist(points.double(), points.double())
    hidden = (d - drawn).fill_diagonal_(-torch.inf)
    i, j = divmod(int(first_max(hidden.flatten())), len(d))
    return i, j


def turn_onto(points: Tensor, target: Tensor) -> Tensor:
    """Rotate or reflect the points [n 2] so that they fit `target` best."""
    left, _, right = torch.linalg.svd(points.T @ target)
    return points @ (left @ right)
