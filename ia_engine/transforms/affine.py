"""Affine maps: τ(p, q) = (I + L)(p, q)ᵀ + b."""

import torch

from ia_engine.images import Homography, Poses
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Group
from ia_engine.transforms.se2 import SHIFT

# This is the largest box around 0 in which every singular value of I + L is at least 1/2 (in the
# worst case, all entries of L are -1/4); none exceeds 3/2.
STRETCH = Range("L", -0.25, 0.25, "stretch and shear: entries of L in A = I + L")


class Affine(Group):
    """Affine maps with coordinates (L_pp, L_pq, L_qp, L_qq, b_p, b_q). Those of a composition may
    exceed their ranges."""

    name = "affine"
    generators = (
        ((1, 0, 0), (0, 0, 0), (0, 0, 0)),
        ((0, 1, 0), (0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (1, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (0, 1, 0), (0, 0, 0)),
        ((0, 0, 1), (0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (0, 0, 1), (0, 0, 0)),
    )

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (
            Coordinates("stretch", STRETCH, count=4),
            Coordinates("shift", SHIFT, count=2),
        )

    def matrix(self, tau: Poses) -> Homography:
        pp, pq, qp, qq, b_p, b_q = tau.unbind(-1)
        zero = torch.zeros_like(pp)
        rows = (1 + pp, pq, b_p, qp, 1 + qq, b_q, zero, zero, torch.ones_like(pp))
        return torch.stack(rows, -1).unflatten(-1, (3, 3))

    def pose(self, matrix: Homography) -> Poses:
        pp, pq, b_p, qp, qq, b_q, *_ = matrix.flatten(-2).unbind(-1)
        return torch.stack([pp - 1, pq, qp, qq - 1, b_p, b_q], -1)
