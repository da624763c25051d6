"""W of any kernel and any rule for β, as the softmax of one β: what a slider of β can turn."""

import torch

from ia_engine.attention.iteration import AttentionConfig, Step, square_norms
from ia_engine.attention.weights import KERNELS
from ia_engine.shapes import Matrix


def exponents(step: Step, config: AttentionConfig, beta: float) -> Matrix | None:
    """x with W_ij = exp(-β x_ij) / Σ_k exp(-β x_kj); None where x is d² itself."""
    told = step.beta.ndim == 0 and abs(float(step.beta) - beta) <= 1e-6 * beta
    if config.kernel == "rbf" and config.most is None and told:
        return None
    x = KERNELS[config.kernel](step.d2, square_norms(step.v, config.sigma)) * (step.beta / beta)
    return x if config.most is None else x.masked_fill(step.W == 0, torch.inf)


def nominal(step: Step, config: AttentionConfig) -> float:
    """The one β that stands for a step's: as told, or the median of what the rule gave."""
    return config.beta if config.bandwidth in ("fixed", "topk") else float(step.beta.median())
