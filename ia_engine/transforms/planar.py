"""Warps of many images at once: all fields by one matrix product, in planes, with bilinear
sampling.

The same maths as `Warp.act`, with a layout for training. Coordinates are scaled by powers of two
only, so that 0 is the identity to the last bit at every size.
"""

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.errors import EngineError
from ia_engine.images import pixel_grid
from ia_engine.shapes import Field, Images, Poses
from ia_engine.transforms.base import FAR, NEAREST_HORIZON, Group, Transform
from ia_engine.transforms.displacement import Displacement

OUTSIDE = {"border": ("replicate", "border"), "zeros": ("constant", "zeros")}
"""Values outside the canvas: the nearest pixel, or 0."""


@dataclass(frozen=True, eq=False)
class PlanarWarp:
    """A warp on one canvas; everything that depends only on the canvas is computed once."""

    warp: Group | Displacement
    height: int
    width: int
    points: Tensor
    """[2 h·w]: rows, then columns [px from the centre]."""
    basis: Tensor
    """[k h·w]: the basis by which the coordinates are multiplied."""

    @classmethod
    def on(cls, warp: Transform, height: int, width: int, like: Tensor) -> Self:
        points = pixel_grid(height, width, like).flatten(0, 1).mT.contiguous()
        if isinstance(warp, Displacement):
            basis = warp.basis(height, width, like).mT.contiguous()
        elif isinstance(warp, Group):
            basis = torch.cat([points, torch.ones_like(points[:1])])
        else:
            raise EngineError(f"{warp.name} is neither a group nor a smooth displacement")
        return cls(warp, height, width, points, basis)

    def act(self, v: Images, tau: Poses, outside: str) -> Images:
        """v[i] sampled at τ_i(p)."""
        return read(v, self.planes(tau), outside)

    def planes(self, tau: Poses) -> Tensor:
        """τ(p) for every pixel, [n 2 h w]: a plane of rows and a plane of columns."""
        planes = self._planes(tau)
        return planes.unflatten(-1, (self.height, self.width))

    def inverse_planes(self, tau: Poses) -> Tensor:
        """τ⁻¹(p): by the group, or by fixed-point iteration for a displacement without folds."""
        if isinstance(self.warp, Group):
            return self.planes(self.warp.inverse(tau))
        points = self.points.unflatten(-1, (self.height, self.width))
        moved = self.planes(tau) - points
        back = torch.zeros_like(moved)
        for _ in range(20):
            back = -read(moved, points + back, "border")
        return points + back

    def _planes(self, tau: Poses) -> Tensor:
        if isinstance(self.warp, Displacement):
            felt = tau.reshape(2 * len(tau), len(self.basis)) @ self.basis
            return self.points + felt.unflatten(0, (len(tau), 2))
        rows = 3 if self.warp.perspective else 2
        matrix = self.warp.matrix(tau)[:, :rows]
        planes = (matrix.flatten(0, 1) @ self.basis).unflatten(0, (len(tau), rows))
        if rows == 2:
            return planes
        horizon = planes[:, 2:]
        seen = planes[:, :2] / horizon.clamp_min(NEAREST_HORIZON)
        return torch.where(horizon < NEAREST_HORIZON, FAR, seen)


def read(v: Images, planes: Tensor, outside: str) -> Images:
    """v[i] sampled bilinearly at planes[i], [n 2 h w] in pixels from the centre of v."""
    height, width = v.shape[-2:]
    padding, mode = OUTSIDE[outside]
    # On a canvas of 2^a × 2^b pixels the arithmetic of grid_sample is exact at every pixel.
    tall, wide = 1 << (height - 1).bit_length(), 1 << (width - 1).bit_length()
    if (tall, wide) != (height, width):
        v = functional.pad(v, (0, wide - width, 0, tall - height), padding)
    scale, corner = _frame((height, width), (tall, wide), planes)
    grid: Field = torch.addcmul(corner, planes, scale).flip(1).movedim(1, -1)
    return functional.grid_sample(v, grid, mode="bilinear", padding_mode=mode, align_corners=False)


def _frame(inner: tuple[int, int], outer: tuple[int, int], like: Tensor) -> tuple[Tensor, Tensor]:
    """Pixels from the centre p become (2 p + inner) / outer - 1 in grid_sample's units."""
    size = like.new_tensor([*inner, *outer]).view(4, 1, 1)
    return 2 / size[2:], size[:2] / size[2:] - 1
