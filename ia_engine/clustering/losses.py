"""How far images are from transformed prototypes: eq. (4) for K-means, eq. (5) for mixtures.

Everything is per pixel, so that sets of different sizes can be compared.
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
