"""Distances and poses between two sets: new images u, and images v to which they are compared.

The search is that of the pairs of one set. Its coarse tables depend on all images that are
compared in one call, so d² of a pair differs between calls by up to 0.003 for images of unit
norm, and usually by less than 1e-5.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import POSES
from ia_engine.attention.distances.nearest import (
    FARTHER,
    IMAGES_AT_ONCE,
    POOL,
    SPARE,
    NearestSearch,
    NeighbourSearch,
    correlate,
    join,
)
from ia_engine.errors import EngineError
from ia_engine.images import Images, Matrix, check_axes
from ia_engine.ties import top
from ia_engine.transforms import Group


@dataclass(frozen=True, eq=False)
class Across:
    """The squared distances of m images u and n images v, and their poses."""

    d2: Matrix
    """[m n]."""
    tau: Tensor
    """[m n p]: tau[i, j] warps u_i onto v_j."""


def align_across(u: Images, v: Images, group: Group, sigma: float = 0.0) -> Across:
    """Align every image u with every image v.

    >>> from ia_engine.transforms import GROUPS
    >>> v = torch.zeros(1, 1, 9, 9)
    >>> v[..., 3:6, 4] = 1
    >>> align_across(v.roll(1, -1), v, GROUPS["translation"]).tau[0, 0].round().tolist()
    [0.0, 1.0]
    """
    search, m = _prepare(u, v, group, sigma), len(u)
    columns = torch.arange(m, device=u.device)
    rows = torch.arange(m, m + len(v), device=u.device)
    parts = rows.split(max(1, POSES // (POOL * max(1, m))))
    found = join([search.refine(part, columns.expand(len(part), m)) for part in parts])
    return Across(found.d2.T, found.tau.transpose(0, 1))


def rank_across(u: Images, v: Images, group: Group, k: int, sigma: float = 0.0) -> Matrix:
    """Return d² [m n] between images u and v, exact for the k nearest images v of each image u.

    The other distances are those of the coarse search, and larger than the distances to these k.
    """
    if not 1 <= k <= len(v):
        raise EngineError(f"k must be between 1 and the number of images, {len(v)}; got {k}")
    search, m = _prepare(u, v, group, sigma), len(u)
    square = search.g.flatten(1).square().sum(1)
    norm, parts = square.sqrt(), []
    for first in range(0, m, IMAGES_AT_ONCE):
        rows = slice(first, min(first + IMAGES_AT_ONCE, m))
        cosine = correlate(search.near, rows)[:, m:]
        index = top(cosine, min(SPARE * k, len(v)))
        found = search.refine(torch.arange(first, rows.stop, device=u.device), index + m)
        rough = square[rows, None] + square[m:] - 2 * norm[rows, None] * norm[m:] * cosine
        least = FARTHER * found.d2.amax(1, keepdim=True)
        parts.append(torch.maximum(rough, least).scatter(1, index, found.d2))
    return torch.cat(parts)


def _prepare(u: Images, v: Images, group: Group, sigma: float) -> NeighbourSearch:
    """Precompute everything that depends on one image only, for the stack of both sets."""
    sizes = check_axes(v, "n c h w", "v")
    check_axes(u, f"m {sizes['c']} {sizes['h']} {sizes['w']}", "u")
    return NearestSearch(group, sigma, 1).prepare(torch.cat([u, v]))
