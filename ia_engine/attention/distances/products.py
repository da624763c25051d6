"""⟨u, v_j⟩ and its first and second derivatives in the pose, for many poses of many pairs.

Both methods start from u = U(M) v_i at the ink of v_j. On the plane, they agree because X_a is
skew:

    ⟨U(M exp(-ξ)) v_i, v_j⟩ = ⟨u, v_j⟩ + Σ_a ξ_a ⟨u, X_a v_j⟩ + ½ Σ_ab ξ_a ξ_b ⟨u, X_a X_b v_j⟩ + …
                            = ⟨u, v_j⟩ - Σ_a ξ_a ⟨X_a u, v_j⟩ + …

The first method multiplies u with arrays that depend on v_j alone. The second method is also exact
between the pixels; its maximum under Keys' interpolation may differ by 0.2 px from that of the
first method.

Readers sample many images at many places without copying an image for each place, because the
windows of a set are stacked in an atlas, and each place refers to its image.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.templates import FINE, Ink, Templates
from ia_engine.images import Homography, keys_slopes, keys_weights
from ia_engine.transforms import Group
from ia_engine.transforms.base import NEAREST_HORIZON

MARGIN = 4
"""Width of the zeros around a window that Keys' kernel may reach [px]."""
FINEST = 8
"""Keys' values per pixel along the rows of `Cubic`; the error of linear interpolation is at most
0.0005 v''."""

EXACT, LONG = 1 << 24, 1 << 31
"""Integers from this limit on are not exact in float32, or do not fit into 32 bits."""


class Reader(Protocol):
    """Interface of methods that sample images."""

    @property
    def unit(self) -> Tensor:
        """[2]: factors from places (q, p) [px from the window's centre] to the reader's unit."""

    def read(self, image: Tensor, place: Tensor) -> Tensor:
        """u [m c r s] of image[m r] at the places (q, p) [m 2 r s], which may be overwritten."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """Sampling of the dense lattice of Keys' values, nearest or bilinear."""

    atlas: Tensor
    """[1 c n·h w]."""
    unit: Tensor
    rows: int
    """h."""
    mode: str

    def read(self, image: Tensor, place: Tensor) -> Tensor:
        whole = self.atlas.shape[2] - 1
        reach = (self.rows - 1) / whole
        first = (image * (2 * self.rows) + (self.rows - 1)).to(place) / whole - 1
        # Beyond the rim of zeros of its image, a place would belong to the image above or below.
        place[:, 1].clamp_(-reach, reach).add_(first[..., None])
        atlas, grid = self.atlas.expand(len(place), -1, -1, -1), place.movedim(1, -1)
        return functional.grid_sample(atlas, grid, mode=self.mode, align_corners=True)


def read_lattice(templates: Templates, mode: str) -> Lattice:
    """A reader of these images, "nearest" or "bilinear"."""
    n, channels, rows, columns = templates.dense.shape
    atlas = templates.dense.transpose(0, 1).reshape(1, channels, n * rows, columns)
    stretch = templates.half.new_tensor([1, (rows - 1) / (n * rows - 1)])
    return Lattice(atlas, stretch / templates.half.flip(0), rows, mode)


@dataclass(frozen=True, eq=False)
class Cubic:
    """Sampling by Keys' interpolation, with derivatives.

    Along a row, FINEST values per pixel are precomputed; down a column, four values are weighted.
    """

    atlas: Tensor
    """[c n·h·w], with a margin around each window."""
    unit: Tensor
    middle: Tensor
    """[2 1 1]: the centre (q, p) of the window, relative to its first pixel."""
    stride: int
    area: int

    def read(self, image: Tensor, place: Tensor) -> Tensor:
        first, across, down = self._locate(image, place)
        weights = keys_weights(down)
        found = down.new_zeros(len(down), len(self.atlas), *down.shape[1:])
        for u, flat in zip(found.unbind(1), self.atlas, strict=True):
            for k, weight in enumerate(weights):
                v, rise = self._line(flat, first, k)
                u.addcmul_(weight, v.addcmul_(across, rise))
        return found

    def slopes(self, image: Tensor, place: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """v, ∂p v and ∂q v at the places, [m c r s] each."""
        first, across, down = self._locate(image, place)
        weights = tuple(zip(keys_weights(down), keys_slopes(down), strict=True))
        found = down.new_zeros(3, len(down), len(self.atlas), *down.shape[1:])
        for u, flat in zip(found.unbind(2), self.atlas, strict=True):
            for k, (weight, slope) in enumerate(weights):
                v, rise = self._line(flat, first, k)
                v.addcmul_(across, rise)
                u[0].addcmul_(weight, v)
                u[1].addcmul_(slope, v)
                u[2].addcmul_(weight, rise)
        found[2] *= FINEST
        return found[0], found[1], found[2]

    def _locate(self, image: Tensor, place: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The first value that each place needs, and the offset of the place from it."""
        q, p = (place + self.middle).unbind(1)
        last = 2 * self.middle.flatten() + 2
        q = q.clamp(min=-2, max=float(last[0])).mul_(FINEST)
        p = p.clamp(min=-2, max=float(last[1]))
        column, row = q.floor(), p.floor()
        whole = torch.int if self.atlas.shape[1] < LONG else torch.long
        if self.area < EXACT:
            near = torch.add(column, row, alpha=self.stride).to(whole)
        else:
            near = torch.add(column.to(whole), row.to(whole), alpha=self.stride)
        corner = MARGIN * FINEST + (MARGIN - 1) * self.stride
        first = near + (image.long() * self.area + corner).to(whole)[..., None]
        return first, q.sub_(column), p.sub_(row)

    def _line(self, flat: Tensor, first: Tensor, k: int) -> tuple[Tensor, Tensor]:
        """The k-th of the four rows: its value, and the difference from the next value."""
        # All rows use the same index, each in a view that begins k rows later.
        views = (flat[k * self.stride + m :] for m in (0, 1))
        here, beside = (x.index_select(0, first.flatten()).view(first.shape) for x in views)
        return here, beside.sub_(here)


def read_cubic(templates: Templates) -> Cubic:
    """A reader of these images."""
    rows, columns = templates.shape
    pixels = functional.pad(templates.dense[..., 1:-1:FINE, 1:-1:FINE], (MARGIN + 2, MARGIN + 2))
    fine = functional.pad(pixels @ _refine(columns + 2 * MARGIN, pixels).T, (0, 0, MARGIN, MARGIN))
    return Cubic(
        atlas=fine.transpose(0, 1).reshape(fine.shape[1], -1),
        unit=torch.ones_like(templates.half),
        middle=templates.half.new_tensor([(columns - 1) / 2, (rows - 1) / 2])[:, None, None],
        stride=fine.shape[3],
        area=fine.shape[2] * fine.shape[3],
    )


def _refine(size: int, like: Tensor) -> Tensor:
    """Interpolate from size + 4 values in a row to FINEST · size, starting at the third."""
    at = torch.arange(FINEST * size, device=like.device)
    weights = torch.stack(keys_weights((at % FINEST).to(like) / FINEST), 1)
    index = (at // FINEST + 1)[:, None] + torch.arange(4, device=like.device)
    matrix = like.new_zeros(len(at), size + 4).scatter(1, index, weights)
    rim = functional.pad(matrix, (0, 0, 1, 1))
    # The mean error of linear interpolation is a twelfth of the second difference.
    return matrix - (rim[2:] - 2 * matrix + rim[:-2]) / 12


class Products(Protocol):
    """Interface of methods that evaluate poses."""

    def of(self, ink: Ink, image: Tensor, matrix: Homography, group: Group) -> Tensor:
        """Products of image[m r] at the poses matrix[m r 3 3] with m templates, [m 1+p+p(p+1)/2 r].

        The score, its p first derivatives, and the second derivatives for a ≤ b.
        """


class ByTemplate:
    """Products with derivatives from the jets of the template."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def of(self, ink: Ink, image: Tensor, matrix: Homography, group: Group) -> Tensor:
        u = warp(self.reader, image, matrix, ink.points, group)
        return ink.jets.flatten(2) @ _columns(u)


class ByImage:
    """Products with first derivatives from the sampled image, and second derivatives from the
    template."""

    def __init__(self, reader: Cubic) -> None:
        self.reader = reader

    def of(self, ink: Ink, image: Tensor, matrix: Homography, group: Group) -> Tensor:
        if group.perspective:
            return ByTemplate(self.reader).of(ink, image, matrix, group)
        slopes = self.reader.slopes(image, _places(self.reader, matrix, ink.points))
        u, v_p, v_q = (_columns(x) for x in slopes)
        p = len(ink.metric)
        found = ink.jets.flatten(2) @ u
        pull, stretch = _pull(ink, group)
        a = matrix[..., :2, :2].movedim(1, -1)[:, None]
        turned = ((pull @ v).unflatten(1, (p, 2)) for v in (v_p, v_q))
        slope = sum((a[:, :, x] * t for x, t in enumerate(turned)), torch.zeros_like(a[:, :, 0]))
        found[:, 1 : 1 + p] = -slope.sum(2) - stretch @ u
        if not group.rigid:
            found *= torch.linalg.det(matrix).abs().sqrt()[:, None]
        return found


def _pull(ink: Ink, group: Group) -> tuple[Tensor, Tensor]:
    """v_j w_a, [m 2p c·s], and ½ v_j div w_a, [m p c·s], where X_a = w_a·∇ + ½ div w_a."""
    basis = ink.points.new_tensor(group.generators)
    w = torch.einsum("aij,mjs->mais", basis[:, :2], ink.points)
    v = ink.jets[:, 0]
    stretch = basis[:, :2, :2].diagonal(dim1=1, dim2=2).sum(1) / 2
    pull = (w.flatten(1, 2)[:, :, None] * v[:, None]).flatten(2)
    return pull, stretch[:, None] * v.flatten(1)[:, None]


def warp(reader: Reader, image: Tensor, matrix: Homography, points: Tensor, group: Group) -> Tensor:
    """u = |det DM|^(1/2) v∘M of image[m r] for matrix[m r 3 3] at points [m 3 s]: [m c r s]."""
    place = _places(reader, matrix, points)
    if group.rigid:
        return reader.read(image, place)
    scale = torch.linalg.det(matrix).abs().sqrt()[:, None, :, None]
    if not group.perspective:
        return reader.read(image, place) * scale
    horizon = (matrix[..., 2, :] @ points).clamp_min(NEAREST_HORIZON)[:, None]
    return reader.read(image, place / horizon) * scale / horizon**1.5


def _places(reader: Reader, matrix: Homography, points: Tensor) -> Tensor:
    """Places (q, p) [m 2 r s] that the poses sample, in the reader's unit and away from the
    horizon."""
    m, r = matrix.shape[:2]
    lines = (matrix[..., [1, 0], :] * reader.unit[:, None]).transpose(1, 2).flatten(1, 2)
    return (lines @ points).view(m, 2, r, -1)


def _columns(u: Tensor) -> Tensor:
    """[m c r s] → [m c·s r]."""
    return u.transpose(1, 2).flatten(2).mT
