"""Batch normalisation with the statistics of the whole batch, of which each rank holds a part.

torch's own needs a GPU. Sums over the batch are sums over the ranks, and so are their gradients,
because each rank contributes to the result of every other.
"""

from collections.abc import Callable
from typing import Final, Protocol, final

import torch
from torch import Tensor, nn
from torch.nn import functional

from ia_engine.distributed.ranks import Ranks

NORMS: Final = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)


class _Kept(Protocol):
    """Values stored for the backward pass."""

    ranks: Ranks


class _Sum(torch.autograd.Function):
    """The sum over the ranks, with its gradient."""

    @staticmethod
    def forward(ctx: _Kept, x: Tensor, ranks: Ranks) -> Tensor:
        ctx.ranks = ranks
        return ranks.sum(x)

    @staticmethod
    def backward(ctx: _Kept, *slopes: Tensor) -> tuple[Tensor, None]:
        return ctx.ranks.sum(slopes[0]), None


add: Final[Callable[[Tensor, Ranks], Tensor]] = _Sum.apply


@final
class SharedNorm(nn.Module):
    """Replaces a batch normalisation, with its parameters, buffers and their names."""

    def __init__(
        self, norm: nn.BatchNorm1d | nn.BatchNorm2d | nn.BatchNorm3d, ranks: Ranks
    ) -> None:
        super().__init__()
        self.ranks, self.eps, self.momentum = ranks, norm.eps, norm.momentum or 0.0
        self.weight, self.bias = norm.weight, norm.bias
        for name, x in norm.named_buffers():
            self.register_buffer(name, x)

    def forward(self, v: Tensor) -> Tensor:
        """[n c ...]; in evaluation mode nothing is shared."""
        if not self.training:
            return functional.batch_norm(
                v, self._of("mean"), self._of("var"), self.weight, self.bias, eps=self.eps
            )
        flat = v.transpose(0, 1).flatten(1)
        own = flat.new_tensor([flat.shape[1]])
        total = add(torch.cat([flat.sum(1), own]), self.ranks)
        count, mean = total[-1], total[:-1] / total[-1]
        centred = flat - mean[:, None]
        variance = add(centred.square().sum(1), self.ranks) / count
        self._remember(mean.detach(), (variance * count / (count - 1)).detach())
        scaled = centred * ((variance + self.eps).rsqrt() * self.weight)[:, None]
        whole = (scaled + self.bias[:, None]).unflatten(1, (v.shape[0], *v.shape[2:]))
        return whole.transpose(0, 1)

    def _of(self, name: str) -> Tensor:
        return self.get_buffer(f"running_{name}")

    def _remember(self, mean: Tensor, variance: Tensor) -> None:
        self._of("mean").lerp_(mean, self.momentum)
        self._of("var").lerp_(variance, self.momentum)
        self.get_buffer("num_batches_tracked").add_(1)


def share_norms(network: nn.Module, ranks: Ranks) -> None:
    """Let every batch normalisation of the network use the statistics of all ranks."""
    if ranks.size == 1:
        return
    for module in list(network.modules()):
        for name, norm in list(module.named_children()):
            if isinstance(norm, NORMS):
                setattr(module, name, SharedNorm(norm, ranks))
