"""Measures how well each method clusters handwritten digits and garments in unknown poses.

The methods' parameters (group, σ, neighbours) were chosen on MNIST's training split. Here they are
used on its test split and, unchanged, on Fashion-MNIST.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.cluster import KMeans
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.clusters.detection import cluster
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.distortions import pose_copies
from ia_engine.datasets.named import NamedSet, read_split
from ia_engine.images import Images, Labels
from ia_engine.metrics import score_clusters
from ia_engine.transforms import GROUPS
from tests.benchmarks.clock import one_thread

CLASSES, EACH, SEEDS = 5, 12, 10
MARGIN, SHIFT = 4, 4.0
SIGMA = 1.0
KEPT = 20
"""Number of weights kept in each column, out of sixty."""

Cluster = Callable[[Images], tuple[Labels, Labels | None]]
"""Maps images to clusters, with K given, and with K estimated if the method can estimate it."""


@dataclass(frozen=True)
class Rival:
    """A method and its name in the table."""

    name: str
    cluster: Cluster


@dataclass(frozen=True)
class Scores:
    """Mean ARI over the seeds."""

    data: str
    method: str
    given: float
    """With the number of classes K given."""
    estimated: float | None
    """With K estimated; None if the method cannot estimate it."""

    def __str__(self) -> str:
        estimated = "    –" if self.estimated is None else f"{self.estimated:5.3f}"
        return f"{self.data:14} {self.method:38} K given {self.given:5.3f}  K estimated {estimated}"


def affine(v: Images) -> tuple[Labels, Labels]:
    """The distances of one iteration, over rotations and translations first, then over affine
    maps.
    """
    return _both(GlobalSearch(GROUPS["affine"], SIGMA).align(v).d2, v)


def rigid(v: Images) -> tuple[Labels, Labels]:
    return _both(GlobalSearch(GROUPS["se2"], SIGMA).align(v).d2, v)


def exact(v: Images) -> tuple[Labels, Labels]:
    """Clusters after one iteration in which every image can have a weight in every mean."""
    return _iterate(v, "fixed")


def top_k(v: Images) -> tuple[Labels, Labels]:
    """Clusters after the same iteration, with only the largest weights in every column of W."""
    return _iterate(v, "topk")


def _iterate(v: Images, bandwidth: str) -> tuple[Labels, Labels]:
    config = AttentionConfig(
        group="affine", sigma=SIGMA, steps=2, bandwidth=bandwidth, neighbours=KEPT
    )
    last = list(iterate(config, v))[-1]
    return _both(last.d2, last.v)


def kernel(v: Images) -> tuple[Labels, Labels]:
    """Clusters after two iterations of kernel attention, by the same rule as for invariant
    attention.
    """
    last = list(iterate(AttentionConfig(method="ka", beta=2.0, steps=3), v))[-1]
    return _both(last.d2, last.v)


def k_means(v: Images) -> tuple[Labels, None]:
    found = KMeans(CLASSES, n_init=10, random_state=0).fit(v.flatten(1).numpy()).labels_
    return torch.from_numpy(found).long(), None


def _both(d2: Tensor, v: Images) -> tuple[Labels, Labels]:
    return cluster(d2, v, CLASSES), cluster(d2, v)


RIVALS = (
    Rival("invariant attention, affine group", affine),
    Rival("invariant attention, SE(2)", rigid),
    Rival("kernel attention", kernel),
    Rival("K-means on pixels", k_means),
)


EXACT = Rival("iterated, all weights", exact)
TOP_K = Rival("iterated, top-k", top_k)


def draw(source: tuple[Tensor, Tensor], seed: int) -> tuple[Images, Labels]:
    """Twelve images of each of five classes, rotated by any angle and translated by up to 4 px."""
    images, labels = source
    generator = torch.Generator().manual_seed(seed)
    low = torch.tensor([-math.pi, -SHIFT, -SHIFT])
    rows = torch.cat([_choose(labels == c, generator) for c in range(CLASSES)])
    v = functional.pad(images[rows].float() / 255, (MARGIN,) * 4)
    posed = pose_copies(
        v, (GROUPS["se2"],), lambda n: low - 2 * low * torch.rand(n, 3, generator=generator)
    )
    return normalise(posed.images), labels[rows].long()


def _choose(member: Tensor, generator: torch.Generator) -> Tensor:
    rows = member.nonzero()[:, 0]
    return rows[torch.randperm(len(rows), generator=generator)[:EACH]]


def compare(
    named: NamedSet, rivals: tuple[Rival, ...] = RIVALS, seeds: int = SEEDS
) -> Iterator[Scores]:
    """One row of the table per method."""
    source = read_split(named, "test")
    drawn = [draw(source, seed) for seed in range(seeds)]
    with one_thread():
        for rival in rivals:
            found = [(labels, *rival.cluster(v)) for v, labels in drawn]
            given = np.mean([score_clusters(labels, a).ari for labels, a, _ in found])
            estimated = [score_clusters(labels, b).ari for labels, _, b in found if b is not None]
            mean = float(np.mean(estimated)) if estimated else None
            yield Scores(named.title, rival.name, float(given), mean)
