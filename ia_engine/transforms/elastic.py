"""Elastic deformation: displacements on a coarse grid, interpolated by Gaussians."""

import torch
from torch import Tensor

from ia_engine.images import pixel_grid
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Displacement

KNOTS = 8
WOBBLE = Range(
    "u", -16, 16, "displacement of the sampling points near a knot: rows, then columns", "px"
)


class Elastic(Displacement):
    """Displacements of the knots of an 8×8 grid from corner to corner of the canvas."""

    name = "elastic"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("wobble", WOBBLE, count=2 * KNOTS**2),)

    def basis(self, height: int, width: int, like: Tensor) -> Tensor:
        rows, columns = _carry(height, like), _carry(width, like)
        return torch.einsum("hk,wl->hwkl", rows, columns).reshape(height * width, KNOTS**2)


def _carry(size: int, like: Tensor) -> Tensor:
    """Return the weights [size k] of the knots along one axis. They sum to 1, and σ equals the
    spacing of the knots."""
    places = pixel_grid(size, 1, like)[:, 0, :1] * ((KNOTS - 1) / max(size - 1, 1))
    knots = pixel_grid(KNOTS, 1, like)[:, 0, 0]
    return (-(places - knots).square() / 2).softmax(-1)
