"""Images: the axes of tensors, the pixel convention, sampling, blurring and resizing.

A pixel is a point. Its coordinates (p, q), the row (downwards) and the column, are measured in
pixels from the centre ((h-1)/2, (w-1)/2). Outside the canvas an image is 0. A warp samples the
image at the given coordinates: [v∘τ](p, q) = v(τ(p, q)), as in section 2.1 of Invariant Attention.
"""

import math
from collections.abc import Callable
from typing import Annotated, Final

import torch
from kornia.filters import gaussian_blur2d
from torch import Tensor
from torch.nn import functional

from ia_engine.errors import EngineError

Images = Annotated[Tensor, "n c h w"]
Labels = Annotated[Tensor, "n"]
Poses = Annotated[Tensor, "n p"]
Field = Annotated[Tensor, "n h w 2"]
Matrix = Annotated[Tensor, "n m"]
Homography = Annotated[Tensor, "... 3 3"]
Heat = Annotated[Tensor, "... y x"]


def check_axes(x: Tensor, axes: str, name: str) -> dict[str, int]:
    """Match the shape of x against axes such as "n c h w" or "n h w 2", and return their sizes."""
    wanted = axes.split()
    sizes = list(zip(wanted, x.shape, strict=False))
    wrong = any(axis.isdigit() and int(axis) != size for axis, size in sizes)
    if wrong or x.ndim != len(wanted):
        raise EngineError(f"{name} must have the axes [{axes}]; got {tuple(x.shape)}")
    return dict(sizes)


Interpolation = Callable[[Images, Field], Images]

NARROWEST: Final = 0.02
"""Largest σ [px] at which the Gaussian weight of neighbouring pixels is at most exp(-1250), i.e.
0."""


def pixel_grid(height: int, width: int, like: Tensor) -> Tensor:
    """Return the centred coordinates (p, q) of every pixel, [h w 2], with the device and dtype of
    `like`."""
    p = torch.arange(height, device=like.device, dtype=like.dtype) - (height - 1) / 2
    q = torch.arange(width, device=like.device, dtype=like.dtype) - (width - 1) / 2
    return torch.stack(torch.meshgrid(p, q, indexing="ij"), dim=-1)


def bilinear(v: Images, field: Field) -> Images:
    """Sample v bilinearly at the coordinates in `field` [px]."""
    n, _, height, width = check_axes(v, "n c h w", "v").values()
    check_axes(field, f"{n} h w 2", "field")
    half = field.new_tensor([(height - 1) / 2, (width - 1) / 2]).clamp_min(0.5)
    grid = (field / half).flip(-1)
    if height == 1 or width == 1:  # grid_sample ignores coordinates here
        return _separable(v, field, _hat_weights)
    return functional.grid_sample(v, grid, mode="bilinear", align_corners=True)


def keys(v: Images, field: Field) -> Images:
    """Sample v by Keys' cubic convolution with a = -1/2 (torch's own bicubic has a = -3/4)."""
    return _separable(v, field, keys_weights)


def blur(v: Images, sigma: float) -> Images:
    """Return g_σ * v, with σ in pixels and zeros outside the canvas; v itself if σ ≤ NARROWEST."""
    if sigma <= NARROWEST:
        return v
    radius = math.ceil(4 * sigma)
    # kornia reads the value of σ to check it, which is fast only if the tensor is on the CPU.
    width = torch.tensor([[sigma, sigma]], dtype=v.dtype, device="cpu")
    return gaussian_blur2d(v, 2 * radius + 1, width, border_type="constant")


def resize(v: Images, height: int, width: int) -> Images:
    """Resample the same area with a different number of pixels; pixels are averaged when
    shrinking."""
    shrinks = height < v.shape[-2] or width < v.shape[-1]
    return functional.interpolate(
        v, (height, width), mode="bilinear", align_corners=False, antialias=shrinks
    )


def keys_weights(t: Tensor) -> tuple[Tensor, ...]:
    """Return the weights of the pixels at -1, 0, 1 and 2 for a point at t, where 0 ≤ t < 1."""
    bend = (t - t * t) / 2
    far = bend * t
    return far - bend, 1 - t + 2 * bend - 3 * far, t - bend + 3 * far, -far


def keys_slopes(t: Tensor) -> tuple[Tensor, ...]:
    """Return the derivatives of the four weights of `keys_weights` with respect to t."""
    first, last = (2 - 1.5 * t) * t - 0.5, (1.5 * t - 1) * t
    middle = (4.5 * t - 5) * t
    return first, middle, -first - middle - last, last


def _hat_weights(t: Tensor) -> tuple[Tensor, ...]:
    return 1 - t, t


def _separable(v: Images, field: Field, phi: Callable[[Tensor], tuple[Tensor, ...]]) -> Images:
    """Return Σ_kl v_kl φ(τ_p - k) φ(τ_q - l) over the rows and columns around (τ_p, τ_q)."""
    n, channels, height, width = check_axes(v, "n c h w", "v").values()
    check_axes(field, f"{n} h w 2", "field")
    centre = field.new_tensor([(height - 1) / 2, (width - 1) / 2])
    outside = field.new_tensor([height + 2, width + 2])
    place = torch.minimum((field + centre).clamp_min(-3), outside)
    corner = place.floor()
    rows, columns = (phi(t.flatten(1)[:, None]) for t in (place - corner).unbind(-1))
    reach, margin = len(rows) // 2, 3 + len(rows) // 2
    padded = functional.pad(v, (margin,) * 4).flatten(2)
    stride = width + 2 * margin
    p, q = (corner + margin + 1 - reach).long().flatten(1, 2).unbind(-1)
    first = (p * stride + q)[:, None].expand(-1, channels, -1)
    result = torch.zeros_like(first, dtype=v.dtype)
    for k, row in enumerate(rows):
        line = torch.zeros_like(result)
        for m, column in enumerate(columns):
            # All taps use the same index, each in a view of v that begins at its own offset.
            line = torch.addcmul(line, column, padded[..., k * stride + m :].gather(2, first))
        result = torch.addcmul(result, row, line)
    return result.unflatten(2, field.shape[1:3])
