"""What a network is built of: a layer, with or without attention, and what stands around it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from ia_engine.equivariant.convolution import Convolution, Device

EPSILON = 2e-5
"""Added to the variance in a batch normalisation (appendix B.1)."""


@dataclass(frozen=True, eq=False)
class Maps:
    """What is subtracted, α⁻ = α_X·α_C, in its two factors.

    On the input α_X is [n h y x] and α_C [n c h]. On the responses α_X is [n h~ o h y x] and α_C
    [n i h~ o h]. A factor that a layer has not is None and counts as 1.
    """

    spatial: Tensor | None
    channel: Tensor | None


class Layer(nn.Module, ABC):
    """A convolution [n i h~ y x] to [n o h y x], with or without attention."""

    convolution: Convolution

    @abstractmethod
    def forward(self, f: Tensor) -> Tensor: ...

    @abstractmethod
    def maps(self, f: Tensor) -> Maps | None:
        """The attention that the layer pays to f; None where it pays none."""


class PlainLayer(Layer):
    """A convolution alone."""

    def __init__(self, convolution: Convolution) -> None:
        super().__init__()
        self.convolution = convolution

    def forward(self, f: Tensor) -> Tensor:
        found: Tensor = self.convolution(f)
        return found

    def maps(self, f: Tensor) -> Maps | None:
        return None


class GroupBatchNorm(nn.BatchNorm3d):
    """Every channel normalised over the batch, the plane and the group: equivariant."""

    def __init__(
        self, channels: int, device: Device = None, dtype: torch.dtype | None = None
    ) -> None:
        super().__init__(channels, eps=EPSILON, device=device, dtype=dtype)


class Pool(nn.Module, ABC):
    """2×2 pixels become one in every channel and every pose."""

    def forward(self, f: Tensor) -> Tensor:
        return self.pool(f.flatten(1, 2)).unflatten(1, f.shape[1:3])

    @abstractmethod
    def pool(self, f: Tensor) -> Tensor: ...


class MaxPool(Pool):
    """The greatest of the four."""

    def pool(self, f: Tensor) -> Tensor:
        return functional.max_pool2d(f, 2)


class MeanPool(Pool):
    """The mean of the four."""

    def pool(self, f: Tensor) -> Tensor:
        return functional.avg_pool2d(f, 2)


class Dropout(nn.Module):
    """Dropout that draws from a generator of its own, so that a run can be made again."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate
        self.generator: Generator | None = None
        self.batch: tuple[int, slice] | None = None
        """Of how many images these are a part, and which; None if they are all."""

    def forward(self, f: Tensor) -> Tensor:
        if not self.training or self.rate == 0:
            return f
        n, part = self.batch or (len(f), slice(None))
        keep = f.new_empty(n, *f.shape[1:]).bernoulli_(1 - self.rate, generator=self.generator)
        return f * keep[part].div_(1 - self.rate)


class Block(nn.Module):
    """A layer, batch normalisation, ReLU where wanted, and what may follow."""

    def __init__(
        self, layer: Layer, norm: GroupBatchNorm, *after: nn.Module, relu: bool = True
    ) -> None:
        super().__init__()
        self.layer, self.norm, self.relu = layer, norm, relu
        self.after = nn.Sequential(*after)

    def forward(self, f: Tensor) -> Tensor:
        f = self.norm(self.layer(f))
        found: Tensor = self.after(f.relu() if self.relu else f)
        return found


def pool_coset(f: Tensor) -> Tensor:
    """The greatest of all poses: [n c h y x] to [n c y x]; what turned f moves no more."""
    return f.amax(2)


def seed_dropout(
    network: nn.Module, generator: Generator | None, batch: tuple[int, slice] | None = None
) -> None:
    """Let every dropout of the network draw from this generator, for a part of a batch or all."""
    for module in network.modules():
        if isinstance(module, Dropout):
            module.generator, module.batch = generator, batch


def scale_dropout(network: nn.Module, share: float) -> None:
    """Use so much of every dropout's rate."""
    for module in network.modules():
        if isinstance(module, Dropout):
            module.rate *= share
