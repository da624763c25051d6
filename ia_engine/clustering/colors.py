"""Colours without learning: the best ones are known, and a predictor need not see any.

min_{w,b} ‖x - (w T(c) + b)‖² is a line fitted in every channel. It commutes with what moves points,
so it comes last, and only poses are left to learn.
"""

from typing import Final

import torch
from torch import Tensor

from ia_engine.shapes import Images

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
