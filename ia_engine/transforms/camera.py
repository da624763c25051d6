"""Camera and lighting effects: lens distortion, motion blur, illumination, shadow, JPEG.

Random patterns depend on a seed, which is one of the coordinates, and not on kornia's random state.
A recorded pose therefore reproduces its image.
"""

import math
from typing import Final

import torch
from kornia.contrib import diamond_square
from kornia.enhance import jpeg_codec_differentiable
from kornia.filters import motion_blur
from torch import Tensor

from ia_engine.images import Field, Images, Poses, check_axes, pixel_grid
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Transform, Warp
from ia_engine.transforms.noise import SEED, seeded_generators

# Below -1/3, a lens would fold the corners of the canvas inwards.
RADIAL = Range("k", -0.3, 1, "radial distortion: barrel if positive, pincushion if negative")
LENGTH = Range("l", 0, 31, "length of the motion blur, rounded down to an odd number", "px")
DIRECTION = Range(
    "φ",
    -math.pi / 2,
    math.pi / 2,
    "direction of the motion blur, anticlockwise from the horizontal",
    "rad",
)
GRADIENT = Range(
    "g", -1, 1, "change of brightness from the centre to the bottom edge, then to the right edge"
)
DEPTH = Range("s", 0, 1, "share of the light that the shadow removes")
COVER = Range("a", 0, 1, "share of the canvas that the shadow covers")
COMPRESSION = Range(
    "c", 0, 99, "100 minus the JPEG quality, rounded to an integer; 0: no compression"
)

ROUGHNESS: Final = 0.4
"""Roughness of the shadow's fractal edge, from 0 (smooth) to 1."""
PENUMBRA: Final = 0.02
"""Width of the soft edge of a shadow, as a share of the canvas."""


class Lens(Warp):
    """Lens distortion with coordinate k: τ(p) = (1 + k |p|²/R²) p, where R is half the diagonal of
    the canvas.

    This is the first radial term of the Brown-Conrady model; a large k looks like a fisheye lens.
    """

    name = "lens"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("radial", RADIAL, typical=0.8),)

    def field(self, tau: Poses, height: int, width: int) -> Field:
        points = pixel_grid(height, width, tau)
        r2 = points.square().sum(-1, keepdim=True)
        corner = max((height - 1) ** 2 + (width - 1) ** 2, 1) / 4
        return points * (1 + tau[:, :, None, None] * (r2 / corner))


class MotionBlur(Transform):
    """Blur along a line, with coordinates (length, direction). Values outside the canvas are 0.

    The gradient with respect to the direction is that of kornia's kernel; with respect to the
    length, it is 0.
    """

    name = "motion-blur"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("length", LENGTH), Coordinates("direction", DIRECTION, typical=1.0))

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} 2", "tau")
        lengths = 1 + 2 * ((tau[:, 0].detach() - 1).clamp_min(0) / 2).long()
        for length in lengths.unique().tolist():
            if length > 1:
                rows = (lengths == length).nonzero()[:, 0]
                degrees = tau[rows, 1].rad2deg()
                uniform = torch.zeros_like(degrees)
                part = motion_blur(v[rows], length, degrees, uniform, "constant", "bilinear")
                v = v.index_copy(0, rows, part)
        return v


class Illumination(Transform):
    """Multiplication of v by a linear brightness ≥ 0 that is 1 at the centre, with coordinates
    (g_p, g_q)."""

    name = "illumination"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("gradient", GRADIENT, count=2, typical=0.8),)

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} 2", "tau")
        size = v.new_tensor([v.shape[-2], v.shape[-1]])
        points = pixel_grid(v.shape[-2], v.shape[-1], v) / (size / 2)
        brightness = 1 + (points * tau[:, None, None]).sum(-1)
        return v * brightness.clamp_min(0)[:, None]


class Shadow(Transform):
    """Multiplication of v by a fractal shadow (diamond-square algorithm), with coordinates (depth,
    cover, seed).

    The depth and the cover have gradients; the gradient with respect to the seed is 0.
    """

    name = "shadow"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (
            Coordinates("depth", DEPTH, typical=0.8),
            Coordinates("cover", COVER, typical=0.7),
            Coordinates("seed", SEED),
        )

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} 3", "tau")
        if v.numel() == 0:
            return v
        depth, cover = tau[:, :2, None, None, None].unbind(1)
        rank = _rank_fractal(tau[:, 2], v.shape[-2], v.shape[-1]).to(v)
        return v * (1 - depth * ((cover - rank) / PENUMBRA).sigmoid())


class Jpeg(Transform):
    """JPEG compression of three channels, or of each channel as grey, with the strength of the
    compression as its coordinate.

    kornia's codec uses soft rounding, so there is a gradient with respect to the pixels; there is
    none with respect to the coordinate.
    """

    name = "jpeg"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("compression", COMPRESSION, typical=0.95),)

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} 1", "tau")
        compression = tau[:, 0].detach().round().clamp(COMPRESSION.low, COMPRESSION.high)
        rows = compression.nonzero()[:, 0]
        if not len(rows) or v.numel() == 0:
            return v
        quality = (100 - compression[rows]).to(v)
        grey = v.shape[1] != 3
        planes = v[rows].flatten(0, 1)[:, None].expand(-1, 3, -1, -1) if grey else v[rows]
        with v.device:  # kornia creates tensors on the default device
            coded = jpeg_codec_differentiable(
                planes.clamp(0, 1), quality.repeat_interleave(len(planes) // len(rows))
            )
        part = coded[:, 0].unflatten(0, (len(rows), v.shape[1])) if grey else coded
        return v.index_copy(0, rows, part)


def _rank_fractal(seeds: Tensor, height: int, width: int) -> Tensor:
    """Return fractal patterns [n 1 h w] on the CPU; each value is the fraction of smaller values in
    its pattern."""
    generators = list(seeded_generators(seeds))

    def draw(shape: torch.Size, device: torch.device, dtype: torch.dtype) -> Tensor:
        parts = [
            torch.rand(shape[1:], generator=generator, device=device, dtype=dtype)
            for generator in generators
        ]
        return torch.stack(parts)

    fractal = diamond_square(
        (len(generators), 1, height, width),
        torch.tensor(ROUGHNESS, device="cpu"),
        torch.ones((), device="cpu"),
        draw,
        device=torch.device("cpu"),
        dtype=torch.float32,
    )
    order = fractal.flatten(1).argsort(dim=1, stable=True).argsort(dim=1)
    return ((order + 0.5) / (height * width)).view(-1, 1, height, width)
