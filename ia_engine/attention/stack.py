"""Alignment of a whole stack of images: to one of them, to their mean, or each to the previous one.

If τ_i warps v_i onto v_{i-1}, and T_{i-1} warps v_{i-1} onto the first image, then T_i =
compose(τ_i, T_{i-1}) warps v_i onto the first image, because act(act(v_i, τ_i), T_{i-1}) = act(v_i,
T_i).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import torch

from ia_engine.attention.distances.nearest import align_pairs
from ia_engine.attention.iteration import normalise
from ia_engine.attention.means.algorithm1 import MeanConfig, find_mean
from ia_engine.errors import EngineError
from ia_engine.images import Homography, Images, Interpolation, Poses, check_axes, keys
from ia_engine.poses.pixels import to_pixel_matrix
from ia_engine.transforms import GROUPS, Group

MEAN: Final = "mean"
PREVIOUS: Final = "previous"


@dataclass(frozen=True, eq=False)
class AlignedStack:
    """The images of a stack in a common pose."""

    images: Images
    """v_i∘τ_i, with unchanged intensities."""
    tau: Poses
    """The pose [n p] of each image; the identity for the image to which the others are aligned."""
    matrices: Homography
    """The same poses in pixel coordinates (`ia_engine.poses`): the matrix [n 3 3] maps a pixel (x,
    y, 1) of the aligned image to the position at which image i is read."""


def align_stack(
    images: Images, group: str, to: int | str = MEAN, sample: Interpolation = keys
) -> AlignedStack:
    """Align images [n c h w] with image `to`, with their mean, or each with the previous image.

    The pose of the mean is that of the image with the smallest distance to the others. With
    "previous", poses are cumulative, so that all images are aligned with the first one; choose it
    for series that change gradually. The background must be 0, as after an upload.

    >>> align_stack(images, "se2", to="previous").tau  # doctest: +SKIP
    """
    n, _, height, width = check_axes(images, "n c h w", "images").values()
    if group not in GROUPS:
        raise EngineError(f"group must be one of {', '.join(GROUPS)}; got {group!r}")
    find = _choose(to, n)
    v, warp = normalise(images), GROUPS[group]
    tau = find(v, group) if n > 1 else warp.identity(n, v)
    matrices = to_pixel_matrix(warp, tau, height, width)
    return AlignedStack(warp.act(images, tau, sample), tau, matrices)


def _choose(to: int | str, n: int) -> Callable[[Images, str], Poses]:
    if to == MEAN:
        return _find_mean_poses
    if to == PREVIOUS:
        return _compose_poses
    if isinstance(to, int) and not isinstance(to, bool) and 0 <= to < n:
        return partial(_find_poses, to)
    raise EngineError(
        f'to must be "{MEAN}", "{PREVIOUS}" or the index of an image from 0 to {n - 1}; got {to!r}'
    )


def _find_poses(to: int, v: Images, group: str) -> Poses:
    """Return the poses that warp every image onto image `to`."""
    others = torch.tensor([i for i in range(len(v)) if i != to], device=v.device)
    row = others.new_tensor([to])
    found = GROUPS[group].identity(len(v), v)
    return found.index_copy(0, others, align_pairs(v, GROUPS[group], row, others[None])[0])


def _compose_poses(v: Images, group: str) -> Poses:
    """Return the poses that warp every image onto the first, one after the other."""
    warp = GROUPS[group]
    row = torch.arange(len(v) - 1, device=v.device)
    steps = align_pairs(v, warp, row, row[:, None] + 1)[:, 0]
    poses = [warp.identity(1, v)]
    for step in steps.split(1):
        poses.append(_compose(warp, step, poses[-1]))
    return torch.cat(poses)


def _compose(warp: Group, step: Poses, before: Poses) -> Poses:
    """Compose in double precision, so that the errors of rounding do not accumulate."""
    return warp.compose(step.double(), before.double()).to(step)


def _find_mean_poses(v: Images, group: str) -> Poses:
    """Return the poses in the invariant mean, found by Algorithm 1."""
    steps = find_mean(MeanConfig(group=group), v, v.new_ones(len(v)))
    *_, last = steps
    return last.tau
