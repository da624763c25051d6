"""Admissible poses: a distance is the minimum over a bounded part of a group.

A map is admissible if both singular values of its derivative at the centre lie within SCALES and no
sampled point is closer to the horizon than SCALES[0]. The derivative is the sum of q times a
rotation and r times a reflection; its singular values are q + r and q - r.
"""

import torch
from torch import Tensor

from ia_engine.images import Homography

SCALES = (2 / 3, 3 / 2)
"""Smallest and largest admissible scale of an image."""
ROUND = 1e-6
"""Tolerance within which a pose on the boundary counts as admissible."""
TINY = 1e-12


def admits(matrix: Homography, half: Tensor) -> Tensor:
    """Return a mask of the maps [...] that are admissible for points within ±half [... 2] px of the
    centre."""
    linear, _, tilt = _split(matrix)
    q, r = (part.norm(dim=-1) for part in _turns(linear))
    low, high = SCALES[0] - ROUND, SCALES[1] + ROUND
    return (q - r >= low) & (q + r <= high) & ((tilt.abs() * half).sum(-1) <= 1 - low)


def confine(matrix: Homography, half: Tensor) -> Homography:
    """Make maps admissible: clip their scales, and reduce their tilt so that the horizon is far
    enough away."""
    linear, shift, tilt = _split(matrix)
    turn, mirrored = _turns(linear)
    q, r = (part.norm(dim=-1, keepdim=True) for part in (turn, mirrored))
    large, small = ((q + r).clamp(*SCALES), (q - r).clamp(*SCALES))
    a, b = (turn * ((large + small) / (2 * q).clamp_min(TINY))).unbind(-1)
    c, d = (mirrored * ((large - small) / (2 * r).clamp_min(TINY))).unbind(-1)
    linear = torch.stack([a + c, b + d, d - b, a - c], -1).unflatten(-1, (2, 2))
    near, far = (tilt.abs() * half).sum(-1, keepdim=True), 1 - SCALES[0]
    tilt = (tilt * (far / near.clamp_min(far)))[..., None, :]
    top = torch.cat([linear + shift[..., None] @ tilt, shift[..., None]], -1)
    return torch.cat([top, torch.cat([tilt, torch.ones_like(tilt[..., :1])], -1)], -2)


def flatten(matrix: Homography) -> Homography:
    """Return the affine maps that have the same value and derivative at the centre."""
    linear, shift, tilt = _split(matrix)
    top = torch.cat([linear, shift[..., None]], -1)
    bottom = torch.cat([torch.zeros_like(tilt), torch.ones_like(tilt[..., :1])], -1)
    return torch.cat([top, bottom[..., None, :]], -2)


def _split(matrix: Homography) -> tuple[Tensor, Tensor, Tensor]:
    """Return the derivative at the centre, the position to which the centre is mapped, and the
    tilt."""
    matrix = matrix / matrix[..., 2:, 2:]
    shift, tilt = matrix[..., :2, 2], matrix[..., 2, :2]
    return matrix[..., :2, :2] - shift[..., None] * tilt[..., None, :], shift, tilt


def _turns(linear: Tensor) -> tuple[Tensor, Tensor]:
    """Return (a, b) and (c, d) such that the derivative is ((a, b), (-b, a)) + ((c, d), (d,
    -c))."""
    pp, pq, qp, qq = linear.flatten(-2).unbind(-1)
    turn = torch.stack([pp + qq, pq - qp], -1) / 2
    return turn, torch.stack([pp - qq, pq + qp], -1) / 2
