"""Expresses the weights of a run with a single β, for any kernel and rule, and suggests a β.

The slider on the page changes this single β.
"""

import torch

from ia_engine.attention.clusters.measures import mean_distances
from ia_engine.attention.distances.alignment import Euclidean
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig, Step, square_norms
from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.kernels.base import squared_distance
from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data, PointSet, thin
from ia_engine.images import Matrix
from ia_engine.params import Range, parameters


def exponents(step: Step, config: AttentionConfig, beta: float) -> Matrix | None:
    """Return x such that W_ij = κ(β x_ij) / Σ_k κ(β x_kj), or None if x is d² itself."""
    kernel = KERNELS[config.kernel]
    is_given = step.beta.ndim == 0 and abs(float(step.beta) - beta) <= 1e-6 * beta
    if kernel.exponent is squared_distance and config.most is None and is_given:
        return None
    square = square_norms(step.v, config.sigma)
    x = kernel.exponent(step.d2, square, square) * (step.beta / beta)
    return x if config.most is None else x.masked_fill(step.W == 0, torch.inf)


def nominal(step: Step, config: AttentionConfig) -> float:
    """Return the single β that represents a step: the fixed value, or the median of the values that
    the rule computed."""
    return config.beta if RULES[config.bandwidth].is_fixed else float(step.beta.median())


ENOUGH = 200
"""Maximum number of points used to estimate β."""


def suggest_beta(data: Data) -> float:
    """Return the default β of kernel attention. For images it is a constant; for points it is 1/(2
    d²), where d² is the mean squared distance within a blob."""
    part = thin(data, ENOUGH)
    if not isinstance(part, PointSet):
        return KERNEL_BETA
    within, _ = mean_distances(Euclidean().align(part.points).d2, part.labels)
    bounds = next(p.about for p in parameters(AttentionConfig) if p.name == "beta")
    if not within or not isinstance(bounds, Range):
        return KERNEL_BETA
    return float(f"{min(max(1 / (2 * within), bounds.low), bounds.high):.2g}")
