"""Choices that do not depend on the last bit: of equal values the one that stands first is taken.

Values that are equal in exact arithmetic (of symmetric or repeated images, for example) differ in
their last bits, and by which bits depends on the processor. So values count as equal if they are
within STEP of their size. Sums of thousands of products in float32 are accurate to 3e-7 of it.
"""

from typing import Final

import torch
from torch import Tensor

STEP: Final = 2e-6
"""Of the greatest magnitude: by so much a value has to exceed one that stands before it."""
SOLVED: Final = 2e-4
"""Of ‖v‖²: by so much d² of repeated images differs, since a search stops near the best pose."""
SPARE: Final = 6
"""So many more values than are wanted are looked at: as many may be equal to the last of them."""
SHORT: Final = 64
"""Of so few values all are looked at."""


def first_max(x: Tensor, dim: int = -1) -> Tensor:
    """The place of the first of the greatest values along an axis.

    >>> int(first_max(torch.tensor([0.5, 0.9999999, 1.0])))
    1
    """
    top = x.amax(dim, keepdim=True)
    return (x >= top - STEP * top.abs()).byte().argmax(dim)


def first_min(x: Tensor, dim: int = -1, within: float | None = None) -> Tensor:
    """The same of the least values, equal ones being `within` of the least: STEP of the greatest.

    >>> int(first_min(torch.tensor([2.0, 1e-8, 0.0])))
    1
    """
    least = x.amin(dim, keepdim=True)
    tolerance = STEP * x.abs().amax(dim, keepdim=True) if within is None else within
    return (x <= least + tolerance).byte().argmax(dim)


def top(x: Tensor, k: int) -> Tensor:
    """The places of the k greatest values of the last axis, greatest first, equal ones in order.

    >>> top(torch.tensor([0.5, 1.0, 0.2, 1.0000001]), 3).tolist()
    [1, 3, 0]
    """
    n = x.shape[-1]
    if n <= SHORT:
        return lean(x).topk(k, -1).indices
    place = x.topk(min(k + SPARE, n), -1).indices.sort(-1).values
    return place.gather(-1, lean(x.gather(-1, place)).topk(k, -1).indices)


def lean(x: Tensor) -> Tensor:
    """The values, each less STEP times its place: so equal ones are in order, the first on top."""
    place = torch.arange(x.shape[-1], device=x.device, dtype=x.dtype)
    return x.addcmul(x.amax(-1, keepdim=True).abs(), place, value=-STEP)
