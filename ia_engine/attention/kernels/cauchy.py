"""The Cauchy kernel: κ = 1/(1 + β d²), which gives distant images more weight than a Gaussian."""

from typing import Final

from torch import Tensor

from ia_engine.attention.kernels.base import Kernel


def _profile(u: Tensor) -> Tensor:
    return 1 / (1 + u)


CAUCHY: Final = Kernel("Cauchy", "1/(1 + β d²)", _profile)
