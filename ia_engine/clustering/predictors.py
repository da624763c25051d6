"""Predictors of transformations: encoders (ResNets and a fast CNN) and one head per module.

All weights are drawn from the given generator. Features have the axes [n d]. A head consists of K
predictors, d → 128 → 128 → p, which are computed as batched products. Its last layer starts at 0.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from ia_engine.images import Images


class Encoder(nn.Module):
    """A network that maps images to features [n d]."""

    width: int
    """d, the number of features."""


def build_encoder(
    name: str, channels: int, size: int, like: Tensor, generator: Generator
) -> Encoder:
    """Build an encoder for images with the given number of channels and side length."""
    with torch.device("meta"):  # draw no weights from torch's global generator
        encoder = ENCODERS[name](channels, size)
    encoder.to_empty(device=like.device).to(like.dtype)
    draw_weights(encoder, generator)
    return encoder


def draw_weights(network: nn.Module, generator: Generator) -> None:
    """Apply He's normal initialisation; biases start at 0, and normalisations at the identity."""
    with torch.no_grad():
        for name, x in network.named_parameters():
            if x.ndim > 1:
                x.normal_(0, math.sqrt(2 / x[0].numel()), generator=generator)
            else:
                x.fill_(1.0 if name.endswith("weight") else 0.0)
        for name, buffer in network.named_buffers():
            buffer.fill_(1 if name.endswith("var") else 0)


@final
class Quick(Encoder):
    """Strided 3×3 convolutions down to 4×4 pixels, which preserve positions, followed by a linear
    map."""

    def __init__(self, channels: int, size: int) -> None:
        super().__init__()
        widths = [channels, 16, *[32] * max(2, math.ceil(math.log2(size / 4)) - 1)]
        pairs = pairwise(widths)
        self.layers = nn.ModuleList(nn.Conv2d(a, b, 3, 2, 1) for a, b in pairs)
        self.width = 64
        self.last = nn.Linear(16 * widths[-1], self.width)

    def forward(self, v: Images) -> Tensor:
        for layer in self.layers:
            v = functional.relu(layer(v))
        pooled = v if v.shape[-2:] == (4, 4) else functional.adaptive_avg_pool2d(v, 4)
        return functional.relu(self.last(pooled.flatten(1)))


class EncoderBlock(nn.Module):
    """A residual block: two 3×3 convolutions and a shortcut (He et al.)."""

    def __init__(self, come: int, go: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(come, go, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(go)
        self.second = nn.Conv2d(go, go, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(go)
        same = come == go and stride == 1
        self.short = None if same else nn.Conv2d(come, go, 1, stride, bias=False)
        self.short_norm = None if same else nn.BatchNorm2d(go)

    def forward(self, v: Tensor) -> Tensor:
        x = functional.relu(self.first_norm(self.first(v)))
        x = self.second_norm(self.second(x))
        if self.short is not None and self.short_norm is not None:
            v = self.short_norm(self.short(v))
        return functional.relu(x + v)


@final
class ResNetEncoder(Encoder):
    """A stem, stages of residual blocks with the given widths, and the mean over all positions."""

    def __init__(self, stem: nn.Module, come: int, widths: tuple[int, ...], depth: int) -> None:
        super().__init__()
        self.stem = stem
        blocks = []
        for stage, go in enumerate(widths):
            for block in range(depth):
                stride = 2 if stage and not block else 1
                blocks.append(EncoderBlock(come, go, stride))
                come = go
        self.blocks = nn.Sequential(*blocks)
        self.width = come

    def forward(self, v: Images) -> Tensor:
        return self.blocks(self.stem(v)).mean((2, 3))


def _resnet20(channels: int, size: int) -> ResNetEncoder:
    stem = nn.Sequential(
        nn.Conv2d(channels, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU()
    )
    return ResNetEncoder(stem, 16, (16, 32, 64), 3)


def _resnet18(channels: int, size: int) -> ResNetEncoder:
    stem = nn.Sequential(
        nn.Conv2d(channels, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
    )
    return ResNetEncoder(stem, 64, (64, 128, 256, 512), 2)


ENCODERS: dict[str, Callable[[int, int], Encoder]] = {
    "quick": Quick,
    "resnet20": _resnet20,
    "resnet18": _resnet18,
}


HIDDEN = 128


class Head(nn.Module):
    """The predictors of one module for all K prototypes."""

    def __init__(self, k: int, d: int, p: int, like: Tensor, generator: Generator) -> None:
        super().__init__()
        sizes = ((d, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, p))
        self.weights = nn.ParameterList(like.new_zeros(k, a, b) for a, b in sizes)
        self.biases = nn.ParameterList(like.new_zeros(k, 1, b) for _, b in sizes)
        with torch.no_grad():
            for x in list(self.weights)[:-1]:
                x.normal_(0, math.sqrt(2 / x.shape[1]), generator=generator)

    def forward(self, features: Tensor) -> Tensor:
        """Map features to parameters [k b p]. Features are [b d] if all prototypes share them,
        otherwise [k b d]."""
        x = torch.matmul(features, self.weights[0]) + self.biases[0]
        for weight, bias in zip(list(self.weights)[1:], list(self.biases)[1:], strict=True):
            x = torch.baddbmm(bias, functional.relu(x), weight)
        return x


@dataclass(frozen=True, eq=False)
class SparsePairs:
    """Selected pairs of an image and a prototype, sorted by prototype, and their positions in a
    padded table."""

    rows: Tensor
    """[m]: the image of each pair."""
    columns: Tensor
    """[m]: the prototype of each pair, in ascending order."""
    slots: Tensor
    """[m]: the index of each pair among the pairs of its prototype."""
    table: Tensor
    """[k g]: the images of each prototype, padded with image 0."""

    @classmethod
    def of(
        cls, rows: Tensor, columns: Tensor, weights: Tensor, k: int
    ) -> tuple["SparsePairs", Tensor]:
        """Sort pairs by prototype; also return their weights in the same order."""
        order = columns.argsort(stable=True)
        rows, columns = rows[order], columns[order]
        counts = torch.bincount(columns, minlength=k)
        begins = counts.cumsum(0) - counts
        slots = torch.arange(len(rows), device=rows.device) - begins[columns]
        table = rows.new_zeros(k, int(counts.max()) if len(rows) else 0)
        table[columns, slots] = rows
        return cls(rows, columns, slots, table), weights[order]

    def predict(self, head: Head, features: Tensor) -> Tensor:
        """Return the parameters [m p] of these pairs."""
        return head(features[self.table])[self.columns, self.slots]
