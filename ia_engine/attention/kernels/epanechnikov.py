"""The Epanechnikov kernel: κ = max(0, 1 - β d²), which gives no weight to images with d² ≥ 1/β."""

from typing import Final

from torch import Tensor

from ia_engine.attention.kernels.base import Kernel


def _profile(u: Tensor) -> Tensor:
    return (1 - u).clamp_min(0)


EPANECHNIKOV: Final = Kernel("Epanechnikov", "max(0, 1 - β d²)", _profile)
