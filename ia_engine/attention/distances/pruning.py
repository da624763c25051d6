"""Pairs that cannot weigh anything in W need no exact distance.

After two rounds of the search the score of a pair is known but for SLACK, and so is d². A column
of W is divided by at least its own image's κ(0) = 1: a pair of which n times κ is less than half of
the tolerance keeps its rough distance, and all such pairs change no column by more than that.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

SLACK = 0.08
"""By so much more than two rounds promise a score may be, of ‖v_i‖ ‖v_j‖.

Measured with the rigid groups, on data and on means: at most 0.08 (shifts of Fashion-MNIST), 0.05
with turns. Larger groups exceed it (similarity 0.21, affine 0.23): there nothing may be pruned.
"""
MANY = 300
"""From so many images on pruning pays; of fewer, all distances are kept for β to be turned."""


@dataclass(frozen=True)
class Pruning:
    """For κ = exp(-β d²): columns of W sum to 1 and change by at most `tolerance` in sum."""

    beta: float
    tolerance: float = 1e-3

    def spares(self, d2: Tensor, norm: Tensor, n: int) -> Tensor:
        """Which of the pairs with these rough d², and ‖v_i‖ ‖v_j‖, need not be refined."""
        least = d2 - 2 * SLACK * norm
        return n * torch.exp(-self.beta * least) < self.tolerance / 2
