"""Poses that other libraries can use: matrices and displacement fields in pixel coordinates.

>>> import torch
>>> from ia_engine.transforms import GROUPS
>>> quarter = torch.tensor([[torch.pi / 2, 0.0, 0.0]])  # anticlockwise
>>> matrix = to_pixel_matrix(GROUPS["se2"], quarter, 48, 64)
>>> (to_skimage(matrix)[0].round(3) + 0.0).tolist()
[[0.0, -1.0, 55.0], [1.0, 0.0, -8.0], [0.0, 0.0, 1.0]]
"""

from ia_engine.poses.libraries import (
    to_coordinates,
    to_grid,
    to_kornia_affine,
    to_kornia_perspective,
    to_opencv_affine,
    to_opencv_perspective,
    to_opencv_remap,
    to_scipy_affine,
    to_skimage,
    to_theta,
)
from ia_engine.poses.pixels import (
    to_field,
    to_original_field,
    to_original_matrix,
    to_pixel_field,
    to_pixel_matrix,
    transform_mask,
    transform_points,
)
from ia_engine.poses.placement import Placement

__all__ = [
    "Placement",
    "to_coordinates",
    "to_field",
    "to_grid",
    "to_kornia_affine",
    "to_kornia_perspective",
    "to_opencv_affine",
    "to_opencv_perspective",
    "to_opencv_remap",
    "to_original_field",
    "to_original_matrix",
    "to_pixel_field",
    "to_pixel_matrix",
    "to_scipy_affine",
    "to_skimage",
    "to_theta",
    "transform_mask",
    "transform_points",
]
