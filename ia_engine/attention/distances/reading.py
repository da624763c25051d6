"""Reading many images at many places at once, without copying an image for each of its readers.

The windows of a set lie one below the other in an atlas; who reads says which image, and where.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.templates import FINE, Templates
from ia_engine.images import keys_slopes, keys_weights

MARGIN = 4
"""Zeros around a window that Keys' pixels may fall on."""
FINEST = 8
"""Keys' values per pixel along the rows of `Cubic`: linear between them is within 0.0005 v''."""

EXACT, LONG = 1 << 24, 1 << 31
"""Whole numbers from here on are not exact in single precision, or not of 32 bits."""


class Reader(Protocol):
    """Reads images."""

    @property
    def unit(self) -> Tensor:
        """[2]: what places (q, p) [px from the window's centre] are to be multiplied with."""

    def read(self, image: Tensor, place: Tensor) -> Tensor:
        """u [m c r s] of image[m r] at the places (q, p) [m 2 r s], which may be written over."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """Reads the dense lattice of Keys' values: the nearest one, or linearly between four."""

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
        # Beyond its own rim, which is 0, a place would lie in the image above or below.
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
    """Reads by Keys' interpolation, and its slopes.

    Along a row its values are made beforehand, FINEST to a pixel; down a column four are weighed.
    """

    atlas: Tensor
    """[c n·h·w], with a margin around every window."""
    unit: Tensor
    middle: Tensor
    """[2 1 1]: the window's centre (q, p), from its first pixel."""
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
        """The first value that is read for each place, and how far the place lies beyond it."""
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
        """The k-th of the four rows: its value, and how much the next one is higher."""
        # One index serves all: each reads a view that begins so much further on.
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
    """From size + 4 values in a row to FINEST size, from the third on."""
    at = torch.arange(FINEST * size, device=like.device)
    weights = torch.stack(keys_weights((at % FINEST).to(like) / FINEST), 1)
    index = (at // FINEST + 1)[:, None] + torch.arange(4, device=like.device)
    matrix = like.new_zeros(len(at), size + 4).scatter(1, index, weights)
    rim = functional.pad(matrix, (0, 0, 1, 1))
    # Linear reading between values is too flat by a twelfth of their second difference, on average.
    return matrix - (rim[2:] - 2 * matrix + rim[:-2]) / 12
