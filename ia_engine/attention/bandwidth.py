"""The bandwidth β of a kernel κ, a function of β x: either fixed, or computed from the distances at
every iteration.

x is the matrix of exponents of the kernel (d² for most kernels), with zeros on its diagonal. All
rules except the fixed one are independent of scale: x and 2x give the same weights. They are also
consistent with Theorem 4.1, which requires β < c′/R², because β grows as images approach each
other.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from ia_engine.images import Labels, Matrix

NEAREST = 1e-6
"""Lower bound for the x used to compute β, as a fraction of the largest x. It keeps β
finite."""
TINY = 1e-30


class Bandwidth(ABC):
    """Sets β."""

    @abstractmethod
    def beta(self, x: Matrix) -> Tensor:
        """Return one β for all columns of x [n n], or one β per column."""

    def beta_beyond(self, x: Matrix, own: Labels) -> Tensor | None:
        """Return β for new images, the columns of x [n m], whose nearest images are the rows `own`
        [m]; None for the β of the run."""
        return None


class Settings(Protocol):
    """The settings of a run that a rule may use."""

    @property
    def beta(self) -> float: ...
    @property
    def neighbours(self) -> int: ...
    @property
    def quantile(self) -> float: ...
    @property
    def constant(self) -> float: ...


@dataclass(frozen=True)
class Rule:
    """A weighting rule: how β is set, and how many weights per column are kept."""

    title: str
    """Its name on the screen."""
    formula: str
    """What it does, for the methods paragraph; {config.quantile} stands for a setting."""
    bandwidth: Callable[[Settings], Bandwidth]
    settings: tuple[str, ...] = ()
    """The settings that it uses, the most important one first."""
    most: Callable[[Settings], int] | None = None
    """A function that returns the maximum number of weights per column; None for no limit."""
    is_fixed: bool = False
    """True if β is the setting `beta`, so that it may be changed while a result is shown."""
    needs_all_pairs: bool = False
    """True if it uses the distances between all pairs."""


@dataclass(frozen=True)
class Fixed(Bandwidth):
    """The same β at every iteration."""

    value: float

    def beta(self, d2: Matrix) -> Tensor:
        return d2.new_tensor(self.value)


@dataclass(frozen=True)
class Local(Bandwidth):
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
class Quantile(Bandwidth):
    """β = 1/x_q, where x_q is the q-quantile of x over all pairs."""

    share: float = 0.1

    def beta(self, d2: Matrix) -> Tensor:
        pairs = max(1, d2.numel() - len(d2))
        k = 1 + round(self.share * (pairs - 1))
        return _inverse(_others(d2).flatten().kthvalue(k).values, d2)


@dataclass(frozen=True)
class Theorem(Bandwidth):
    """β = c/R² with R² = max d², the condition of Theorem 4.1 for the Gaussian kernel."""

    constant: float = 20.0

    def beta(self, d2: Matrix) -> Tensor:
        return self.constant * _inverse(d2.amax(), d2)


def _others(d2: Matrix) -> Matrix:
    """Return d² with an infinite diagonal, so that no image is its own neighbour."""
    return d2.clone().fill_diagonal_(torch.inf)


def _inverse(x: Tensor, d2: Matrix) -> Tensor:
    return 1 / torch.maximum(x, (NEAREST * d2.amax()).clamp_min(TINY))
