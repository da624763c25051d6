"""A kernel κ: a decreasing function of the squared distance d², which is 1 at distance 0."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from ia_engine.images import Matrix

Profile = Callable[[Tensor], Tensor]
"""κ as a function of u = β d²: 1 at 0, and decreasing to a limit of at least 0."""
Exponent = Callable[[Matrix, Tensor, Tensor], Matrix]
"""A function from d² [n m] and the squared norms of the rows [n] and the columns [m] to x, where κ
is a function of β x.

x is 0 between an image and itself, up to a term that is constant in a column. Such a term is
allowed only with the exponential profile, in whose weights it cancels.
"""

FIRST_OCTAVE: Final = -12
LAST_OCTAVE: Final = 24
PER_OCTAVE: Final = 32
"""The nodes of a table are u = 2^(k / PER_OCTAVE) between these octaves."""


def exponential(u: Tensor) -> Tensor:
    """Return κ = exp(-u), the profile of the Gaussian kernel."""
    return (-u).exp()


def squared_distance(d2: Matrix, rows: Tensor, columns: Tensor) -> Matrix:
    """Return x = d²."""
    return d2


@dataclass(frozen=True)
class Kernel:
    """κ = profile(β x), where x is d² unless `exponent` returns something else."""

    title: str
    """Its name on the screen."""
    formula: str
    """κ as text, such as "exp(-β d²)"."""
    profile: Profile = exponential
    exponent: Exponent = squared_distance
    symbol: str = "d²_{ij}"
    """x_ij as text, in the notation of the formulas on the screen."""

    @property
    def is_exponential(self) -> bool:
        return self.profile is exponential

    @property
    def is_gaussian(self) -> bool:
        return self.is_exponential and self.exponent is squared_distance

    def weigh(self, u: Matrix) -> Matrix:
        """Return W_ij = κ(u_ij) / Σ_k κ(u_kj) for u = β x. Pairs whose u is infinite have no
        weight.

        A column in which every κ is 0 stays 0. This happens only to new images that are too far
        from all others, because κ is 1 between an image and itself.
        """
        if self.is_exponential:  # the same, but finite for every u
            return (-u).softmax(0)
        unknown = u.isinf()
        kappa = self.profile(u.masked_fill(unknown, 0)).masked_fill(unknown, 0)
        total = kappa.sum(0)
        return kappa / torch.where(total > 0, total, 1)


def nodes() -> Tensor:
    """Return the values of u at which `tabulate` computes κ."""
    steps = torch.arange(
        FIRST_OCTAVE * PER_OCTAVE,
        LAST_OCTAVE * PER_OCTAVE + 1,
        dtype=torch.float64,
        device="cpu",
    )
    return (steps / PER_OCTAVE).exp2()


def tabulate(kernel: Kernel) -> list[float]:
    """Return κ at the nodes, from which the browser interpolates κ linearly in u.

    The interpolation decreases, like κ. Between two nodes a < b, both κ and its interpolation are
    between κ(a) and κ(b), so the error is at most κ(a) - κ(b). The error of a weight is at most
    n + 1 times the largest error of κ, because the sum of a column is at least κ(0) = 1.
    """
    return [float(f"{kappa:.9g}") for kappa in kernel.profile(nodes()).tolist()]
