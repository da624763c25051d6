"""⟨u, v_j⟩ and its first and second derivatives with respect to the pose, for many poses of many
pairs.

There are two methods. Both start from u = U(M) v_i, sampled at the ink of v_j. On the plane, they
agree because X_a is skew:

    ⟨U(M exp(-ξ)) v_i, v_j⟩ = ⟨u, v_j⟩ + Σ_a ξ_a ⟨u, X_a v_j⟩ + ½ Σ_ab ξ_a ξ_b ⟨u, X_a X_b v_j⟩ + …
                            = ⟨u, v_j⟩ - Σ_a ξ_a ⟨X_a u, v_j⟩ + …

The first line is the first method, which multiplies u by arrays that depend on v_j alone. The
second line is the second method, which is also exact between pixels. Under Keys' interpolation,
their maxima may differ by 0.2 px.

Readers sample many images at many points without copying an image for each point, because the
windows of a set are stacked in an atlas, and each point refers to its image.
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
"""Width of the margin of zeros around a window that Keys' kernel may reach [px]."""
FINEST = 8
"""Number of Keys' values per pixel along the rows in `Cubic`. The error of linear interpolation
between them is at most 0.0005 v''."""

EXACT, LONG = 1 << 24, 1 << 31
"""Integers from EXACT on are not exact in float32; integers from LONG on do not fit into 32
bits."""


class Reader(Protocol):
    """Interface of classes that sample images."""

    @property
    def unit(self) -> Tensor:
        """[2]: factors that convert points (q, p) [px from the window's centre] to the reader's
        unit."""

    def read(self, image: Tensor, place: Tensor) -> Tensor:
        """Sample image[m r] at the points `place` [m 2 r s], in the order (q, p): u [m c r s]. May
        overwrite `place`."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """Samples the dense lattice of Keys' values, by nearest-neighbour or bilinear interpolation."""

    atlas: Tensor
    """[1 c n·h w]: the windows, stacked vertically."""
    unit: Tensor
    rows: int
    """h, the number of rows of a window."""
    mode: str

    def read(self, image: Tensor, place: Tensor) -> Tensor:
        whole = self.atlas.shape[2] - 1
        reach = (self.rows - 1) / whole
        first = (image * (2 * self.rows) + (self.rows - 1)).to(place) / whole - 1
        # Beyond the rim of zeros of its image, a point would lie in the image above or below.
        place[:, 1].clamp_(-reach, reach).add_(first[..., None])
        atlas, grid = self.atlas.expand(len(place), -1, -1, -1), place.movedim(1, -1)
        return functional.grid_sample(atlas, grid, mode=self.mode, align_corners=True)


def read_lattice(templates: Templates, mode: str) -> Lattice:
    """Return a reader of these images whose mode is "nearest" or "bilinear"."""
    n, channels, rows, columns = templates.dense.shape
    atlas = templates.dense.transpose(0, 1).reshape(1, channels, n * rows, columns)
    stretch = templates.half.new_tensor([1, (rows - 1) / (n * rows - 1)])
    return Lattice(atlas, stretch / templates.half.flip(0), rows, mode)


@dataclass(frozen=True, eq=False)
class Cubic:
    """Samples by Keys' interpolation, with derivatives.

    Along a row, FINEST values per pixel are precomputed; along a column, four values are weighted.
    """

    atlas: Tensor
    """[c n·h·w], with a margin around each window."""
    unit: Tensor
    middle: Tensor
    """[2 1 1]: the centre (q, p) of a window, relative to its first pixel."""
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
        """Return v, ∂p v and ∂q v at the points `place`, [m c r s] each."""
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
        """Return the index of the first value that each point needs, and the offset of the point
        from this value."""
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
        """Return the values in the k-th of the four rows, and their differences from the next
        values."""
        # All rows use the same index, each in a view that begins k rows later.
        views = (flat[k * self.stride + m :] for m in (0, 1))
        here, beside = (x.index_select(0, first.flatten()).view(first.shape) for x in views)
        return here, beside.sub_(here)


def read_cubic(templates: Templates) -> Cubic:
    """Return a reader of these images."""
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
    """Return a matrix that interpolates FINEST · size values from size + 4 values in a row,
    starting at the third."""
    at = torch.arange(FINEST * size, device=like.device)
    weights = torch.stack(keys_weights((at % FINEST).to(like) / FINEST), 1)
    index = (at // FINEST + 1)[:, None] + torch.arange(4, device=like.device)
    matrix = like.new_zeros(len(at), size + 4).scatter(1, index, weights)
    rim = functional.pad(matrix, (0, 0, 1, 1))
    # The mean error of linear interpolation is a twelfth of the second difference.
    return matrix - (rim[2:] - 2 * matrix + rim[:-2]) / 12


class Products(Protocol):
    """Interface of classes that evaluate poses."""

    def of(self, ink: Ink, image: Tensor, matrix: Homography, group: Group) -> Tensor:
        """Return the products [m 1+p+p(p+1)/2 r] of image[m r], at the poses matrix[m r 3 3], with
        m templates.

        They are the score, its p first derivatives, and its second derivatives for a ≤ b.
        """


class ByTemplate:
    """The first method: all derivatives come from the jets of the template."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def of(self, ink: Ink, image: Tensor, matrix: Homography, group: Group) -> Tensor:
        u = warp(self.reader, image, matrix, ink.points, group)
        return ink.jets.flatten(2) @ _columns(u)


class ByImage:
    """The second method: first derivatives come from the sampled image, second derivatives from the
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
    """Return v_j w_a [m 2p c·s] and ½ v_j div w_a [m p c·s], where X_a = w_a·∇ + ½ div w_a."""
    basis = ink.points.new_tensor(group.generators)
    w = torch.einsum("aij,mjs->mais", basis[:, :2], ink.points)
    v = ink.jets[:, 0]
    stretch = basis[:, :2, :2].diagonal(dim1=1, dim2=2).sum(1) / 2
    pull = (w.flatten(1, 2)[:, :, None] * v[:, None]).flatten(2)
    return pull, stretch[:, None] * v.flatten(1)[:, None]


def warp(reader: Reader, image: Tensor, matrix: Homography, points: Tensor, group: Group) -> Tensor:
    """Sample u = |det DM|^(1/2) v∘M [m c r s] of image[m r] for matrix[m r 3 3] at the points [m 3
    s]."""
    place = _places(reader, matrix, points)
    if group.rigid:
        return reader.read(image, place)
    scale = torch.linalg.det(matrix).abs().sqrt()[:, None, :, None]
    if not group.perspective:
        return reader.read(image, place) * scale
    horizon = (matrix[..., 2, :] @ points).clamp_min(NEAREST_HORIZON)[:, None]
    return reader.read(image, place / horizon) * scale / horizon**1.5


def _places(reader: Reader, matrix: Homography, points: Tensor) -> Tensor:
    """Return the points (q, p) [m 2 r s] at which the poses sample, in the reader's unit. Points
    near the horizon are moved away from it."""
    m, r = matrix.shape[:2]
    lines = (matrix[..., [1, 0], :] * reader.unit[:, None]).transpose(1, 2).flatten(1, 2)
    return (lines @ points).view(m, 2, r, -1)


def _columns(u: Tensor) -> Tensor:
    """Rearrange [m c r s] to [m c·s r]."""
    return u.transpose(1, 2).flatten(2).mT
