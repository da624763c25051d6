"""A run's history in numbers, as plots and tables show it: steps without their tensors."""

from dataclasses import dataclass

from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.clusters.merges import MergeTree


@dataclass(frozen=True)
class Numbers:
    """What a step says; what needs labels, or a step before, is None without."""

    p: int
    """So many times have the data been replaced by their means."""
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
    """CPU time from the images before to the weights of these."""
    compared: float
    """The share of all pairs that were compared exactly."""


def tell(measured: Measured) -> Numbers:
    """The numbers of a step that was measured."""
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
