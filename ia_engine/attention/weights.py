"""Attention weights, section 2.2: γ_ij = κ(v_i, v_j), W_ij = γ_ij / Σ_k γ_kj; columns sum to 1."""

import torch
from torch import Tensor

from ia_engine.attention.kernels.base import Kernel
from ia_engine.attention.kernels.exponential import RBF
from ia_engine.images import Matrix
from ia_engine.ties import SOLVED


def weigh(
    d2: Matrix,
    beta: float | Tensor,
    kernel: Kernel = RBF,
    square: Tensor | None = None,
    most: int | None = None,
    *,
    apart: Matrix | None = None,
    columns: Tensor | None = None,
) -> Matrix:
    """Return W from squared distances; `square` has the squared norms of the images (by default,
    1), and `columns` those of the columns, if these are other images.

    β is a single value, or one value per column [m]. In each column, only the `most` largest
    weights are kept (and any that equal the smallest of them). Pairs masked by `apart` [n m] get a
    weight of 0. W is finite for every β.
    """
    rows = torch.ones_like(d2[:, 0]) if square is None else square
    u = beta * kernel.exponent(d2, rows, rows if columns is None else columns)
    if apart is not None:
        u = u.masked_fill(apart, torch.inf)
    if most is not None and most < len(u):
        norm = 1.0 if square is None else float(square.mean())
        limit = u.topk(most, 0, largest=False).values[-1] + SOLVED * norm * beta
        u = u.masked_fill(u > limit, torch.inf)
    return kernel.weigh(u)


def block_mass(W: Matrix, labels: Tensor) -> float:
    """Return the fraction of the off-diagonal weight that lies within classes.

    The diagonal is excluded because it would make all images seem well clustered at a large β.
    """
    others = W.clone().fill_diagonal_(0)
    same = labels[:, None] == labels
    return float((others * same).sum() / others.sum().clamp_min(1e-30))
