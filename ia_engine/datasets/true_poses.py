"""The true poses of generated copies as matrices, and the symmetry of the shapes."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import torch

from ia_engine.datasets.bases import BASES
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.distortions import Distortion, split_poses
from ia_engine.datasets.generated import GeneratedConfig, undistorted
from ia_engine.images import Homography, Images, Labels, Poses, blur
from ia_engine.poses.errors import ANY
from ia_engine.transforms import GROUPS, TRANSFORMS
from ia_engine.transforms.mirror import THRESHOLD, Mirror

KNOWN: Final[Mapping[str, tuple[str, ...]]] = {
    "experiment-2": ("se2",),
    "rot-mnist": ("rotation",),
    "affnist": ("affine",),
}
"""The transforms of data sets whose config does not list them."""
MOST: Final = 12
"""Largest order of symmetry that is tested."""
LIKE: Final = 0.02
"""Squared difference, relative to the squared norms, below which two images count as equal."""
SIGMA: Final = 1.0
"""Smoothing of a shape before it is compared with its rotations [px]."""


def read_true_matrices(data: ImageSet) -> Homography | None:
    """Return the matrix of the true pose of each copy [n 3 3]; None if it is unknown.

    Distortions outside the groups, such as noise or warps, are omitted.
    """
    names, channels = _list_transforms(data), data.images.shape[1]
    transforms = tuple(TRANSFORMS[name] for name in names)
    dimension = sum(transform.dimension(channels) for transform in transforms)
    if data.poses is None or data.poses.shape[1] != dimension or not GROUPS.keys() & set(names):
        return None
    whole = torch.eye(3, device=data.poses.device, dtype=torch.float64)
    whole = whole.expand(len(data.poses), 3, 3)
    for name, tau in zip(names, split_poses(transforms, data.poses, channels), strict=True):
        if name in GROUPS:
            whole = whole @ GROUPS[name].matrix(tau.double())
        elif name == Mirror.name:
            whole = whole @ _mirror(tau)
    return whole


def split_classes(data: ImageSet, true: Homography) -> Labels:
    """Return a class [n] for each copy, in which mirrored copies are separate: no rotation aligns
    them with the others. Those of class k are 2k, or 2k + 1 if they are mirrored."""
    labels = torch.zeros(len(true), dtype=torch.int64, device=true.device)
    if data.labels is not None:
        labels = data.labels.to(true.device)
    return 2 * labels + (torch.linalg.det(true[:, :2, :2]) < 0).long()


def find_orders(data: ImageSet) -> list[int]:
    """Return the order of symmetry of each class of `split_classes`; 1 if it is unknown.

    It is known for drawings and icons, whose copies show the same shape.
    """
    config = data.recipe.config
    if not isinstance(config, GeneratedConfig):
        return []
    shapes = undistorted(config)[:: config.copies]
    orders = [
        find_order(shape[None]) if base in BASES else 1
        for base, shape in zip(config.bases, shapes, strict=True)
    ]
    return [order for order in orders for _ in range(2)]


def find_order(shape: Images) -> int:
    """Return the largest k for which an image [1 c h w] looks the same after a rotation by 360°/k
    about its centre; `ANY` if it does for all k."""
    v = blur(shape.double(), SIGMA)
    fits = [k for k in range(2, MOST + 1) if _looks_like(v, 2 * math.pi / k)]
    if len(fits) == MOST - 1:
        return ANY
    return max(fits, default=1)


def _looks_like(v: Images, angle: float) -> bool:
    turned = GROUPS["rotation"].act(v, v.new_tensor([[angle]]))
    return bool((turned - v).square().sum() < LIKE * 2 * v.square().sum())


def _mirror(tau: Poses) -> Homography:
    sign = torch.where(tau[:, 0] < THRESHOLD, 1.0, -1.0).double()
    one = torch.ones_like(sign)
    return torch.diag_embed(torch.stack([one, sign, one], -1))


def _list_transforms(data: ImageSet) -> Sequence[str]:
    distortions: tuple[Distortion, ...] = getattr(data.recipe.config, "distortions", ())
    return [part.transform for part in distortions] or KNOWN.get(data.recipe.source, ())
