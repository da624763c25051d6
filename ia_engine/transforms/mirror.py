"""Mirror images, which rotations and translations cannot undo: left and right are exchanged."""

from typing import Final

import torch

from ia_engine.images import Field, Poses, pixel_grid
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Warp

MIRROR: Final = Range(
    "",
    0,
    1,
    "from 0.5, left and right are exchanged; with the range 0 to 1, about half of the copies are "
    "mirrored",
)
THRESHOLD: Final = 0.5


class Mirror(Warp):
    """τ(p, q) = (p, −q) if its only coordinate is at least 0.5, otherwise the identity.

    It is a reflection, so no rotation, translation or scaling undoes it. The coordinate has no
    gradient.
    """

    name = "mirror"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("mirror", MIRROR, typical=1.0),)

    def field(self, tau: Poses, height: int, width: int) -> Field:
        points = pixel_grid(height, width, tau)
        sign = torch.where(tau[:, 0] < THRESHOLD, 1.0, -1.0).to(tau)
        return torch.stack(
            [points[..., 0].expand(len(tau), -1, -1), sign[:, None, None] * points[..., 1]], -1
        )
