"""The bandwidth β of κ = exp(-β x): either fixed, or computed from the distances at every
iteration.

x is the matrix of exponents of the kernel (d² for rbf), with zeros on its diagonal. All rules
except the fixed one are independent of scale: x and 2x give the same weights. They are also
consistent with Theorem 4.1, which requires β < c′/R², because β grows as images approach each
other.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from ia_engine.images import Labels, Matrix

NEAREST = 1e-6
"""Lower bound for the x used to compute β, as a fraction of the largest x. It keeps β
finite."""
TINY = 1e-30


class Bandwidth(Protocol):
    """Interface of the rules that set β."""

    def beta(self, d2: Matrix) -> Tensor:
        """Return one β for all columns of x, or one β per column."""


@dataclass(frozen=True)
class Fixed:
    """The same β at every iteration."""

    value: float

    def beta(self, d2: Matrix) -> Tensor:
        return d2.new_tensor(self.value)


@dataclass(frozen=True)
class Local:
    """β_j = 1/ρ_j², where ρ_j is the distance from image j to its k-th neighbour.

    There is one β per mean. The symmetric rule 1/(ρ_i ρ_j) would also reduce the weight that an
    image with many near neighbours has in the means of other images.
    """

    neighbours: int = 5

    def beta(self, d2: Matrix) -> Tensor:
        return self.beta_beyond(d2, torch.arange(len(d2), device=d2.device))

    def beta_beyond(self, d2: Matrix, own: Labels) -> Tensor:
        """Return β for the columns of d2 [n m]; row own[j] is no neighbour of column j."""
        k = min(self.neighbours, max(1, len(d2) - 1))
        others = d2.scatter(0, own[None], torch.inf)
        return _inverse(others.kthvalue(k, 0).values, d2)


@dataclass(frozen=True)
class Quantile:
    """β = 1/x_q, where x_q is the q-quantile of x over all pairs."""

    share: float = 0.1

    def beta(self, d2: Matrix) -> Tensor:
        pairs = max(1, d2.numel() - len(d2))
        k = 1 + round(self.share * (pairs - 1))
        return _inverse(_others(d2).flatten().kthvalue(k).values, d2)


@dataclass(frozen=True)
class Theorem:
    """β = c/R² with R² = max d², the condition of Theorem 4.1."""

    constant: float = 20.0

    def beta(self, d2: Matrix) -> Tensor:
        return self.constant * _inverse(d2.amax(), d2)


def _others(d2: Matrix) -> Matrix:
    """Return d² with an infinite diagonal, so that no image is its own neighbour."""
    return d2.clone().fill_diagonal_(torch.inf)


def _inverse(x: Tensor, d2: Matrix) -> Tensor:
    return 1 / torch.maximum(x, (NEAREST * d2.amax()).clamp_min(TINY))
