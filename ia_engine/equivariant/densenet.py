"""The DenseNet for PCam (section 4.3): five dense layers without padding, halved in between.

Attention looks through 7×7 places, and through 5×5 and 3×3 where the map is that small: with these
windows, and two channels between W1 and W2, the parameters are as many as in Table 3.
"""

import torch
from torch import Tensor, nn

from ia_engine.equivariant.builder import Builder
from ia_engine.equivariant.layers import Layer, MeanPool, pool_coset

DEPTH = 5
LAST_WINDOW, HEAD_WINDOW = 5, 3


class NormFirst(nn.Module):
    """Batch normalisation, ReLU, then the layer."""

    def __init__(self, build: Builder, channels: int, layer: Layer) -> None:
        super().__init__()
        self.norm, self.layer = build.normalise(channels), layer

    def forward(self, f: Tensor) -> Tensor:
        found: Tensor = self.layer(self.norm(f).relu())
        return found


class DenseBlock(nn.Module):
    """A layer's channels are added to those that came, whose rim is cut off."""

    def __init__(self, build: Builder, channels: int, growth: int, window: int = 7) -> None:
        super().__init__()
        layer = build.convolve(channels, growth, 3, window=window)
        self.grow = NormFirst(build, channels, layer)

    def forward(self, f: Tensor) -> Tensor:
        return torch.cat([f[..., 1:-1, 1:-1], self.grow(f)], 1)


class DenseNet(nn.Module):
    """96 → 94 → 92 → 46 → 44 → 22 → 20 → 10 → 8 → 4 → 2."""

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
