"""The history of merges (which images merged at which step and distance), and the test of
convergence."""

from dataclasses import dataclass, replace
from typing import Self

import torch
from scipy.sparse.csgraph import minimum_spanning_tree

from ia_engine.attention.clusters.detection import MERGED, merge_clusters, merged_pairs, relative
from ia_engine.attention.iteration import Step

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
