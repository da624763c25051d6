"""A tiny vision transformer with softmax attention or invariant attention.

Its tokens are patches in t rotations, [b n t c]; for the plain transformer, t = 1.
"""

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor, nn

from ia_engine.attention.layer.layer import InvariantAttention, Views
from ia_engine.attention.layer.views import PatchViews, cut_patches
from ia_engine.errors import EngineError
from ia_engine.images import Images, check_axes, pixel_grid
from ia_engine.params import Config, Range

Device = torch.device | str | None


@dataclass(frozen=True)
class VisionConfig(Config):
    """Settings of both networks; only the invariant network uses the number of rotations."""

    image: Annotated[int, Range("w", 4, 256, "width and height of an image", "px")] = 16
    channels: Annotated[int, Range("c", 1, 64, "number of channels of an image")] = 1
    classes: Annotated[int, Range("k", 2, 1000, "number of classes")] = 10
    patch: Annotated[int, Range("s", 2, 64, "width and height of a patch", "px")] = 10
    stride: Annotated[int, Range("Δ", 1, 64, "distance between neighbouring patches", "px")] = 3
    features: Annotated[int, Range("d", 4, 1024, "number of features of a token")] = 32
    heads: Annotated[
        int, Range("h", 1, 64, "number of attention heads; must divide the number of features")
    ] = 4
    hidden: Annotated[
        int, Range("d'", 4, 4096, "number of units between the two linear maps of a block")
    ] = 64
    depth: Annotated[int, Range("l", 1, 24, "number of blocks")] = 2
    turns: Annotated[
        int, Range("t", 1, 64, "number of rotations of each patch: 1 or a multiple of 4")
    ] = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.patch > self.image:
            raise EngineError(
                f"patch must be at most {self.image} px, the size of the image; got {self.patch} px"
            )
        if self.features % self.heads:
            raise EngineError(
                f"features must be a multiple of heads, {self.heads}; got {self.features}"
            )
        if self.turns > 1 and self.turns % 4:
            raise EngineError(
                "turns must be 1 or a multiple of 4, so that they include rotations by 90°; got "
                f"{self.turns}"
            )

    @property
    def side(self) -> int:
        """Number of patches per row."""
        return (self.image - self.patch) // self.stride + 1


class TransformerBlock(nn.Module):
    """Attention, followed by an MLP for every token, both with residual connections."""

    def __init__(self, attention: nn.Module, features: int, hidden: int, device: Device) -> None:
        super().__init__()
        self.attention = nn.Sequential(nn.LayerNorm(features, device=device), attention)
        self.mlp = nn.Sequential(
            nn.LayerNorm(features, device=device),
            nn.Linear(features, hidden, device=device),
            nn.GELU(),
            nn.Linear(hidden, features, device=device),
        )

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(x)
        return x + self.mlp(x)


class SoftmaxAttention(nn.Module):
    """Dot-product self-attention between patches, separately for each rotation."""

    def __init__(self, features: int, heads: int, device: Device) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(features, heads, batch_first=True, device=device)

    def forward(self, x: Views) -> Views:
        turned = x.transpose(1, 2).flatten(0, 1)
        mean: Tensor = self.attention(turned, turned, turned, need_weights=False)[0]
        return mean.unflatten(0, (len(x), x.shape[2])).transpose(1, 2)


class PatchTokens(nn.Module):
    """A linear map of every patch, and a learned vector for its position: [b n 1 c]."""

    def __init__(self, config: VisionConfig, device: Device) -> None:
        super().__init__()
        self.config = config
        pixels = config.channels * config.patch**2
        self.embed = nn.Linear(pixels, config.features, device=device)
        shape = (config.side**2, config.features)
        self.place = nn.Parameter(0.02 * torch.randn(shape, device=device))

    def forward(self, v: Images) -> Views:
        patches = cut_patches(v, self.config.patch, self.config.stride)
        return (self.embed(patches.flatten(2)) + self.place)[:, :, None]


class TurnedTokens(nn.Module):
    """The views of every patch, plus its position in the image rotated by the same angle: [b n t
    c]."""

    def __init__(self, config: VisionConfig, device: Device) -> None:
        super().__init__()
        self.config = config
        self.views = PatchViews(
            config.channels, config.patch, config.features, config.turns, device=device
        )
        places = turned_places(config, self.views.bias)
        self.register_buffer("places", places, persistent=False)
        self.place = nn.Linear(places.shape[-1], config.features, bias=False, device=device)

    def forward(self, v: Images) -> Views:
        patches = cut_patches(v, self.config.patch, self.config.stride)
        views: Tensor = self.views(patches)
        return views + self.place(self.places)


class VisionTransformer(nn.Module):
    """Tokens, blocks, the mean over the patches, the maximum over the rotations, and a linear
    classifier."""

    def __init__(
        self, tokens: nn.Module, attention: list[nn.Module], config: VisionConfig, device: Device
    ) -> None:
        super().__init__()
        features = config.features
        self.tokens = tokens
        blocks = (TransformerBlock(part, features, config.hidden, device) for part in attention)
        self.blocks = nn.Sequential(*blocks, nn.LayerNorm(features, device=device))
        self.classify = nn.Linear(features, config.classes, device=device)

    def forward(self, v: Images) -> Tensor:
        check_axes(v, "n c h w", "v")
        x = self.blocks(self.tokens(v)).mean(1).amax(1)
        logits: Tensor = self.classify(x)
        return logits


def turned_places(config: VisionConfig, like: Tensor) -> Tensor:
    """Return features [n t 5] of the position of each patch's centre, for every angle by which the
    image is rotated.

    The features are p, q, p² - q², 2pq and p² + q², in half widths of the image. A linear map of
    them is a paraboloid.
    """
    side, turns = config.side, config.turns
    centres = pixel_grid(side, side, like).flatten(0, 1) * (2 * config.stride / config.image)
    angles = torch.arange(turns, device=like.device, dtype=like.dtype) * (2 * torch.pi / turns)
    cos, sin = angles.cos(), angles.sin()
    p, q = centres[:, None].unbind(-1)
    p, q = cos * p - sin * q, sin * p + cos * q
    return torch.stack([p, q, p * p - q * q, 2 * p * q, p * p + q * q], -1)


def build_plain(config: VisionConfig, device: Device = None) -> VisionTransformer:
    """Return a network with patch embedding, position embedding and softmax attention."""
    return VisionTransformer(PatchTokens(config, device), _softmax(config, device), config, device)


def build_invariant(config: VisionConfig, device: Device = None) -> VisionTransformer:
    """Return a network with invariant attention, whose tokens are patches in every rotation with
    rotated positions."""
    attention: list[nn.Module] = [
        InvariantAttention(config.features, config.heads, device=device)
        for _ in range(config.depth)
    ]
    return VisionTransformer(TurnedTokens(config, device), attention, config, device)


def build_unaligned(config: VisionConfig, device: Device = None) -> VisionTransformer:
    """Return a network whose tokens are patches in every rotation, with softmax attention within
    each rotation only."""
    return VisionTransformer(TurnedTokens(config, device), _softmax(config, device), config, device)


def _softmax(config: VisionConfig, device: Device) -> list[nn.Module]:
    return [SoftmaxAttention(config.features, config.heads, device) for _ in range(config.depth)]
