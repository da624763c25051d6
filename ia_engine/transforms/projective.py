"""Projective maps: τ(p, q) = ((I + L)(p, q)ᵀ + b) / (1 + h·(p, q)), a plane from another
viewpoint."""

import torch

from ia_engine.images import Homography, Poses
from ia_engine.params import Range
from ia_engine.transforms.affine import STRETCH
from ia_engine.transforms.base import Coordinates, Group
from ia_engine.transforms.se2 import SHIFT

PERSPECTIVE = Range(
    "h",
    -0.01,
    0.01,
    "perspective: change of scale in the vertical, then the horizontal direction",
    "1/px",
)


class Projective(Group):
    """Projective maps with coordinates (L_pp, L_pq, L_qp, L_qq, b_p, b_q, h_p, h_q). Their matrices
    are defined only up to scale."""

    name = "projective"
    generators = (
        ((1, 0, 0), (0, 0, 0), (0, 0, 0)),
        ((0, 1, 0), (0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (1, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (0, 1, 0), (0, 0, 0)),
        ((0, 0, 1), (0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (0, 0, 1), (0, 0, 0)),
        ((0, 0, 0), (0, 0, 0), (1, 0, 0)),
        ((0, 0, 0), (0, 0, 0), (0, 1, 0)),
    )

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (
            Coordinates("stretch", STRETCH, count=4),
            Coordinates("shift", SHIFT, count=2),
            Coordinates("perspective", PERSPECTIVE, count=2),
        )

    def matrix(self, tau: Poses) -> Homography:
        pp, pq, qp, qq, b_p, b_q, h_p, h_q = tau.unbind(-1)
        rows = (1 + pp, pq, b_p, qp, 1 + qq, b_q, h_p, h_q, torch.ones_like(pp))
        return torch.stack(rows, -1).unflatten(-1, (3, 3))

    def pose(self, matrix: Homography) -> Poses:
        scaled = matrix / matrix[..., 2:, 2:]
        pp, pq, b_p, qp, qq, b_q, h_p, h_q, _ = scaled.flatten(-2).unbind(-1)
        return torch.stack([pp - 1, pq, qp, qq - 1, b_p, b_q, h_p, h_q], -1)
