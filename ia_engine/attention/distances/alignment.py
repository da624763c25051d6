"""Distances between images (kernel attention) or between their transformation manifolds (invariant
attention).

d²(i, j) = ‖v_i‖² + ‖v_j‖² - 2 max_τ ⟨U(τ) v_i, v_j⟩, averaged over the two directions: (3.2) of
Invariant Attention on the infinite plane, where SE(2) preserves the norm.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor

from ia_engine.attention.distances.refinement import BestPoses, Pruning, Refinement, join
from ia_engine.attention.distances.search import Starts, tabulate
from ia_engine.images import Images, Labels, Matrix, blur
from ia_engine.ties import SOLVED, STEP, first_min
from ia_engine.transforms import Group

EXACT = "donot_use_mm_for_euclid_dist"
"""Option of `torch.cdist`: subtract images instead of large inner products, so that d(i, i) is
0."""
Track = Callable[[list[slice]], Iterator[slice]]
"""Yields the blocks in their order."""
POSES = 1 << 15
"""Maximum number of poses that are refined at once."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """The squared distances of all pairs [n n] and, if the method finds them, their poses tau [n n
    p]."""

    d2: Matrix
    tau: Tensor | None
    rough: Tensor | None = None
    """[n n]: True for pairs whose distance is only that of the coarse search; None if all distances
    are exact.

    These pairs are too far apart to have a significant weight.
    """


class Distance(Protocol):
    """Interface of the distances between all pairs of images."""

    def align(self, v: Images) -> Alignment: ...


@dataclass(frozen=True)
class Euclidean:
    """‖v_i - v_j‖² for images, or for points [n d]."""

    sigma: float = 0.0

    def align(self, v: Tensor) -> Alignment:
        flat = (blur(v, self.sigma) if v.ndim == 4 else v).flatten(1)
        return Alignment(torch.cdist(flat, flat, compute_mode=EXACT).square(), None)


@dataclass(frozen=True)
class GlobalSearch:
    """Distances between transformation manifolds, by a coarse exhaustive search and then a
    second-order ascent.

    The `pool` best coarse poses of every pair are refined in several rounds, each of which keeps
    fewer poses. The reverse direction starts from the inverse of the best pose.
    """

    group: Group
    sigma: float = 0.0
    pool: int = 14
    pruning: Pruning | None = None

    def align(self, v: Images, track: Track = iter) -> Alignment:
        """Align all pairs; `track` may report each finished block of one direction, or raise."""
        search = self.prepare(v)
        forward = join([search.forward(rows) for rows in track(search.blocks())])
        backward = (search.backward(forward, rows) for rows in track(search.blocks()))
        if self.group.rigid:
            return search.sum(forward, backward)
        whole = join(list(backward))
        forward = join([search.again(forward, whole, rows) for rows in track(search.blocks())])
        return search.sum(forward, (whole.rows(rows) for rows in search.blocks()))

    def prepare(self, v: Images) -> "PairSearch":
        """Precompute everything that depends on one image only."""
        g = blur(v, self.sigma)
        refinement = Refinement.of(g, self.group)
        starts = refinement.starts(tabulate(g, self.group))
        order = refinement.order
        return PairSearch(self, g, starts, refinement, order, order[list_partners(len(g), g)])


@dataclass(frozen=True, eq=False)
class PairSearch:
    """All pairs of images, arranged in rows. Each image is the template for half of the other
    images, so that every pair occurs once.

    Pairs are searched in one direction; the result is then refined in the reverse direction. For
    groups that change areas, the two directions have different maxima, so the first direction is
    refined again from the result of the second.
    """

    solver: GlobalSearch
    g: Images
    starts: Starts
    refinement: Refinement
    order: Tensor
    """[n]: the index of the image that is the template of each row."""
    index: Tensor
    """[n n//2]: the indices of the images that are aligned with the template of each row."""

    def blocks(self) -> list[slice]:
        """Split the rows into blocks, so that memory use does not grow with the number of
        images."""
        rows = max(1, POSES // max(1, self.solver.pool * self.index.shape[1]))
        return [slice(first, first + rows) for first in range(0, len(self.index), rows)]

    def forward(self, rows: slice) -> BestPoses:
        starts = self.starts.search(self.index[rows], self.solver.pool, self.order[rows])
        part = self.refinement.take(self.order[rows])
        return part.search(self.index[rows], starts, self.solver.pruning)

    def backward(self, forward: BestPoses, rows: slice) -> BestPoses:
        """Refine the reverse direction for some rows, starting from the results of all rows."""
        turned = _reverse(forward, self.order, rows)
        return self.refinement.take(self.order[rows]).finish(turned)

    def again(self, forward: BestPoses, backward: BestPoses, rows: slice) -> BestPoses:
        """Refine the first direction again for some rows, starting from the results of the reverse
        direction."""
        turned = _return(backward, forward.index, rows)
        return forward.rows(rows).improve(self.refinement.take(self.order[rows]).finish(turned))

    def sum(self, forward: BestPoses, backward: Iterable[BestPoses]) -> Alignment:
        """Combine both directions. The results of the reverse direction are passed block by
        block."""
        tally = _Tally(self.g, self.solver.group)
        for side in ((forward.rows(rows) for rows in self.blocks()), backward):
            for found, rows in zip(side, self.blocks(), strict=True):
                place = self.order[rows]
                tally.add(self.refinement.of_canvas(found, place), place)
        return replace(tally.sum(), rough=None if forward.spared is None else tally.spared)


def find_anchors(d2: Matrix, labels: Labels) -> Labels:
    """Return the central image of each cluster, whose distances to the others have the least sum.

    >>> d2 = torch.tensor([[0.0, 1, 9], [1, 0, 1], [9, 1, 0]])
    >>> find_anchors(d2, torch.tensor([0, 0, 0])).tolist()
    [1]
    """
    members = [(labels == k).nonzero()[:, 0] for k in labels.unique()]
    return torch.stack(
        [own[first_min(d2[own][:, own].sum(0), within=SOLVED * len(own))] for own in members]
    )


def list_partners(n: int, like: Tensor) -> Tensor:
    """Return [n n//2]: row j lists the n // 2 images after image j, cyclically, so that every pair
    occurs."""
    j = torch.arange(n, device=like.device)
    return (j[:, None] + 1 + j[: n // 2]) % max(1, n)


def _reverse(found: BestPoses, order: Tensor, rows: slice) -> BestPoses:
    """Return some rows of the same pairs in the reverse direction: if image i was aligned with j,
    then image j is now aligned with i, in row i."""
    n, k = found.index.shape
    column = torch.arange(k, device=order.device)
    row = (torch.arange(n, device=order.device)[rows, None] - 1 - column) % n
    spared = None if found.spared is None else found.spared[row, column]
    matrix = torch.linalg.inv(found.matrix[row, column])
    return BestPoses(order[row], matrix, found.score[row, column], spared)


def _return(found: BestPoses, index: Tensor, rows: slice) -> BestPoses:
    """Invert `_reverse` for some rows: images index[n k] are aligned with their templates again."""
    n, k = index.shape
    column = torch.arange(k, device=index.device)
    row = (torch.arange(n, device=index.device)[rows, None] + 1 + column) % n
    spared = None if found.spared is None else found.spared[row, column]
    matrix = torch.linalg.inv(found.matrix[row, column])
    return BestPoses(index[rows], matrix, found.score[row, column], spared)


def are_equal(still: Tensor, norm: Tensor) -> Tensor:
    """Return a mask of the pairs with ⟨v_i, v_j⟩ = ‖v_i‖ ‖v_j‖, for which no pose is better than
    the identity.

    A symmetric image has other poses that are equally good, so rounding errors would decide between
    them.
    """
    return still >= (1 - STEP) * norm


class _Tally:
    """The best score and pose found so far for every ordered pair; initially the identity and its
    score."""

    def __init__(self, g: Images, group: Group) -> None:
        n, flat = len(g), g.flatten(1)
        self.group = group
        self.scores = flat @ flat.T
        self.square = self.scores.diagonal().clone()
        self.tau = group.identity(n * n, g).view(n, n, -1)
        self.spared = torch.zeros_like(self.scores, dtype=torch.bool)

    def add(self, found: BestPoses, rows: Tensor) -> None:
        """Record these poses, which must be between canvases, where they are better than the
        identity."""
        place = found.index, rows[:, None]
        still = self.scores[place]
        norm = (self.square[found.index] * self.square[rows, None]).sqrt()
        better = (found.score > still) & ~are_equal(still, norm)
        self.scores[place] = torch.where(better, found.score, still)
        self.tau[place] = self.group.pose(found.matrix).where(better[..., None], self.tau[place])
        if found.spared is not None:
            self.spared[place] = found.spared

    def sum(self) -> Alignment:
        """Return the distances d², averaged over both directions, and the poses."""
        d2 = self.square[:, None] + self.square - (self.scores + self.scores.T)
        return Alignment(d2.clamp_min(0).fill_diagonal_(0), self.tau)
