"""Attention weights, section 2.2: γ_ij = κ(v_i, v_j), W_ij = γ_ij / Σ_k γ_kj; columns sum to 1."""

from collections.abc import Callable

import torch
from torch import Tensor

from ia_engine.images import Matrix
from ia_engine.ties import SOLVED

Kernel = Callable[[Matrix, Tensor, Tensor], Matrix]
"""A function from squared distances d² [n m] and the square norms of the rows [n] and the columns
[m] to x, where κ = exp(-β x).

Terms that are constant in a column cancel in W, and x is 0 between an image and itself.
"""


def rbf(d2: Matrix, rows: Tensor, columns: Tensor) -> Matrix:
    """Return the exponent x = d² of κ = exp(-β d²)."""
    return d2


def laplace(d2: Matrix, rows: Tensor, columns: Tensor) -> Matrix:
    """Return the exponent x = d of κ = exp(-β d)."""
    return d2.sqrt()


def softmax(d2: Matrix, rows: Tensor, columns: Tensor) -> Matrix:
    """Return x = ‖v_j‖² - ⟨v_i∘τ, v_j⟩ for κ = exp(β ⟨v_i∘τ, v_j⟩), whose factor exp(β ‖v_j‖²)
    cancels in W. It follows from 2 ⟨v_i∘τ, v_j⟩ = ‖v_i‖² + ‖v_j‖² - d²."""
    return (d2 - rows[:, None] + columns) / 2


KERNELS: dict[str, Kernel] = {"rbf": rbf, "laplace": laplace, "softmax": softmax}


def weigh(
    d2: Matrix,
    beta: float | Tensor,
    kernel: Kernel = rbf,
    square: Tensor | None = None,
    most: int | None = None,
    *,
    apart: Matrix | None = None,
    columns: Tensor | None = None,
) -> Matrix:
    """Return W from squared distances; `square` holds the square norms of the images (by default,
    1), and `columns` those of the columns, if these are other images.

    β is a single value, or one value per column [m]. In each column, only the `most` largest
    weights are kept (and any that equal the smallest of them). Pairs masked by `apart` [n m] get a
    weight of 0. W is finite for every β, because it is computed as a softmax.
    """
    rows = torch.ones_like(d2[:, 0]) if square is None else square
    x = kernel(d2, rows, rows if columns is None else columns)
    logits = -beta * x
    if apart is not None:
        logits = logits.masked_fill(apart, -torch.inf)
    if most is not None and most < len(x):
        norm = 1.0 if square is None else float(square.mean())
        least = logits.topk(most, 0).values[-1] - SOLVED * norm * beta
        logits = logits.masked_fill(logits < least, -torch.inf)
    return logits.softmax(0)


def block_mass(W: Matrix, labels: Tensor) -> float:
    """Return the fraction of the off-diagonal weight that lies within classes.

    The diagonal is excluded because it would make all images seem well clustered at a large β.
    """
    others = W.clone().fill_diagonal_(0)
    same = labels[:, None] == labels
    return float((others * same).sum() / others.sum().clamp_min(1e-30))
