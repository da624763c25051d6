"""Losses of images and transformed prototypes: eq. (4) for K-means, eq. (5) for mixtures.

All values are per pixel, so that sets with different image sizes can be compared.

Fitted colours: min_{w,b} ‖x - (w T(c) + b)‖² is a linear fit in every channel. It commutes with
spatial transformations, so it is applied last, and only poses have to be learned.
"""

import math
from typing import Final

import torch
from torch import Tensor

from ia_engine.images import pixel_grid
from ia_engine.shapes import Images, Matrix

LEAST_VARIANCE: Final = 0.25**2
"""σ²_min, added to every variance."""
START_VARIANCE: Final = 0.5
NEGLIGIBLE: Final = 1e-6
"""Pairs with a smaller responsibility are omitted from the gradient."""


def pixel_weights(focus: float, height: int, width: int, like: Tensor) -> Tensor:
    """[h·w] with mean 1: a Gaussian around the centre with this σ [px]; uniform for 0."""
    if focus <= 0:
        return torch.ones(height * width, device=like.device, dtype=like.dtype)
    r2 = pixel_grid(height, width, like).square().sum(-1).flatten()
    weights = (-r2 / (2 * focus**2)).exp()
    return weights / weights.mean()


def mean_over_pixels(x: Images, weights: Tensor) -> Tensor:
    """The weighted mean over all pixels and channels, [n]."""
    return x.mean(1).flatten(1) @ (weights / len(weights))


def squared_error(images: Images, found: Images, weights: Tensor) -> Tensor:
    """‖x_i - T(c)‖² per pixel, [n]."""
    return mean_over_pixels((images - found).square(), weights)


def log_density(images: Images, mean: Images, variance: Images, weights: Tensor) -> Tensor:
    """log G(x_i; μ̃, Σ̃) per pixel, [n]; σ²_min is already in the variance."""
    terms = (images - mean).square() / variance + variance.log()
    return -0.5 * (mean_over_pixels(terms, weights) + math.log(2 * math.pi))


def even_density(errors: Tensor, variance: Tensor) -> Tensor:
    """Like `log_density`, but from squared errors and with one variance for all pixels; σ²_min is
    included."""
    return -0.5 * (errors / variance + (2 * math.pi * variance).log())


def log_joint(density: Matrix, eta: Tensor, pixels: int) -> Matrix:
    """log π_k G(x_i) [n k] in nats, with π = softmax(η)."""
    return pixels * density + eta.log_softmax(0)


def responsibilities(joint: Matrix) -> Matrix:
    """γ_ki, the E-step: rows sum to 1."""
    return joint.softmax(1)


FLAT: Final = 1e-4
"""Channels with less variance are shifted but not scaled."""
LEAST_SPREAD: Final = 1e-2


def fit_colors(images: Images, found: Images, weights: Tensor) -> Images:
    """found, with each channel scaled and shifted to fit the images best.

    The gradient is that of the fitted error: at the optimum, the derivatives with respect to w and
    b are 0.
    """
    share = weights / len(weights)
    x, m = images.detach().flatten(2), found.detach().flatten(2)
    level, own = x @ share, m @ share
    together, spread = (x * m) @ share - level * own, (m * m) @ share - own.square()
    scale = together / (spread + FLAT)
    lift = level - scale * own
    return scale[..., None, None] * found + lift[..., None, None]


def forget_colors(images: Images) -> Images:
    """Normalise every channel to mean 0, spread 1 and positive skew, so that colours do not
    matter."""
    v = images - images.mean((2, 3), keepdim=True)
    v = v / (v.square().mean((2, 3), keepdim=True).sqrt() + LEAST_SPREAD)
    return torch.where(v.pow(3).mean((2, 3), keepdim=True) < 0, -v, v)
