"""Measures of a step: distances, block mass, contraction, clusters, scores, and all merges so far
(which images merged at which step and distance)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Self

import torch
from scipy.sparse.csgraph import minimum_spanning_tree
from torch import Tensor

from ia_engine.attention.clusters.detection import MERGED, merge_clusters, merged_pairs, relative
from ia_engine.attention.iteration import Step
from ia_engine.attention.weights import block_mass
from ia_engine.images import Labels, Matrix
from ia_engine.metrics import Scores, score_clusters

NEAR = 0.02
"""Pairs that are closer than this fraction of the initial R are omitted, because their distances
are mostly interpolation errors."""
SETTLED = 0.05
"""Relative change up to which a distance counts as constant. The interpolation of thin lines
changes distances between classes by up to 4 % per step."""

Cluster = tuple[int, ...]
"""The indices of the images in a cluster, in ascending order."""


@dataclass(frozen=True)
class Merge:
    """Two clusters that merged."""

    k: int
    """Number of the step at which the images merged; k = 1 means that they were already merged in
    the data."""
    joined: tuple[Cluster, Cluster]
    d2: float
    """The smallest d² between images of the two clusters."""


@dataclass(frozen=True)
class MergeTree:
    """All merges of n images so far, in order. Images that have merged stay merged, as a tree
    requires."""

    n: int
    merges: tuple[Merge, ...] = ()

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """The current clusters, in the order of their first images."""
        found: dict[int, Cluster] = {i: (i,) for i in range(self.n)}
        for merge in self.merges:
            one, other = merge.joined
            found[min(one[0], other[0])] = tuple(sorted(one + other))
            del found[max(one[0], other[0])]
        return tuple(found[i] for i in sorted(found))

    @property
    def order(self) -> tuple[int, ...]:
        """The images in the order of the leaves from left to right, in which no branches cross."""
        rows: dict[Cluster, Cluster] = {(i,): (i,) for i in range(self.n)}
        for merge in self.merges:
            one, other = merge.joined
            rows[tuple(sorted(one + other))] = rows.pop(one) + rows.pop(other)
        return tuple(i for _, row in sorted(rows.items()) for i in row)

    def grow(self, step: Step) -> Self:
        """Return the tree extended by the merges of this step, in ascending order of distance."""
        owner = {i: cluster for cluster in self.clusters for i in cluster}
        merges = list(self.merges)
        for i, j in _links(step):
            one, other = sorted((owner[i], owner[j]))
            if one == other:
                continue
            d2 = step.d2[list(one)][:, list(other)].min()
            merges.append(Merge(step.k, (one, other), float(d2)))
            both = tuple(sorted(one + other))
            owner |= dict.fromkeys(both, both)
        return replace(self, merges=tuple(merges))


@dataclass(frozen=True, eq=False)
class Measured:
    """A step and its scores. A score is None if it needs labels or a previous step and there are
    none."""

    step: Step
    assignments: Labels
    clusters: int
    contraction: float | None
    """Largest ratio of d(S_i, S_j) to its value in the previous step. Theorem 4.1 states when it is
    below 1."""
    d2_within: float | None
    d2_between: float | None
    block_mass: float | None
    scores: Scores | None
    merges: tuple[Merge, ...]
    """The merges of this step."""
    tree: MergeTree
    """All merges so far."""
    converged: bool
    """True if this step changes nothing; see `converged`."""

    @property
    def radius(self) -> float:
        """R, the largest distance between two images."""
        return float(self.step.d2.max()) ** 0.5


def measure(steps: Iterable[Step], labels: Labels | None) -> Iterator[Measured]:
    """Yield each step with its scores."""
    before: Step | None = None
    tree: MergeTree | None = None
    least = 0.0
    for step in steps:
        if tree is None:
            least = NEAR * float(step.d2.max()) ** 0.5
        known = tree or MergeTree(len(step.d2))
        tree = known.grow(step)
        found = merge_clusters(step.d2, step.v, step.W)
        within, between = mean_distances(step.d2, labels)
        yield Measured(
            step=step,
            assignments=found,
            clusters=int(found.max()) + 1 if len(found) else 0,
            contraction=None if before is None else _contract(before, step, least),
            d2_within=within,
            d2_between=between,
            block_mass=None if labels is None else block_mass(step.W, labels),
            scores=None if labels is None else score_clusters(labels, found),
            merges=tree.merges[len(known.merges) :],
            tree=tree,
            converged=before is not None and converged(step, before),
        )
        before = step


def _contract(before: Step, step: Step, least: float) -> float | None:
    """Return the largest ratio of an exact distance to its previous value."""
    d2 = before.d2
    for rough in (before.rough, step.rough):
        d2 = d2 if rough is None else d2.masked_fill(rough, 0)
    return largest_ratio(d2, step.d2, least)


def mean_distances(d2: Matrix, labels: Labels | None) -> tuple[float | None, float | None]:
    """Return the mean d² between images of the same class, and between images of different classes;
    None if there are no such pairs."""
    if labels is None:
        return None, None
    same = labels[:, None] == labels
    other = same.logical_not()
    return _mean(d2, same.clone().fill_diagonal_(False)), _mean(d2, other)


def _mean(d2: Matrix, chosen: Tensor) -> float | None:
    return float(d2[chosen].mean()) if bool(chosen.any()) else None


def largest_ratio(before: Matrix, after: Matrix, least: float) -> float | None:
    """Return the largest distance after an iteration relative to its value before, of the pairs
    that were farther apart than `least`; None if there are none."""
    counted = before.sqrt() > least
    return float((after / before)[counted].max()) ** 0.5 if bool(counted.any()) else None


def converged(step: Step, before: Step) -> bool:
    """Return True if the loop may stop: no more images have merged, and the distances of the others
    hardly change.

    That is, no d² between two unmerged images has changed by more than a fraction SETTLED.
    Distances that decrease more slowly, such as those between classes whose weights are not quite
    0, count as constant, too: merging would take a dozen or more iterations.
    """
    apart = relative(step.d2, step.v) > MERGED
    moves = (step.d2 - before.d2).abs() > SETTLED * before.d2
    found, known = (merge_clusters(one.d2, one.v, one.W) for one in (step, before))
    return torch.equal(found, known) and not bool((apart & moves).any())


def _links(step: Step) -> list[tuple[int, int]]:
    """Return the shortest links that connect the images of each cluster, in ascending order of
    d²."""
    # scipy interprets a zero as "no link"; adding 1 keeps the links between equal images.
    merged = merged_pairs(step.d2, step.v, step.W)
    near = torch.where(merged, 1 + relative(step.d2, step.v), 0).cpu()
    tree = minimum_spanning_tree(near.numpy()).tocoo()
    links = sorted(zip(tree.data, tree.row, tree.col, strict=True))
    return [(int(i), int(j)) for _, i, j in links]


@dataclass(frozen=True)
class Numbers:
    """The metrics of a step. Those that need labels or a previous step are None if there are
    none."""

    p: int
    """Number of times the images have been replaced by their means."""
    assignments: tuple[int, ...]
    clusters: int
    contraction: float | None
    radius: float
    d2_within: float | None
    d2_between: float | None
    block_mass: float | None
    ari: float | None
    tree: MergeTree
    converged: bool
    seconds: float
    """CPU time that computing the weights of this step from the previous images took."""
    compared: float
    """Fraction of the pairs whose distances are exact."""


def to_numbers(measured: Measured) -> Numbers:
    """Return the metrics of a measured step."""
    return Numbers(
        p=measured.step.k - 1,
        assignments=tuple(measured.assignments.tolist()),
        clusters=measured.clusters,
        contraction=measured.contraction,
        radius=measured.radius,
        d2_within=measured.d2_within,
        d2_between=measured.d2_between,
        block_mass=measured.block_mass,
        ari=measured.scores.ari if measured.scores else None,
        tree=measured.tree,
        converged=measured.converged,
        seconds=measured.step.seconds,
        compared=measured.step.compared,
    )
