"""Transformations: named coordinates whose zero is the identity, and an action on images.

There are three levels: a `Transform` acts; a `Warp` acts by moving the sampling points; a `Group`
of warps can also be composed and inverted. The action is a right action, act(act(v, a), b) = act(v,
compose(a, b)), with compose(a, b)(p) = a(b(p)).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final, final

import torch
from torch import Tensor

from ia_engine.images import Interpolation, keys, pixel_grid
from ia_engine.params import Range
from ia_engine.shapes import Field, Homography, Images, Poses, check_axes


@dataclass(frozen=True)
class Coordinates:
    """Consecutive coordinates with one meaning: name, bounds and number."""

    name: str
    range: Range
    count: int = 1
    typical: float = 0.35
    """Share of the range in which the effect is visible and images remain recognisable."""


class Transform(ABC):
    """A transformation of images by coordinates tau [n p]; tau = 0 is the identity."""

    name: ClassVar[str]

    @abstractmethod
    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        """The coordinates in order, for images with this number of channels."""

    @abstractmethod
    def act(self, v: Images, tau: Poses) -> Images:
        """v[i] transformed by tau[i]."""

    @final
    def dimension(self, channels: int = 1) -> int:
        """p, the number of coordinates."""
        return sum(part.count for part in self.coordinates(channels))

    @final
    def identity(self, n: int, like: Tensor, channels: int = 1) -> Poses:
        """n copies of the identity, with the device and dtype of like."""
        return torch.zeros(n, self.dimension(channels), device=like.device, dtype=like.dtype)


class Warp(Transform):
    """A transform that moves points: [v∘τ](p) = v(τ(p))."""

    @abstractmethod
    def field(self, tau: Poses, height: int, width: int) -> Field:
        """τ(p) for every pixel p of the canvas [px from its centre]."""

    @final
    def act(self, v: Images, tau: Poses, sample: Interpolation = keys) -> Images:
        check_axes(tau, f"{len(v)} {self.dimension()}", "tau")
        return sample(v, self.field(tau, v.shape[-2], v.shape[-1]))


class Group(Warp):
    """Warps by 3×3 matrices in centred homogeneous coordinates (p, q, 1)."""

    generators: ClassVar[tuple[tuple[tuple[float, ...], ...], ...]]
    """A basis of the Lie algebra, 3×3 each: the directions of small motions."""

    @abstractmethod
    def matrix(self, tau: Poses) -> Homography:
        """The matrix of each pose; the identity for tau = 0."""

    @abstractmethod
    def pose(self, matrix: Homography) -> Poses:
        """The coordinates of each matrix of the group: the inverse of `matrix`."""

    @final
    def compose(self, a: Poses, b: Poses) -> Poses:
        """Apply b to the point first, then a: compose(a, b)(p) = a(b(p))."""
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
        """True if all these matrices belong to the group."""
        return torch.allclose(self.matrix(self.pose(matrix)), matrix, atol=1e-5)

    @final
    def field(self, tau: Poses, height: int, width: int) -> Field:
        return move(self.matrix(tau), pixel_grid(height, width, tau))

    @final
    def unitary(self, v: Images, tau: Poses, sample: Interpolation = keys) -> Images:
        """U(τ)v = |det Dτ|^(1/2) v∘τ, which preserves the norm of an image on the infinite
        plane."""
        matrix = self.matrix(tau)
        points = pixel_grid(v.shape[-2], v.shape[-1], tau)
        return density(matrix, points)[:, None].sqrt() * sample(v, move(matrix, points))


NEAREST_HORIZON: Final = 0.05
"""Minimum m₃·p of a point in front of the horizon of a homography (on the horizon, m₃·p = 0)."""
FAR: Final = 1e6
"""Sampling position [px] of points at or behind the horizon: outside every canvas, where v is 0."""


def move(matrix: Homography, points: Tensor) -> Field:
    """The points [h w 2] moved by each matrix [n 3 3]: one matrix product, then the division."""
    flat = torch.cat([points, torch.ones_like(points[..., :1])], -1).flatten(0, 1)
    moved = (flat @ matrix.mT).view(-1, *points.shape[:2], 3)
    horizon = moved[..., 2:]
    seen = moved[..., :2] / horizon.clamp_min(NEAREST_HORIZON)
    return torch.where(horizon < NEAREST_HORIZON, FAR, seen)


def density(matrix: Homography, points: Tensor) -> Tensor:
    """|det Dτ| at the points [h w 2]: det M / (m₃·p)³, constant unless the map is projective.

    Behind the horizon, the value from just in front of it is used: it is finite, and v = 0 there.
    """
    flat = torch.cat([points, torch.ones_like(points[..., :1])], -1)
    horizon = torch.einsum("hwk,nk->nhw", flat, matrix[:, 2]).clamp_min(NEAREST_HORIZON)
    return torch.linalg.det(matrix).abs()[:, None, None] / horizon**3
