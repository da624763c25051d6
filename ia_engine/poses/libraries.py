"""Converts matrices and displacement fields to the arguments of other libraries' warps.

Every function takes what `ia_engine/poses/pixels.py` returns: matrices S [n 3 3], which map a pixel
(x, y, 1) of the result to the position in the source at which it is read, or fields [n h w 2].
Libraries differ in the direction of the map, the order of the axes, and the units.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import Field, Homography, check_axes
from ia_engine.poses.pixels import PixelWarp, Size, pixel_positions, to_field

Array = NDArray[Any]


def to_theta(matrix: Homography, source: Size, target: Size, *, align_corners: bool) -> Tensor:
    """Return theta [n 2 3] for `functional.affine_grid`, followed by `grid_sample` with the same
    `align_corners`; projective maps need `to_grid`.

    >>> theta = to_theta(matrix, (48, 64), (48, 64), align_corners=False)  # doctest: +SKIP
    >>> grid = functional.affine_grid(theta.to(v), v.shape, align_corners=False)  # doctest: +SKIP
    >>> functional.grid_sample(v, grid, align_corners=False)  # doctest: +SKIP
    """
    there = _normalisation(source, matrix, align_corners)
    here = _normalisation(target, matrix, align_corners)
    return _rows(there @ matrix @ torch.linalg.inv(here), "to_grid")


def to_grid(warp: PixelWarp, source: Size, target: Size, *, align_corners: bool) -> Field:
    """Return the grid [n h w 2] for `functional.grid_sample`, of matrices or fields."""
    positions = pixel_positions(target, warp) + to_field(warp, target)
    norm = _normalisation(source, positions, align_corners)
    return positions * norm.diagonal()[:2] + norm[:2, 2]


def to_kornia_affine(matrix: Homography) -> Tensor:
    """Return M [n 2 3] for `kornia.geometry.warp_affine`, with either value of `align_corners`."""
    return _rows(torch.linalg.inv(matrix), "to_kornia_perspective")


def to_kornia_perspective(matrix: Homography) -> Tensor:
    """Return M [n 3 3] for `kornia.geometry.warp_perspective`, with either value of
    `align_corners`."""
    check_axes(matrix, "n 3 3", "matrix")
    return torch.linalg.inv(matrix)


def to_skimage(matrix: Homography) -> Array:
    """Return the matrices [n 3 3] for `skimage.transform.AffineTransform` or `ProjectiveTransform`,
    which `skimage.transform.warp` takes as its inverse map.

    >>> move = ProjectiveTransform(matrix=to_skimage(matrix)[0])  # doctest: +SKIP
    >>> skimage.transform.warp(image, move, output_shape=(48, 64))  # doctest: +SKIP
    """
    check_axes(matrix, "n 3 3", "matrix")
    return _to_array(matrix / matrix[:, 2:, 2:])


def to_opencv_affine(matrix: Homography, *, inverse_map: bool) -> Array:
    """Return M [n 2 3] for `cv2.warpAffine`; `inverse_map` is True if its flags contain
    `WARP_INVERSE_MAP`.

    >>> m = to_opencv_affine(matrix, inverse_map=False)[0]  # doctest: +SKIP
    >>> cv2.warpAffine(image, m, (64, 48))  # width, height  # doctest: +SKIP
    """
    used = matrix if inverse_map else torch.linalg.inv(matrix)
    return _to_array(_rows(used, "to_opencv_perspective"))


def to_opencv_perspective(matrix: Homography, *, inverse_map: bool) -> Array:
    """Return M [n 3 3] for `cv2.warpPerspective`; `inverse_map` as in `to_opencv_affine`."""
    check_axes(matrix, "n 3 3", "matrix")
    return _to_array(matrix if inverse_map else torch.linalg.inv(matrix))


def to_opencv_remap(warp: PixelWarp, size: Size) -> tuple[Array, Array]:
    """Return the maps of columns and rows, [n h w] in float32, for `cv2.remap`."""
    x, y = _read_positions(warp, size)
    return x.astype(np.float32), y.astype(np.float32)


def to_scipy_affine(matrix: Homography) -> tuple[Array, Array]:
    """Return `matrix` [n 2 2] and `offset` [n 2], in the order row, column, for
    `scipy.ndimage.affine_transform`; projective maps need `to_coordinates`."""
    rows = _to_array(_rows(matrix, "to_coordinates"))
    return rows[:, ::-1, 1::-1].copy(), rows[:, ::-1, 2].copy()


def to_coordinates(warp: PixelWarp, size: Size) -> Array:
    """Return the coordinates [n 2 h w], rows and then columns, for `scipy.ndimage.map_coordinates`
    and, as inverse map, for `skimage.transform.warp`."""
    x, y = _read_positions(warp, size)
    return np.stack([y, x], 1)


def _normalisation(size: Size, like: Tensor, align_corners: bool) -> Tensor:
    """Return the matrix [3 3] from pixels to the coordinates of `grid_sample`, in which ±1 are the
    centres of the outermost pixels or, without `align_corners`, their outer edges."""
    height, width = size
    half = [max(side - 1, 1) / 2 if align_corners else side / 2 for side in (width, height)]
    x, y = ((side - 1) / 2 for side in (width, height))
    rows = [[1 / half[0], 0, -x / half[0]], [0, 1 / half[1], -y / half[1]], [0, 0, 1]]
    return like.new_tensor(rows, dtype=torch.float64)


def _rows(matrix: Homography, otherwise: str) -> Tensor:
    """Return the first two rows of affine matrices, divided by the last entry."""
    check_axes(matrix, "n 3 3", "matrix")
    scaled = matrix / matrix[:, 2:, 2:]
    if bool((scaled[:, 2, :2].abs() > 1e-12).any()):
        raise EngineError(
            "matrix must be affine, with the last row (0, 0, 1); got a projective map: use "
            f"{otherwise}"
        )
    return scaled[:, :2]


def _read_positions(warp: PixelWarp, size: Size) -> tuple[Array, Array]:
    """Return the columns and the rows [n h w] at which the source is read."""
    x, y = (pixel_positions(size, warp) + to_field(warp, size)).unbind(-1)
    return _to_array(x), _to_array(y)


def _to_array(x: Tensor) -> Array:
    array: Array = x.detach().cpu().numpy()
    return array
