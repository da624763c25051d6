"""Rotations about the centre of the canvas: τ(p, q) = A(θ)(p, q)ᵀ."""

import torch

from ia_engine.images import Homography, Poses
from ia_engine.transforms.base import Coordinates, Group
from ia_engine.transforms.se2 import TURN


class Rotation(Group):
    """Rotations with coordinate θ."""

    name = "rotation"
    generators = (((0, 1, 0), (-1, 0, 0), (0, 0, 0)),)

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("turn", TURN),)

    def matrix(self, tau: Poses) -> Homography:
        theta = tau[..., 0]
        cos, sin, zero = theta.cos(), theta.sin(), torch.zeros_like(theta)
        rows = (cos, sin, zero, -sin, cos, zero, zero, zero, torch.ones_like(theta))
        return torch.stack(rows, -1).unflatten(-1, (3, 3))

    def pose(self, matrix: Homography) -> Poses:
        return torch.atan2(matrix[..., 0, 1], matrix[..., 0, 0])[..., None]
