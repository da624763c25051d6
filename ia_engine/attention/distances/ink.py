"""Templates where their ink is: the pixels that a product with an image of a few strokes can see.

A digit covers a third of its window, and every step of a search reads the other image at each
pixel. So each template gets a list of its own pixels, as long as the longest list beside it.
"""

from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor

from ia_engine.attention.distances.templates import INK, Templates

FAINT = 1e-3
"""This share of the sum of squares of v and of its slopes may be left out."""


@dataclass(frozen=True, eq=False)
class Ink:
    """n templates as lists of s pixels; shorter lists end in pixels where all jets are 0."""

    points: Tensor
    """[n 3 s]: where they lie, homogeneous [px from the window's centre]."""
    jets: Tensor
    """[n k c s]: v, then X_a v, then X_a X_b v for a ≤ b."""
    count: Tensor
    """[n]: the pixels of each list."""
    metric: Tensor
    """[p p]: that of the templates."""

    @property
    def square(self) -> Tensor:
        """[n]: ‖v‖²."""
        return self.jets[:, 0].square().sum((1, 2))

    @property
    def half(self) -> Tensor:
        """[n 2]: how far from the window's centre each list reaches [px]."""
        return self.points[:, :2].abs().amax(2)

    def take(self, rows: slice | Tensor) -> Self:
        """Some of the templates, in lists no longer than they need."""
        count = self.count[rows]
        longest = max(1, int(count.max()))
        return replace(
            self,
            points=self.points[rows, :, :longest],
            jets=self.jets[rows, ..., :longest],
            count=count,
        )


def list_ink(templates: Templates, faint: float = FAINT, sparse: bool = False) -> Ink:
    """The pixels that hold all but a `faint` share of the jets, or of these every other one."""
    channels, (rows, columns) = templates.dense.shape[1], templates.shape
    jets = templates.jets.unflatten(1, (channels, -1))
    mask = _mask(jets, len(templates.metric), faint)
    if sparse:
        place = torch.arange(rows * columns, device=mask.device)
        mask = mask & ((place // columns + place % columns) % 2 == 0)
    count = mask.sum(1)
    longest = max(1, int(count.max()))
    order = list_true(mask, longest)
    there = torch.arange(longest, device=mask.device) < count[:, None]
    picked = jets.gather(2, order[:, None, :, None].expand(-1, channels, -1, jets.shape[-1]))
    return Ink(
        points=templates.points[:, order].movedim(0, 1).contiguous(),
        jets=(picked * there[:, None, :, None]).permute(0, 3, 1, 2).contiguous(),
        count=count,
        metric=templates.metric,
    )


def list_true(mask: Tensor, longest: int) -> Tensor:
    """Where each row [m s] is true, in order, then where it is not: the first of them, [m longest].

    A stable sort of two values is two sums.
    """
    first, rest = mask.cumsum(1), (~mask).cumsum(1)
    place = torch.where(mask, first, mask.sum(1, keepdim=True) + rest) - 1
    column = torch.arange(mask.shape[1], device=mask.device).expand_as(mask)
    return torch.empty_like(place).scatter(1, place, column)[:, :longest]


def _mask(jets: Tensor, p: int, faint: float) -> Tensor:
    """Where v or its slopes are strong, [n s]."""
    energy = jets[..., : 1 + p].square().sum(1)
    share = (energy / energy.sum(1, keepdim=True).clamp_min(1e-30)).sum(-1)
    share, order = share.sort(1)
    strong = torch.zeros_like(share).scatter(1, order, share.cumsum(1)) > faint * (1 + p)
    if faint > FAINT:
        return strong
    v = jets[..., 0].abs().amax(1)
    return strong | (v > INK * v.amax(1, keepdim=True))
