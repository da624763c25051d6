"""How far images are from transformed prototypes: eq. (4) for K-means, eq. (5) for mixtures.

Everything is per pixel, so that sets of different sizes can be compared.

Colours without learning: the best ones are known, and a predictor need not see any.

min_{w,b} ‖x - (w T(c) + b)‖² is a line fitted in every channel. It commutes with what moves points,
so it comes last, and only poses are left to learn.
"""

import math
from typing import Final

import torch
from torch import Tensor

from ia_engine.images import pixel_grid
from ia_engine.shapes import Images, Matrix

LEAST_VARIANCE: Final = 0.25**2
"""σ²_min, which is added to every variance."""
START_VARIANCE: Final = 0.5
NEGLIGIBLE: Final = 1e-6
"""Pairs of a smaller responsibility take no part in the gradient."""


def pixel_weights(focus: float, height: int, width: int, like: Tensor) -> Tensor:
    """[h·w], of mean 1: Gaussian around the centre with this σ [px]; alike for 0."""
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
    """The same where all pixels have one variance, of squared errors; σ²_min is in it."""
    return -0.5 * (errors / variance + (2 * math.pi * variance).log())


def log_joint(density: Matrix, eta: Tensor, pixels: int) -> Matrix:
    """log π_k G(x_i) [n k], in whole nats: π = softmax(η)."""
    return pixels * density + eta.log_softmax(0)


def responsibilities(joint: Matrix) -> Matrix:
    """γ_ki, the E-step: rows sum to 1."""
    return joint.softmax(1)


FLAT: Final = 1e-4
"""A channel of less variance is lifted rather than stretched."""
LEAST_SPREAD: Final = 1e-2


def fit_colors(images: Images, found: Images, weights: Tensor) -> Images:
    """found, each channel multiplied and lifted so that it lies nearest to the images' own.

    The gradient is that of the fitted error: at the best w and b their own change does not count.
    """
    share = weights / len(weights)
    x, m = images.detach().flatten(2), found.detach().flatten(2)
    level, own = x @ share, m @ share
    together, spread = (x * m) @ share - level * own, (m * m) @ share - own.square()
    scale = together / (spread + FLAT)
    lift = level - scale * own
    return scale[..., None, None] * found + lift[..., None, None]


def forget_colors(images: Images) -> Images:
    """Every channel with mean 0 and spread 1, its few far values up: no colours change this."""
    v = images - images.mean((2, 3), keepdim=True)
    v = v / (v.square().mean((2, 3), keepdim=True).sqrt() + LEAST_SPREAD)
    return torch.where(v.pow(3).mean((2, 3), keepdim=True) < 0, -v, v)
