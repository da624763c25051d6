"""Measures of a step: distances, block mass, contraction, clusters, merges and scores."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from torch import Tensor

from ia_engine.attention.clusters.detection import merge_clusters
from ia_engine.attention.clusters.merges import Merge, MergeTree, converged
from ia_engine.attention.iteration import Step
from ia_engine.attention.theory.contraction import NEAR, largest_ratio
from ia_engine.attention.weights import block_mass
from ia_engine.images import Labels, Matrix
from ia_engine.metrics import Scores, score_clusters


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
    """True if this step changes nothing; see `converged` in `merges.py`."""

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
