"""Translations: τ(p, q) = (p, q) + b."""

import torch

from ia_engine.images import Homography, Poses
from ia_engine.transforms.base import Coordinates, Group
from ia_engine.transforms.se2 import SHIFT


class Translation(Group):
    """Translations with coordinates (b_p, b_q)."""

    name = "translation"
    generators = (
        ((0, 0, 1), (0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (0, 0, 1), (0, 0, 0)),
    )

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("shift", SHIFT, count=2),)

    def matrix(self, tau: Poses) -> Homography:
        b_p, b_q = tau.unbind(-1)
        zero, one = torch.zeros_like(b_p), torch.ones_like(b_p)
        rows = (one, zero, b_p, zero, one, b_q, zero, zero, one)
        return torch.stack(rows, -1).unflatten(-1, (3, 3))

    def pose(self, matrix: Homography) -> Poses:
        return matrix[..., :2, 2]
