"""The kernels κ = exp(-β x), for x = d², x = d and an inner product."""

from typing import Final

from torch import Tensor

from ia_engine.attention.kernels.base import Kernel
from ia_engine.images import Matrix


def _distance(d2: Matrix, rows: Tensor, columns: Tensor) -> Matrix:
    """Return x = d."""
    return d2.sqrt()


def _inner_product(d2: Matrix, rows: Tensor, columns: Tensor) -> Matrix:
    """Return x = ‖v_j‖² - ⟨v_i∘τ, v_j⟩ for κ = exp(β ⟨v_i∘τ, v_j⟩), whose factor exp(β ‖v_j‖²)
    cancels in W. It follows from 2 ⟨v_i∘τ, v_j⟩ = ‖v_i‖² + ‖v_j‖² - d²."""
    return (d2 - rows[:, None] + columns) / 2


RBF: Final = Kernel("Gaussian", "exp(-β d²)")
LAPLACE: Final = Kernel("Laplace", "exp(-β d)", exponent=_distance, symbol="d_{ij}")
SOFTMAX: Final = Kernel(
    "inner product", "exp(β⟨v_i∘τ, v_j⟩)", exponent=_inner_product, symbol="−⟨v_i∘τ, v_j⟩"
)
