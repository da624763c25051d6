"""The metrics of a run at every step, without tensors, for plots and tables."""

from dataclasses import dataclass

from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.clusters.merges import MergeTree


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
