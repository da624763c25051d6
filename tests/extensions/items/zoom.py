"""Zooming about the centre: τ(p) = s p."""

import torch

from ia_engine.images import Homography, Poses
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Group

ZOOM = Range("log s", -0.7, 0.7, "logarithm of the factor by which the picture shrinks")


class Zoom(Group):
    """Coordinates (log s)."""

    name = "zoom"
    generators = (((1, 0, 0), (0, 1, 0), (0, 0, 0)),)

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("zoom", ZOOM),)

    def matrix(self, tau: Poses) -> Homography:
        s, zero, one = tau[..., 0].exp(), tau[..., 0] * 0, tau[..., 0] * 0 + 1
        return torch.stack([s, zero, zero, zero, s, zero, zero, zero, one], -1).view(*s.shape, 3, 3)

    def pose(self, matrix: Homography) -> Poses:
        return matrix[..., 0, 0].log()[..., None]
