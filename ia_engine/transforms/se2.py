"""SE(2), rotations and translations: τ(p, q) = A(θ)(p, q)ᵀ + b, section 2.1 of Invariant
Attention."""

import math

import torch

from ia_engine.images import Homography, Poses
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Group

TURN = Range("θ", -math.pi, math.pi, "rotation of the image, anticlockwise about its centre", "rad")
SHIFT = Range(
    "b", -1024, 1024, "sampling position of the centre of the canvas: row, then column", "px"
)


class SE2(Group):
    """Rotations and translations with coordinates (θ, b_p, b_q)."""

    name = "se2"
    generators = (
        ((0, 1, 0), (-1, 0, 0), (0, 0, 0)),
        ((0, 0, 1), (0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (0, 0, 1), (0, 0, 0)),
    )

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("turn", TURN), Coordinates("shift", SHIFT, count=2))

    def matrix(self, tau: Poses) -> Homography:
        theta, b_p, b_q = tau.unbind(-1)
        cos, sin, zero = theta.cos(), theta.sin(), torch.zeros_like(theta)
        rows = (cos, sin, b_p, -sin, cos, b_q, zero, zero, torch.ones_like(theta))
        return torch.stack(rows, -1).view(*theta.shape, 3, 3)

    def pose(self, matrix: Homography) -> Poses:
        theta = torch.atan2(matrix[..., 0, 1], matrix[..., 0, 0])
        return torch.stack([theta, matrix[..., 0, 2], matrix[..., 1, 2]], -1)
