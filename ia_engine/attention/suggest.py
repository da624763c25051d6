"""A β to begin with, where images' unit norm does not give it a scale."""

from ia_engine.attention.clusters.measures import mean_distances
from ia_engine.attention.distances.alignment import Euclidean
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig
from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.data import Data, thin
from ia_engine.params import Range, parameters

ENOUGH = 200
"""So many points tell as much as all of them."""


def suggest_beta(data: Data) -> float:
    """Kernel attention's usual β for images; for points 1/(2 d²), d² being the mean in a blob."""
    part = thin(data, ENOUGH)
    if not isinstance(part, PointSet):
        return KERNEL_BETA
    within, _ = mean_distances(Euclidean().align(part.points).d2, part.labels)
    bounds = next(p.about for p in parameters(AttentionConfig) if p.name == "beta")
    if not within or not isinstance(bounds, Range):
        return KERNEL_BETA
    return float(f"{min(max(1 / (2 * within), bounds.low), bounds.high):.2g}")
