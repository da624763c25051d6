"""Similarities, i.e. rotation, scaling and translation: τ(p, q) = s A(θ)(p, q)ᵀ + b."""

import math

import torch

from ia_engine.images import Homography, Poses
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Group
from ia_engine.transforms.se2 import SHIFT, TURN

SCALE = Range(
    "log s",
    -math.log(2),
    math.log(2),
    "logarithmic scale of the sampling points: positive values shrink the image",
)


class Similarity(Group):
    """Similarities with coordinates (θ, log s, b_p, b_q). The logarithm keeps s positive, and makes
    0 the identity."""

    name = "similarity"
    generators = (
        ((0, 1, 0), (-1, 0, 0), (0, 0, 0)),
        ((1, 0, 0), (0, 1, 0), (0, 0, 0)),
        ((0, 0, 1), (0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (0, 0, 1), (0, 0, 0)),
    )

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (
            Coordinates("turn", TURN),
            Coordinates("scale", SCALE),
            Coordinates("shift", SHIFT, count=2),
        )

    def matrix(self, tau: Poses) -> Homography:
        theta, log_s, b_p, b_q = tau.unbind(-1)
        s, zero = log_s.exp(), torch.zeros_like(theta)
        cos, sin = s * theta.cos(), s * theta.sin()
        rows = (cos, sin, b_p, -sin, cos, b_q, zero, zero, torch.ones_like(theta))
        return torch.stack(rows, -1).unflatten(-1, (3, 3))

    def pose(self, matrix: Homography) -> Poses:
        cos, sin = matrix[..., 0, 0], matrix[..., 0, 1]
        shift = matrix[..., :2, 2].unbind(-1)
        return torch.stack([torch.atan2(sin, cos), torch.hypot(cos, sin).log(), *shift], -1)
