"""The rule β = 1/x, where x is the median over all pairs."""

import torch
from torch import Tensor

from ia_engine.attention.bandwidth import Bandwidth, Rule
from ia_engine.images import Matrix


class Median(Bandwidth):
    """One β for all columns."""

    def beta(self, x: Matrix) -> Tensor:
        pairs = x[~torch.eye(len(x), dtype=torch.bool, device=x.device)]
        typical = pairs.median() if len(pairs) else x.amax()
        return 1 / typical.clamp_min(float(1e-6 * x.amax()) or 1e-30)


MEDIAN = Rule(
    title="median",
    formula="β = 1/d² at the median of all distances",
    bandwidth=lambda config: Median(),
    needs_all_pairs=True,
)
