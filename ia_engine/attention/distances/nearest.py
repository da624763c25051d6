"""The k nearest images of each image, for sets that are too large for n² exact distances.

For each image, the coarse search ranks all other images; only the best pairs are refined.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import Alignment, GlobalSearch, are_equal
from ia_engine.attention.distances.refinement import BestPoses, Refinement
from ia_engine.attention.distances.search import ROWS, TABLE, Starts, Tables, tabulate
from ia_engine.errors import EngineError
from ia_engine.images import Images, Matrix, blur
from ia_engine.ties import bottom, top
from ia_engine.transforms import Group

REACH = 3
"""Maximum shift between the centres of ink [cells]. Larger shifts do not lead to different
neighbours."""


def choose(rows: Tensor, first: int, k: int) -> Tensor:
    """Return the indices of the k highest correlations in each row of [m n], excluding the image
    itself.

    The first row belongs to image `first`.
    """
    own = torch.arange(first, first + len(rows), device=rows.device)
    return top(rows.scatter(1, own[:, None], -torch.inf), k)


def correlate(near: Tables, rows: slice) -> Tensor:
    """Return the cosines [m n] for some rows; row j contains those between image j and every image
    i, warped onto image j.

    Each cosine is the maximum over all rotations, and over the shifts in the tables.
    """
    angles = near.turned.shape[1]
    norm = near.turned[:, 0].norm(dim=1).clamp_min(1e-12)
    columns = max(1, TABLE // (ROWS * angles * near.cut.shape[1]))
    best = [
        torch.cat(
            [
                (part.flatten(0, 1) @ cut.flatten(0, 1).T)
                .view(len(part), angles, len(cut), -1)
                .amax((1, 3))
                for part in near.turned.split(columns)
            ]
        ).T
        for cut in near.cut[rows].split(ROWS)
    ]
    return torch.cat(best) / (norm[rows, None] * norm)


def within_reach(tables: Tables) -> Tables:
    """Return the same tables, restricted to shifts within REACH."""
    side, reach = math.isqrt(tables.cut.shape[1]), min(REACH, tables.reach)
    middle = slice(tables.reach - reach, tables.reach + reach + 1)
    cut = tables.cut.unflatten(1, (side, side))[:, middle, middle].flatten(1, 2)
    return replace(tables, cut=cut.contiguous(), reach=reach)


POOL = 14
"""Number of coarse poses of a pair that are refined."""
SPARE = 2
"""Number of neighbours to refine per neighbour to return; it exceeds 1 because the coarse ranking
is not exact."""
IMAGES_AT_ONCE = 64
"""Number of images per block of the ranking."""
FARTHER = 1.001
"""Minimum ratio of the d² of non-neighbours to that of the farthest neighbour."""


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The k nearest images of every image j, in ascending order of distance."""

    index: Tensor
    """[n k]: their indices."""
    d2: Tensor
    """[n k]: their squared distances."""
    tau: Tensor
    """[n k p]: the poses that warp them onto image j."""


@dataclass(frozen=True)
class NearestSearch:
    """Exact distances for the pairs in which one image is among the k nearest of the other; rough
    distances for all other pairs."""

    group: Group
    sigma: float = 0.0
    k: int = 20

    def align(self, v: Images) -> Alignment:
        """Compute the distances of all pairs. A rough d² is larger than that of the farthest
        neighbour of either image."""
        if self.k >= len(v) - 1:
            return GlobalSearch(self.group, self.sigma).align(v)
        search = self.prepare(v)
        parts = [search.seek(rows) for rows in search.blocks()]
        return search.spread([found for found, _ in parts], [cosine for _, cosine in parts])

    def prepare(self, v: Images) -> "NeighbourSearch":
        """Precompute everything that depends on one image only."""
        if not 1 <= self.k < len(v):
            raise EngineError(
                f"k must be between 1 and {len(v) - 1}, the number of images minus 1; got {self.k}"
            )
        g = blur(v, self.sigma)
        tables, refinement = tabulate(g, self.group), Refinement.of(g, self.group)
        windows = refinement.starts(tables)
        return NeighbourSearch(self.group, self.k, g, within_reach(tables), windows, refinement)


def align_nearest(v: Images, group: Group, k: int, sigma: float = 0.0) -> Neighbours:
    """Return the k nearest neighbours of every image with exact distances, found by the coarse
    ranking.

    The memory of the result grows with n·k.
    """
    search = NearestSearch(group, sigma, k).prepare(v)
    return join([search.seek(rows)[0] for rows in search.blocks()])


def align_pairs(v: Images, group: Group, row: Tensor, index: Tensor) -> Tensor:
    """Return the poses [m k p] that warp the images index[m k] onto the images row[m]."""
    return NearestSearch(group, 0.0, 1).prepare(v).refine(row, index).tau


@dataclass(frozen=True, eq=False)
class NeighbourSearch:
    """Finds the neighbours of all images, block by block."""

    group: Group
    k: int
    g: Images
    near: Tables
    windows: Starts
    refinement: Refinement

    def blocks(self) -> list[slice]:
        n = len(self.g)
        return [
            slice(first, min(first + IMAGES_AT_ONCE, n)) for first in range(0, n, IMAGES_AT_ONCE)
        ]

    def seek(self, rows: slice) -> tuple[Neighbours, Matrix]:
        """Return the k nearest images of each image in `rows`, and its cosines with all images."""
        cosine = correlate(self.near, rows)
        spare = min(SPARE * self.k, len(self.g) - 1)
        row = torch.arange(rows.start, rows.stop, device=cosine.device)
        found = self.refine(row, choose(cosine, rows.start, spare))
        return _keep(found, self.k), cosine

    def spread(self, parts: Sequence[Neighbours], cosines: Sequence[Matrix]) -> Alignment:
        """Return the matrix of all pairs from the results of all blocks."""
        return _spread(join(parts), self.group, _rough(self.g, torch.cat(list(cosines))))

    def refine(self, row: Tensor, index: Tensor) -> Neighbours:
        """Align the images index[m k] with the images row[m], and compute their exact distances."""
        flat, square = self.g.flatten(1), self.g.flatten(1).square().sum(1)
        starts = self.windows.search(index, POOL, row)
        there = self.refinement.take(row).search(index, starts)
        pairs = BestPoses(
            row.repeat_interleave(index.shape[1])[:, None],
            torch.linalg.inv(there.matrix).flatten(0, 1)[:, None],
            there.score.flatten()[:, None],
        )
        back = self.refinement.take(index.flatten()).finish(pairs)
        # As in the search over all pairs, refine the first direction again from the reverse one.
        if not self.group.rigid:
            turned = torch.linalg.inv(back.matrix).view_as(there.matrix)
            found = self.refinement.take(row).finish(replace(there, matrix=turned))
            there = there.improve(found)
        still = torch.einsum("mkd,md->mk", flat[index], flat[row])
        forward = torch.maximum(there.score, still)
        backward = torch.maximum(back.score.view(index.shape), still)
        d2 = (square[index] + square[row, None] - forward - backward).clamp_min(0)
        pose = self.group.pose(self.refinement.of_canvas(there, row).matrix)
        norm = (square[index] * square[row, None]).sqrt()
        moved = (there.score > still) & ~are_equal(still, norm)
        return Neighbours(index, d2, pose * moved[..., None])


def join(parts: Sequence[Neighbours]) -> Neighbours:
    """Concatenate the neighbours of all blocks."""
    fields = ((part.index, part.d2, part.tau) for part in parts)
    return Neighbours(*(torch.cat(x) for x in zip(*fields, strict=True)))


def _keep(found: Neighbours, k: int) -> Neighbours:
    """Return the k nearest of the neighbours found, sorted; ties keep the order of the coarse
    ranking."""
    order = bottom(found.d2, k)
    place = order[..., None].expand(-1, -1, found.tau.shape[2])
    near = found.index.gather(1, order), found.d2.gather(1, order)
    return Neighbours(*near, found.tau.gather(1, place))


def _rough(g: Images, cosine: Matrix) -> Matrix:
    """Return d² of all pairs from the coarse search."""
    square = g.flatten(1).square().sum(1)
    norm = square.sqrt()
    return square[:, None] + square - norm[:, None] * norm * (cosine + cosine.T)


def _spread(found: Neighbours, group: Group, rough: Matrix) -> Alignment:
    """Replace the rough distances and poses between neighbours with exact ones, in both
    directions."""
    n = len(rough)
    row = torch.arange(n, device=rough.device)[:, None]
    exact = torch.full_like(rough, torch.inf)
    exact[found.index, row] = found.d2
    exact = torch.minimum(exact, exact.T).fill_diagonal_(0)
    farthest = found.d2.amax(1)
    least = FARTHER * torch.maximum(farthest[:, None], farthest)
    unknown = exact.isinf()
    tau = group.identity(n * n, rough).view(n, n, -1)
    tau[row, found.index] = group.inverse(found.tau.flatten(0, 1)).view_as(found.tau)
    tau[found.index, row] = found.tau
    return Alignment(torch.where(unknown, torch.maximum(rough, least), exact), tau, unknown)
