"""Where an original picture lies on its canvas after it was cropped, resized and padded.

In pixel coordinates (x right, y down, pixel centres at integers), the original's point (x, y) is at
(s_x x + t_x, s_y y + t_y) on the canvas. "Original" means the picture as it is displayed, i.e.
turned upright if its file says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import Homography


@dataclass(frozen=True)
class Placement:
    """The size [px] of an original picture, and its scale and offset [px] on the canvas.

    >>> Placement(100, 200).resize(50, 100, (100, 200)).pad(7, 0)
    Placement(height=100, width=200, scale=(0.5, 0.5), offset=(6.75, -0.25))
    """

    height: int
    width: int
    scale: tuple[float, float] = (1.0, 1.0)
    """Vertical, then horizontal: canvas pixels per original pixel."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Row and column of the original's first pixel on the canvas."""

    def resize(self, height: int, width: int, before: tuple[int, int]) -> Self:
        """Resize the canvas from the size `before`, so that the areas of the pixels correspond."""
        return self.rescale((height / before[0], width / before[1]))

    def rescale(self, factors: tuple[float, float]) -> Self:
        """Multiply the number of rows and columns; the corner of the first pixel stays in place."""
        scale = (self.scale[0] * factors[0], self.scale[1] * factors[1])
        moved = [f * t + (f - 1) / 2 for f, t in zip(factors, self.offset, strict=True)]
        return replace(self, scale=scale, offset=(moved[0], moved[1]))

    def pad(self, top: float, left: float) -> Self:
        """Add rows and columns before the first ones, or crop them if negative."""
        return replace(self, offset=(self.offset[0] + top, self.offset[1] + left))

    def to_values(self) -> list[float]:
        """Return the fields as numbers, for JSON."""
        return [self.height, self.width, *self.scale, *self.offset]

    @classmethod
    def from_values(cls, values: Sequence[float]) -> Self:
        """Invert `to_values`."""
        height, width, s_y, s_x, t_y, t_x = values
        return cls(int(height), int(width), (s_y, s_x), (t_y, t_x))


def stack_placements(placements: Sequence[Placement], like: Tensor) -> Homography:
    """Return the matrices [n 3 3] that map points (x, y, 1) of the originals to the canvas."""
    (rows, columns) = (
        [[place.scale[axis], place.offset[axis]] for place in placements] for axis in (0, 1)
    )
    matrix = torch.eye(3, device=like.device, dtype=like.dtype).repeat(len(placements), 1, 1)
    matrix[:, 0, 0::2] = like.new_tensor(columns).view(-1, 2)
    matrix[:, 1, 1:] = like.new_tensor(rows).view(-1, 2)
    return matrix


def check_count(placements: Sequence[Placement], n: int, name: str) -> None:
    """Raise EngineError unless there is one placement for each of n images."""
    if len(placements) != n:
        raise EngineError(
            f"{name} must have one placement for each of the {n} poses; got {len(placements)}"
        )
