"""Transformations: named coordinates whose zero is the identity, and an action on images.

There are three levels: a `Transform` acts; a `Warp` acts by moving the sampling points; a `Group`
of warps can also be composed and inverted. The action is a right action, act(act(v, a), b) = act(v,
compose(a, b)), with compose(a, b)(p) = a(b(p)). A `Displacement` is a smooth warp that is linear in
its coordinates: τ(p) = p + Σ_k φ_k(p) u_k.

A `PlanarWarp` is a fast version of `Warp.act` for many images: one matrix product computes all
fields, as planes, and sampling is bilinear. Its coordinates are scaled by powers of two only, so
that 0 is the identity to the last bit at every size.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final, Self, final

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.errors import EngineError
from ia_engine.images import (
    Field,
    Homography,
    Images,
    Interpolation,
    Poses,
    check_axes,
    keys,
    pixel_grid,
)
from ia_engine.params import Range


@dataclass(frozen=True)
class Coordinates:
    """Consecutive coordinates with the same meaning: their name, bounds and number."""

    name: str
    range: Range
    count: int = 1
    typical: float = 0.35
    """Fraction of the range in which the effect is visible but images remain recognisable."""


class Transform(ABC):
    """A transformation of images by coordinates tau [n p]; tau = 0 is the identity."""

    name: ClassVar[str]

    @abstractmethod
    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        """Return the coordinates in order, for images with the given number of channels."""

    @abstractmethod
    def act(self, v: Images, tau: Poses) -> Images:
        """Return v[i] transformed by tau[i]."""

    @final
    def dimension(self, channels: int = 1) -> int:
        """Return p, the number of coordinates."""
        return sum(part.count for part in self.coordinates(channels))

    @final
    def identity(self, n: int, like: Tensor, channels: int = 1) -> Poses:
        """Return n copies of the identity, with the device and dtype of `like`."""
        return torch.zeros(n, self.dimension(channels), device=like.device, dtype=like.dtype)


class Warp(Transform):
    """A transform that moves the sampling points: [v∘τ](p) = v(τ(p))."""

    @abstractmethod
    def field(self, tau: Poses, height: int, width: int) -> Field:
        """Return τ(p) for every pixel p of the canvas [px from its centre]."""

    @final
    def act(self, v: Images, tau: Poses, sample: Interpolation = keys) -> Images:
        check_axes(tau, f"{len(v)} {self.dimension()}", "tau")
        return sample(v, self.field(tau, v.shape[-2], v.shape[-1]))


class Group(Warp):
    """Warps by 3×3 matrices in centred homogeneous coordinates (p, q, 1)."""

    generators: ClassVar[tuple[tuple[tuple[float, ...], ...], ...]]
    """A basis of the Lie algebra: the directions of small motions, as 3×3 matrices."""

    @abstractmethod
    def matrix(self, tau: Poses) -> Homography:
        """Return the matrix of each pose; the identity for tau = 0."""

    @abstractmethod
    def pose(self, matrix: Homography) -> Poses:
        """Return the coordinates of each matrix; this is the inverse of `matrix`."""

    @final
    def compose(self, a: Poses, b: Poses) -> Poses:
        """Return the pose that applies b to a point first, and then a: compose(a, b)(p) =
        a(b(p))."""
        return self.pose(self.matrix(a) @ self.matrix(b))

    @final
    def inverse(self, tau: Poses) -> Poses:
        return self.pose(torch.linalg.inv(self.matrix(tau)))

    @property
    def rigid(self) -> bool:
        """True if distances on the canvas do not change."""
        return all(e[0][0] == e[1][1] == e[0][1] + e[1][0] == 0 for e in self.generators)

    @property
    def perspective(self) -> bool:
        """True if parallel lines may meet."""
        return any(any(e[2]) for e in self.generators)

    @final
    def contains(self, matrix: Homography) -> bool:
        """Return True if all matrices belong to the group."""
        return torch.allclose(self.matrix(self.pose(matrix)), matrix, atol=1e-5)

    @final
    def field(self, tau: Poses, height: int, width: int) -> Field:
        return move(self.matrix(tau), pixel_grid(height, width, tau))

    @final
    def unitary(self, v: Images, tau: Poses, sample: Interpolation = keys) -> Images:
        """Return U(τ)v = |det Dτ|^(1/2) v∘τ, which preserves the norm of an image on the infinite
        plane."""
        matrix = self.matrix(tau)
        points = pixel_grid(v.shape[-2], v.shape[-1], tau)
        return density(matrix, points)[:, None].sqrt() * sample(v, move(matrix, points))


NEAREST_HORIZON: Final = 0.05
"""Minimum m₃·p of a point that counts as in front of the horizon of a homography (on the horizon,
m₃·p = 0)."""
FAR: Final = 1e6
"""Sampling position [px] of points at or behind the horizon: outside every canvas, where v is 0."""


def move(matrix: Homography, points: Tensor) -> Field:
    """Apply each matrix [n 3 3] to the points [h w 2]: one matrix product, then the perspective
    division."""
    flat = torch.cat([points, torch.ones_like(points[..., :1])], -1).flatten(0, 1)
    moved = (flat @ matrix.mT).view(-1, *points.shape[:2], 3)
    horizon = moved[..., 2:]
    seen = moved[..., :2] / horizon.clamp_min(NEAREST_HORIZON)
    return torch.where(horizon < NEAREST_HORIZON, FAR, seen)


def density(matrix: Homography, points: Tensor) -> Tensor:
    """Return |det Dτ| at the points [h w 2]: det M / (m₃·p)³, constant unless the map is
    projective.

    Behind the horizon, the value just in front of it is used, because it is finite and v = 0 there.
    """
    flat = torch.cat([points, torch.ones_like(points[..., :1])], -1)
    horizon = torch.einsum("hwk,nk->nhw", flat, matrix[:, 2]).clamp_min(NEAREST_HORIZON)
    return torch.linalg.det(matrix).abs()[:, None, None] / horizon**3


class Displacement(Warp):
    """A warp whose coordinates are displacements: first all vertical ones, then all horizontal
    ones, (u_1p … u_Kp, u_1q … u_Kq) [px].

    The content of the image moves in the direction opposite to the displacement.
    """

    @abstractmethod
    def basis(self, height: int, width: int, like: Tensor) -> Tensor:
        """Return φ_k at every pixel, [h·w k]: the weight of each displacement."""

    @final
    def field(self, tau: Poses, height: int, width: int) -> Field:
        # One matrix product suffices for the batch, because the basis depends only on the canvas.
        basis = self.basis(height, width, tau)
        felt = tau.reshape(2 * len(tau), basis.shape[1]) @ basis.mT
        return pixel_grid(height, width, tau) + felt.view(len(tau), 2, height, width).movedim(1, -1)


OUTSIDE = {"border": ("replicate", "border"), "zeros": ("constant", "zeros")}
"""Values outside the canvas: the nearest pixel, or 0."""


@dataclass(frozen=True, eq=False)
class PlanarWarp:
    """A warp on one canvas; everything that depends only on the canvas is computed once."""

    warp: Group | Displacement
    height: int
    width: int
    points: Tensor
    """[2 h·w]: the row coordinates, then the column coordinates [px from the centre]."""
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
            raise EngineError(f"warp must be a group or a smooth displacement; got {warp.name}")
        return cls(warp, height, width, points, basis)

    def act(self, v: Images, tau: Poses, outside: str) -> Images:
        """Return v[i] sampled at τ_i(p)."""
        return read(v, self.planes(tau), outside)

    def planes(self, tau: Poses) -> Tensor:
        """Return τ(p) for every pixel, [n 2 h w]: a plane of rows and a plane of columns."""
        planes = self._planes(tau)
        return planes.unflatten(-1, (self.height, self.width))

    def inverse_planes(self, tau: Poses) -> Tensor:
        """Return τ⁻¹(p), computed from the inverse matrix for a group, and by fixed-point iteration
        for a displacement without folds."""
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
    """Return v[i] sampled bilinearly at planes[i]; planes [n 2 h w] are in pixels from the centre
    of v."""
    height, width = v.shape[-2:]
    padding, mode = OUTSIDE[outside]
    # On a canvas of 2^a × 2^b pixels, the arithmetic of grid_sample is exact at every pixel.
    tall, wide = 1 << (height - 1).bit_length(), 1 << (width - 1).bit_length()
    if (tall, wide) != (height, width):
        v = functional.pad(v, (0, wide - width, 0, tall - height), padding)
    scale, corner = _frame((height, width), (tall, wide), planes)
    grid: Field = torch.addcmul(corner, planes, scale).flip(1).movedim(1, -1)
    return functional.grid_sample(v, grid, mode="bilinear", padding_mode=mode, align_corners=False)


def _frame(inner: tuple[int, int], outer: tuple[int, int], like: Tensor) -> tuple[Tensor, Tensor]:
    """Convert pixels p from the centre to grid_sample's units: (2 p + inner) / outer - 1."""
    size = like.new_tensor([*inner, *outer]).view(4, 1, 1)
    return 2 / size[2:], size[:2] / size[2:] - 1
