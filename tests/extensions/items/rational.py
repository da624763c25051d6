"""A kernel whose tails are lighter than Cauchy's: κ = 1/(1 + β d²)²."""

from torch import Tensor

from ia_engine.attention.kernels.base import Kernel


def compute_kappa(u: Tensor) -> Tensor:
    return (1 + u) ** -2


RATIONAL = Kernel("Rational", "1/(1 + β d²)²", compute_kappa)
