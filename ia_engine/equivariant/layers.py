"""Layers of a network: group convolution (eq. 11-13), normalisation, pooling and dropout.

Lifting and group convolutions are convolutions in the plane with filters that are transformed by
every h.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce
from typing import Final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from ia_engine.equivariant.groups import FiniteGroup, indices
from ia_engine.errors import EngineError

Device = torch.device | str | None

TERMS: Final = 200
"""Number of terms that are summed at a time in evaluation mode, because long sums have larger
rounding errors."""


class Convolution(nn.Module):
    """[f ⋆ ψ](x, h) = haar · Σ_c~,h~ [f_c~ ⋆ L_h ψ_c~](x, h~), without a bias."""

    index: Tensor

    def __init__(
        self,
        group: FiniteGroup,
        source: int,
        filters: int,
        kernel: int,
        *,
        lifts: bool,
        stride: int = 1,
        padding: int = 0,
        generator: Generator | None = None,
        device: Device = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        index = indices(group, kernel, lifts)
        self.group, self.haar = group, 1.0 if lifts else group.haar  # a lifting has no sum over H
        self.kernel, self.stride, self.padding = kernel, stride, padding
        self.poses, self.depth = len(index), len(index[0]) // kernel**2
        self.register_buffer("index", torch.tensor(index, device=device), persistent=False)
        fan = source * len(index[0])
        weight = draw(filters, source, len(index[0]), generator=generator, dtype=dtype)
        self.weight = nn.Parameter((weight * (math.sqrt(2 / fan) / self.haar)).to(device))

    @property
    def fibre(self) -> tuple[int, int]:
        """Number of filters and number of group elements, [o h]."""
        return len(self.weight), self.poses

    def turned(self) -> Tensor:
        """Return the filters transformed by every element, multiplied by the Haar measure: [o h i
        h~ k k]."""
        filters, source, _ = self.weight.shape
        turned = turn_filters(self.weight, self.index) * self.haar
        shape = (filters, self.poses, source, self.depth, self.kernel, self.kernel)
        return turned.view(shape)

    def forward(self, f: Tensor) -> Tensor:
        """Convolve f [n i h~ y x]; the result is [n o h y x]."""
        if f.ndim != 5 or f.shape[1:3] != (self.weight.shape[1], self.depth):
            raise EngineError(
                f"f must have the axes [n {self.weight.shape[1]} {self.depth} y x]; got "
                f"{tuple(f.shape)}"
            )
        weight = self.turned().flatten(2, 3).flatten(0, 1)
        # In training, rounding does not matter, and a step of α_F would take a fifth longer.
        parts = 1 if self.training else -(-weight[0].numel() // TERMS)
        some = zip(*(x.chunk(parts, 1) for x in (f.flatten(1, 2), weight)), strict=True)
        found = reduce(torch.add, (self._convolve(x, filters) for x, filters in some))
        return found.unflatten(1, (-1, self.poses))

    def each_pose(self, f: Tensor) -> Tensor:
        """Lift f [n i h y x], which contains a separate picture for each pose h, to [n o h y x]."""
        weight = self.turned().transpose(0, 1)[:, :, :, 0].flatten(0, 1)
        found = self._convolve(f.transpose(1, 2).flatten(1, 2), weight, self.poses)
        return found.unflatten(1, (self.poses, -1)).transpose(1, 2)

    def _convolve(self, f: Tensor, weight: Tensor, groups: int = 1) -> Tensor:
        return functional.conv2d(f, weight, None, self.stride, self.padding, 1, groups)


def turn_filters(weight: Tensor, index: Tensor) -> Tensor:
    """Apply every L_h to filters [o i h~kk] on the group or on the plane; the result is [o h i
    h~kk]."""
    turned = weight.index_select(2, index.flatten())
    return turned.unflatten(2, index.shape).transpose(1, 2).contiguous()


def draw(*shape: int, generator: Generator | None, dtype: torch.dtype | None = None) -> Tensor:
    """Draw normally distributed numbers, on the CPU so that they do not depend on the device."""
    return torch.randn(shape, generator=generator, dtype=dtype, device="cpu")


EPSILON = 2e-5
"""Number that batch normalisation adds to the variance (appendix B.1)."""


@dataclass(frozen=True, eq=False)
class Maps:
    """The two factors of α⁻ = α_X·α_C, the fraction of the features that is subtracted.

    For attention to the input, α_X is [n h y x] and α_C is [n c h]. For attention to the responses,
    α_X is [n h~ o h y x] and α_C is [n i h~ o h]. A missing factor is None and counts as 1.
    """

    spatial: Tensor | None
    channel: Tensor | None


class Layer(nn.Module, ABC):
    """A convolution from [n i h~ y x] to [n o h y x], with or without attention."""

    convolution: Convolution

    @abstractmethod
    def forward(self, f: Tensor) -> Tensor: ...

    @abstractmethod
    def maps(self, f: Tensor) -> Maps | None:
        """Return the attention of the layer to f, or None if the layer has no attention."""


class PlainLayer(Layer):
    """A convolution without attention."""

    def __init__(self, convolution: Convolution) -> None:
        super().__init__()
        self.convolution = convolution

    def forward(self, f: Tensor) -> Tensor:
        found: Tensor = self.convolution(f)
        return found

    def maps(self, f: Tensor) -> Maps | None:
        return None


class GroupBatchNorm(nn.BatchNorm3d):
    """Equivariant batch normalisation: each channel is normalised over the batch, the plane and the
    group."""

    def __init__(
        self, channels: int, device: Device = None, dtype: torch.dtype | None = None
    ) -> None:
        super().__init__(channels, eps=EPSILON, device=device, dtype=dtype)


class Pool(nn.Module, ABC):
    """Pools blocks of 2×2 pixels, in every channel and every pose."""

    def forward(self, f: Tensor) -> Tensor:
        return self.pool(f.flatten(1, 2)).unflatten(1, f.shape[1:3])

    @abstractmethod
    def pool(self, f: Tensor) -> Tensor: ...


class MaxPool(Pool):
    """Takes the maximum of the four pixels."""

    def pool(self, f: Tensor) -> Tensor:
        return functional.max_pool2d(f, 2)


class MeanPool(Pool):
    """Takes the mean of the four pixels."""

    def pool(self, f: Tensor) -> Tensor:
        return functional.avg_pool2d(f, 2)


class Dropout(nn.Module):
    """Dropout with its own random generator, so that runs can be reproduced."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate
        self.generator: Generator | None = None
        self.batch: tuple[int, slice] | None = None
        """Size of the whole batch, and the slice of it that this process computes; None if it
        computes the whole batch."""

    def forward(self, f: Tensor) -> Tensor:
        if not self.training or self.rate == 0:
            return f
        n, part = self.batch or (len(f), slice(None))
        keep = f.new_empty(n, *f.shape[1:]).bernoulli_(1 - self.rate, generator=self.generator)
        return f * keep[part].div_(1 - self.rate)


class Block(nn.Module):
    """A layer, followed by batch normalisation, an optional ReLU, and further modules."""

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
    """Reduce f [n c h y x] to its maximum over all poses [n c y x]."""
    return f.amax(2)


def seed_dropout(
    network: nn.Module, generator: Generator | None, batch: tuple[int, slice] | None = None
) -> None:
    """Set the generator of every dropout layer, for a whole batch or a part of it."""
    for module in network.modules():
        if isinstance(module, Dropout):
            module.generator, module.batch = generator, batch


def scale_dropout(network: nn.Module, share: float) -> None:
    """Multiply the rate of every dropout layer by a factor."""
    for module in network.modules():
        if isinstance(module, Dropout):
            module.rate *= share
