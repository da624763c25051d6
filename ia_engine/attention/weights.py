"""Attention weights, section 2.2: γ_ij = κ(v_i, v_j), W_ij = γ_ij / Σ_k γ_kj; columns sum to 1."""

from collections.abc import Callable

import torch
from torch import Tensor

from ia_engine.images import Matrix
from ia_engine.ties import SOLVED

Kernel = Callable[[Matrix, Tensor], Matrix]
"""A map from squared distances d² [n m] and square norms ‖v_i‖² [n] to x, where κ = exp(-β x).

Terms that are constant in a column cancel in W, and x is 0 between an image and itself.
"""


def rbf(d2: Matrix, square: Tensor) -> Matrix:
    """κ = exp(-β d²)."""
    return d2


def laplace(d2: Matrix, square: Tensor) -> Matrix:
    """κ = exp(-β d)."""
    return d2.sqrt()


def softmax(d2: Matrix, square: Tensor) -> Matrix:
    """κ = exp(β ⟨v_i∘τ, v_j⟩), where 2 ⟨v_i∘τ, v_j⟩ = ‖v_i‖² + ‖v_j‖² - d²; the constant ‖v_j‖² is
    omitted."""
    return (d2 - square[:, None] + square) / 2


KERNELS: dict[str, Kernel] = {"rbf": rbf, "laplace": laplace, "softmax": softmax}


def weigh(
    d2: Matrix,
    beta: float | Tensor,
    kernel: Kernel = rbf,
    square: Tensor | None = None,
    most: int | None = None,
    *,
    apart: Matrix | None = None,
) -> Matrix:
    """W from the squared distances of images with these square norms (by default, 1).

    β is a single value, or one value per column [m]. In each column, only the `most` largest
    weights are kept (and those equal to the smallest of them). Masked pairs [n m] have weight 0.
    The softmax keeps W finite for every β.
    """
    x = kernel(d2, torch.ones_like(d2[:, 0]) if square is None else square)
    logits = -beta * x
    if apart is not None:
        logits = logits.masked_fill(apart, -torch.inf)
    if most is not None and most < len(x):
        norm = 1.0 if square is None else float(square.mean())
        least = logits.topk(most, 0).values[-1] - SOLVED * norm * beta
        logits = logits.masked_fill(logits < least, -torch.inf)
    return logits.softmax(0)


def block_mass(W: Matrix, labels: Tensor) -> float:
    """The share of the off-diagonal weight that is within classes.

    The diagonal is excluded because it would make all images seem well clustered at a large β.
    """
    others = W.clone().fill_diagonal_(0)
    same = labels[:, None] == labels
    return float((others * same).sum() / others.sum().clamp_min(1e-30))
