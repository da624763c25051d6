"""Which images became one, when, and at which distance; and when nothing changes any more."""

from dataclasses import dataclass, replace
from typing import Self

import torch
from scipy.sparse.csgraph import minimum_spanning_tree

from ia_engine.attention.clusters.detection import MERGED, merge_clusters, merged_pairs, relative
from ia_engine.attention.iteration import Step

SETTLED = 0.05
"""Reading thin lines between pixels moves the distances of classes by 4 % at every step."""

Cluster = tuple[int, ...]
"""The images of a cluster, in ascending order."""


@dataclass(frozen=True)
class Merge:
    """Two clusters that became one."""

    k: int
    """The step whose images have merged: with k = 1 the data were that near already."""
    joined: tuple[Cluster, Cluster]
    d2: float
    """The smallest d² between an image of the one and an image of the other."""


@dataclass(frozen=True)
class MergeTree:
    """All merges of n images so far, in their order. What has merged stays so, for a tree."""

    n: int
    merges: tuple[Merge, ...] = ()

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """The clusters as they are now, in the order of their first images."""
        found: dict[int, Cluster] = {i: (i,) for i in range(self.n)}
        for merge in self.merges:
            one, other = merge.joined
            found[min(one[0], other[0])] = tuple(sorted(one + other))
            del found[max(one[0], other[0])]
        return tuple(found[i] for i in sorted(found))

    @property
    def order(self) -> tuple[int, ...]:
        """The images as leaves from left to right: so drawn, no two branches cross."""
        rows: dict[Cluster, Cluster] = {(i,): (i,) for i in range(self.n)}
        for merge in self.merges:
            one, other = merge.joined
            rows[tuple(sorted(one + other))] = rows.pop(one) + rows.pop(other)
        return tuple(i for _, row in sorted(rows.items()) for i in row)

    def grow(self, step: Step) -> Self:
        """The tree with what this step's images merge, the nearest first."""
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
    """Whether the loop may stop: the same images are merged as before, and the rest hardly move.

    That is, no distance d² of two images that have not merged has changed by more than SETTLED of
    itself. Distances that fall more slowly still, as between classes whose weights are not quite 0,
    would take a dozen iterations and more to merge: they count as settled.
    """
    apart = relative(step.d2, step.v) > MERGED
    moves = (step.d2 - before.d2).abs() > SETTLED * before.d2
    found, known = (merge_clusters(one.d2, one.v, one.W) for one in (step, before))
    return torch.equal(found, known) and not bool((apart & moves).any())


def _links(step: Step) -> list[tuple[int, int]]:
    """The shortest links that connect the images of each cluster, in ascending order."""
    # scipy reads a zero as "no link": the 1 keeps images that are equal.
    merged = merged_pairs(step.d2, step.v, step.W)
    near = torch.where(merged, 1 + relative(step.d2, step.v), 0).cpu()
    tree = minimum_spanning_tree(near.numpy()).tocoo()
    links = sorted(zip(tree.data, tree.row, tree.col, strict=True))
    return [(int(i), int(j)) for _, i, j in links]
