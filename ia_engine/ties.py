"""Chooses the first of equal values, so that results do not depend on rounding errors.

Values that are equal in exact arithmetic (for symmetric or repeated images, for example) differ in
their last bits, in a way that depends on the processor. Values therefore count as equal if their
relative difference is below STEP. Sums of thousands of products in float32 have a relative error of
about 3e-7.
"""

from typing import Final

import torch
from torch import Tensor

STEP: Final = 2e-6
"""Values count as equal if they differ by less than this fraction of the largest magnitude."""
SOLVED: Final = 2e-4
"""Error of d² relative to ‖v‖², measured on repeated images. A search stops near the best pose, not
exactly at it."""
SPARE: Final = 6
"""Number of additional candidates in `top`; up to this number of values may tie with the last one
chosen."""
SHORT: Final = 64
"""If there are at most this many values, all of them are candidates."""


def first_max(x: Tensor, dim: int = -1) -> Tensor:
    """Return the index of the largest value along an axis; if several are equal, the first.

    >>> int(first_max(torch.tensor([0.5, 0.9999999, 1.0])))
    1
    """
    top = x.amax(dim, keepdim=True)
    return (x >= top - STEP * top.abs()).byte().argmax(dim)


def first_min(x: Tensor, dim: int = -1, within: float | None = None) -> Tensor:
    """Return the index of the smallest value along an axis; if several are equal, the first.

    Values are equal if they differ by at most `within`, by default STEP times the largest
    magnitude.

    >>> int(first_min(torch.tensor([2.0, 1e-8, 0.0])))
    1
    """
    least = x.amin(dim, keepdim=True)
    tolerance = STEP * x.abs().amax(dim, keepdim=True) if within is None else within
    return (x <= least + tolerance).byte().argmax(dim)


def top(x: Tensor, k: int) -> Tensor:
    """Return the indices of the k largest values of the last axis, in descending order of the
    values.

    Equal values keep their order.

    >>> top(torch.tensor([0.5, 1.0, 0.2, 1.0000001]), 3).tolist()
    [1, 3, 0]
    """
    n = x.shape[-1]
    if n <= SHORT:
        return lean(x).topk(k, -1).indices
    place = x.topk(min(k + SPARE, n), -1).indices.sort(-1).values
    return place.gather(-1, lean(x.gather(-1, place)).topk(k, -1).indices)


def bottom(x: Tensor, k: int) -> Tensor:
    """Return the indices of the k smallest values of the last axis, in ascending order; ties keep
    their order.

    >>> bottom(torch.tensor([0.0, 1.0000001, 1.0, 2.0]), 3).tolist()
    [0, 1, 2]
    """
    # This is not top(-x): the maximum of -x may be 0, for which relative differences are undefined.
    return top(2 * x.abs().amax(-1, keepdim=True) - x, k)


def lean(x: Tensor) -> Tensor:
    """Subtract STEP times its index from each value, so that the first of equal values becomes the
    largest."""
    place = torch.arange(x.shape[-1], device=x.device, dtype=x.dtype)
    return x.addcmul(x.amax(-1, keepdim=True).abs(), place, value=-STEP)
