"""The paper's networks, built from layers with one kind of attention.

- Rotated digits (section 4.1): seven layers without padding, from 28 px to 1 px.
- All-CNN-C (section 4.2): nine convolutions; exactly equivariant if stride 2 is replaced with
  stride 1 and pooling.
- ResNet44 (section 4.2): three stages of seven residual blocks, with two layers each.
- DenseNet for PCam (section 4.3): five dense layers without padding, with pooling in between.
  Attention windows are 7×7, and 5×5 or 3×3 on small maps. With these sizes, and with two
  channels between W1 and W2, the number of parameters agrees with Table 3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import torch
from torch import Generator, Tensor, nn

from ia_engine.equivariant.attention import (
    AttendedInput,
    InputAttention,
    PoseAttention,
    ResponseAttention,
    ResponseChannels,
    ResponsePlaces,
)
from ia_engine.equivariant.groups import FiniteGroup
from ia_engine.equivariant.layers import (
    Block,
    Convolution,
    Device,
    Dropout,
    GroupBatchNorm,
    Layer,
    MaxPool,
    MeanPool,
    PlainLayer,
    pool_coset,
)
from ia_engine.errors import EngineError

ATTENTIONS: Final = ("none", "rh", "ch", "sp", "f", "full")


@dataclass(frozen=True, eq=False)
class Builder:
    """Builds the layers of one network, whose weights are drawn from a generator."""

    group: FiniteGroup
    attention: str = "none"
    hidden: Callable[[int], int] = lambda channels: max(1, channels // 2)
    """Number of channels between W1 and W2, as a function of the number of input channels."""
    generator: Generator | None = None
    device: Device = None
    dtype: torch.dtype | None = None

    def __post_init__(self) -> None:
        if self.attention not in ATTENTIONS:
            raise EngineError(
                f"attention must be one of {', '.join(ATTENTIONS)}; got {self.attention!r}"
            )

    def lift(
        self, source: int, filters: int, kernel: int, *, padding: int = 0, window: int = 7
    ) -> Layer:
        """Return a lifting layer, which maps a picture [n c 1 y x] to the group."""
        return self._attend(source, filters, self._convolve(source, filters, kernel, 1, padding,
                            lifts=True), window, lifts=True)  # fmt: skip

    def convolve(
        self,
        source: int,
        filters: int,
        kernel: int,
        *,
        stride: int = 1,
        padding: int = 0,
        window: int = 7,
    ) -> Layer:
        """Return a layer that maps the group to the group, with attention windows of window²
        pixels."""
        convolution = self._convolve(source, filters, kernel, stride, padding, lifts=False)
        return self._attend(source, filters, convolution, window, lifts=False)

    def normalise(self, channels: int) -> GroupBatchNorm:
        return GroupBatchNorm(channels, self.device, self.dtype)

    def _convolve(
        self, source: int, filters: int, kernel: int, stride: int, padding: int, *, lifts: bool
    ) -> Convolution:
        return Convolution(
            self.group,
            source,
            filters,
            kernel,
            lifts=lifts,
            stride=stride,
            padding=padding,
            generator=self.generator,
            device=self.device,
            dtype=self.dtype,
        )

    def _attend(
        self, source: int, filters: int, convolution: Convolution, window: int, *, lifts: bool
    ) -> Layer:
        if self.attention == "none":
            return PlainLayer(convolution)
        if self.attention in ("rh", "f"):
            return AttendedInput(self._to_input(source, window, lifts), convolution)
        places = channels = None
        if self.attention != "sp":
            channels = ResponseChannels(
                self.group, source, filters, self.hidden(source), lifts=lifts,
                generator=self.generator, device=self.device, dtype=self.dtype,
            )  # fmt: skip
        if self.attention != "ch":
            places = ResponsePlaces(
                self.group, filters, window, lifts=lifts,
                generator=self.generator, device=self.device, dtype=self.dtype,
            )  # fmt: skip
        return ResponseAttention(convolution, channels, places)

    def _to_input(self, source: int, window: int, lifts: bool) -> InputAttention | PoseAttention:
        if self.attention == "rh":
            return PoseAttention(
                self.group, source, lifts=lifts,
                generator=self.generator, device=self.device, dtype=self.dtype,
            )  # fmt: skip
        return InputAttention(
            self.group, source, self.hidden(source), window, lifts=lifts,
            generator=self.generator, device=self.device, dtype=self.dtype,
        )  # fmt: skip


DROPPED = (1, 3, 4, 5, 6)
RATE = 0.3
SIDE = 28


class RotatedCnn(nn.Module):
    """The network for rotated digits. The sides of its maps are 28 → 26 → 24 → (pooling) 12 → 10 →
    8 → 6 → 4 → 1; then the maximum over all poses is taken."""

    def __init__(self, build: Builder, channels: int, classes: int = 10, source: int = 1) -> None:
        super().__init__()
        blocks = [
            Block(
                build.convolve(channels, channels, 3) if k > 1 else build.lift(source, channels, 3),
                build.normalise(channels),
                *([MaxPool()] if k == 2 else []),
                *([Dropout(RATE)] if k in DROPPED else []),
            )
            for k in range(1, 7)
        ]
        self.blocks = nn.Sequential(*blocks)
        self.head = build.convolve(channels, classes, 4)

    def forward(self, v: Tensor) -> Tensor:
        return pool_coset(self.head(self.blocks(v[:, :, None]))).flatten(1)


DROPOUT = 0.5


class AllCnn(nn.Module):
    """All-CNN-C: three narrow layers, five wide layers, and a layer with one channel per class.

    The third and the sixth layer halve the resolution.
    """

    def __init__(
        self, build: Builder, narrow: int, wide: int, exact: bool = True, classes: int = 10
    ) -> None:
        super().__init__()
        stride = 1 if exact else 2
        pool = [MaxPool()] if exact else []

        def block(source: int, filters: int, kernel: int = 3, padding: int = 1) -> Block:
            layer = build.convolve(source, filters, kernel, padding=padding)
            return Block(layer, build.normalise(filters))

        def halve(channels: int) -> Block:
            layer = build.convolve(channels, channels, 3, stride=stride, padding=1)
            return Block(layer, build.normalise(channels), *pool, Dropout(DROPOUT))

        last = build.convolve(wide, classes, 1)
        self.blocks = nn.Sequential(
            Block(build.lift(3, narrow, 3, padding=1), build.normalise(narrow)),
            block(narrow, narrow),
            halve(narrow),
            block(narrow, wide),
            block(wide, wide),
            halve(wide),
            block(wide, wide, padding=0),
            block(wide, wide, kernel=1, padding=0),
            Block(last, build.normalise(classes), relu=False),
        )

    def forward(self, v: Tensor) -> Tensor:
        return pool_coset(self.blocks(v[:, :, None])).mean((2, 3))


BLOCKS = 7


class ResidualBlock(nn.Module):
    """Two layers and a shortcut, which is a 1×1 layer if the number of channels or the size
    changes."""

    def __init__(self, build: Builder, source: int, filters: int, exact: bool) -> None:
        super().__init__()
        widens = source != filters
        stride = 2 if widens and not exact else 1
        pool = [MaxPool()] if widens and exact else []
        self.first = Block(
            build.convolve(source, filters, 3, stride=stride, padding=1),
            build.normalise(filters),
            *pool,
        )
        second = build.convolve(filters, filters, 3, padding=1)
        self.second = Block(second, build.normalise(filters), relu=False)
        shortcut = [build.convolve(source, filters, 1, stride=stride), *pool] if widens else []
        self.shortcut = nn.Sequential(*shortcut)

    def forward(self, f: Tensor) -> Tensor:
        found: Tensor = self.second(self.first(f)) + self.shortcut(f)
        return found.relu()


class ResNet(nn.Module):
    """One layer, three stages of increasing width, and a 1×1 layer for the classes."""

    def __init__(
        self, build: Builder, widths: tuple[int, ...], exact: bool = True, classes: int = 10
    ) -> None:
        super().__init__()
        start = Block(build.lift(3, widths[0], 3, padding=1), build.normalise(widths[0]))
        sources = [widths[0], *(width for width in widths for _ in range(BLOCKS))]
        pairs = pairwise(sources)
        stages = [ResidualBlock(build, source, filters, exact) for source, filters in pairs]
        self.blocks = nn.Sequential(start, *stages)
        self.head = build.convolve(widths[-1], classes, 1)

    def forward(self, v: Tensor) -> Tensor:
        f = self.blocks(v[:, :, None]).mean((3, 4), keepdim=True)
        return pool_coset(self.head(f)).flatten(1)


DEPTH = 5
LAST_WINDOW, HEAD_WINDOW = 5, 3


class NormFirst(nn.Module):
    """Batch normalisation and ReLU, followed by a layer."""

    def __init__(self, build: Builder, channels: int, layer: Layer) -> None:
        super().__init__()
        self.norm, self.layer = build.normalise(channels), layer

    def forward(self, f: Tensor) -> Tensor:
        found: Tensor = self.layer(self.norm(f).relu())
        return found


class DenseBlock(nn.Module):
    """Appends the output channels of a layer to its input, which is cropped to the same size."""

    def __init__(self, build: Builder, channels: int, growth: int, window: int = 7) -> None:
        super().__init__()
        layer = build.convolve(channels, growth, 3, window=window)
        self.grow = NormFirst(build, channels, layer)

    def forward(self, f: Tensor) -> Tensor:
        return torch.cat([f[..., 1:-1, 1:-1], self.grow(f)], 1)


class DenseNet(nn.Module):
    """The network for PCam. The sides of its maps are 96 → 94 → 92 → 46 → 44 → 22 → 20 → 10 → 8 → 4
    → 2."""

    def __init__(self, build: Builder, growth: int, classes: int = 2) -> None:
        super().__init__()
        parts: list[nn.Module] = [build.lift(3, growth, 3)]
        for k in range(1, DEPTH):
            parts += [DenseBlock(build, k * growth, growth), *_transition(build, (k + 1) * growth)]
        parts.append(DenseBlock(build, DEPTH * growth, growth, LAST_WINDOW))
        self.blocks = nn.Sequential(*parts)
        channels = (DEPTH + 1) * growth
        head = build.convolve(channels, classes, 1, window=HEAD_WINDOW)
        self.head = NormFirst(build, channels, head)

    def forward(self, v: Tensor) -> Tensor:
        return pool_coset(self.head(self.blocks(v[:, :, None]))).mean((2, 3))


def _transition(build: Builder, channels: int) -> tuple[nn.Module, nn.Module]:
    return NormFirst(build, channels, build.convolve(channels, channels, 1)), MeanPool()
