"""Each library warps images and positions exactly as the engine does.

An image whose values are its own x or y coordinates shows where a library reads: 0.01 px on points.
A random image shows the interpolated values: 1e-4 on pixels.
"""

import cv2
import numpy as np
import pytest
import torch
from kornia.geometry import transform as kornia
from scipy import ndimage
from skimage import transform as skimage
from torch.nn import functional

from ia_engine.errors import EngineError
from ia_engine.images import bilinear, pixel_grid
from ia_engine.poses import (
    to_coordinates,
    to_field,
    to_grid,
    to_kornia_affine,
    to_kornia_perspective,
    to_opencv_affine,
    to_opencv_perspective,
    to_opencv_remap,
    to_pixel_field,
    to_pixel_matrix,
    to_scipy_affine,
    to_skimage,
    to_theta,
    transform_points,
)
from ia_engine.poses.pixels import pixel_positions
from ia_engine.transforms import GROUPS, TRANSFORMS
from tests.tensors import rand, tensor

SIZES = [(40, 40), (48, 64), (61, 37)]
AFFINE = tensor([[0.12, -0.2, 0.15, -0.1, 2.3, -3.1]])
PROJECTIVE = tensor([[0.12, -0.2, 0.15, -0.1, 2.3, -3.1, 0.002, -0.003]])
BOTH = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def array(x):
    return x[0, 0].numpy()


def torch_affine(v, matrix, align_corners):
    size = v.shape[-2:]
    theta = to_theta(matrix, size, size, align_corners=align_corners).to(v)
    grid = functional.affine_grid(theta, list(v.shape), align_corners=align_corners)
    return functional.grid_sample(v, grid, align_corners=align_corners)


def torch_grid(v, warp, align_corners):
    grid = to_grid(warp, v.shape[-2:], v.shape[-2:], align_corners=align_corners).to(v)
    return functional.grid_sample(v, grid, align_corners=align_corners)


def kornia_affine(v, matrix, align_corners):
    m = to_kornia_affine(matrix).to(v)
    return kornia.warp_affine(v, m, v.shape[-2:], align_corners=align_corners)


def kornia_perspective(v, matrix, align_corners):
    m = to_kornia_perspective(matrix).to(v)
    return kornia.warp_perspective(v, m, v.shape[-2:], align_corners=align_corners)


def skimage_affine(v, matrix):
    move = skimage.AffineTransform(matrix=to_skimage(matrix)[0])
    return skimage.warp(array(v), move, order=1, preserve_range=True)


def skimage_projective(v, matrix):
    move = skimage.ProjectiveTransform(matrix=to_skimage(matrix)[0])
    return skimage.warp(array(v), move, order=1, preserve_range=True)


def skimage_coordinates(v, warp):
    coordinates = to_coordinates(warp, v.shape[-2:])[0]
    return skimage.warp(array(v), coordinates, order=1, preserve_range=True)


def opencv_affine(v, matrix, inverse_map):
    m = to_opencv_affine(matrix, inverse_map=inverse_map)[0]
    flags = BOTH if inverse_map else cv2.INTER_LINEAR
    return cv2.warpAffine(array(v), m, v.shape[-2:][::-1], flags=flags)


def opencv_perspective(v, matrix, inverse_map):
    m = to_opencv_perspective(matrix, inverse_map=inverse_map)[0]
    flags = BOTH if inverse_map else cv2.INTER_LINEAR
    return cv2.warpPerspective(array(v), m, v.shape[-2:][::-1], flags=flags)


def opencv_remap(v, warp):
    x, y = to_opencv_remap(warp, v.shape[-2:])
    return cv2.remap(array(v), x[0], y[0], cv2.INTER_LINEAR)


def scipy_affine(v, matrix):
    m, offset = to_scipy_affine(matrix)
    return ndimage.affine_transform(array(v), m[0], offset[0], order=1, mode="grid-constant")


def scipy_coordinates(v, warp):
    coordinates = to_coordinates(warp, v.shape[-2:])[0]
    return ndimage.map_coordinates(array(v), coordinates, order=1, mode="grid-constant")


def with_flag(function, value):
    def call(v, matrix):
        return function(v, matrix, value)

    call.__name__ = f"{function.__name__}-{value}"
    return call


AFFINE_ONLY = [
    *(with_flag(f, flag) for f in (torch_affine, kornia_affine) for flag in (True, False)),
    skimage_affine,
    *(with_flag(opencv_affine, flag) for flag in (True, False)),
    scipy_affine,
]
DENSE = [
    *(with_flag(torch_grid, flag) for flag in (True, False)),
    skimage_coordinates,
    opencv_remap,
    scipy_coordinates,
]
ANY = [
    *DENSE,
    *(with_flag(kornia_perspective, flag) for flag in (True, False)),
    skimage_projective,
    *(with_flag(opencv_perspective, flag) for flag in (True, False)),
]


def compare(library, group, tau, size):
    """The largest difference of positions [px] and of pixels away from borders, for one library."""
    warp = TRANSFORMS[group]
    if group in GROUPS:
        move = to_pixel_matrix(GROUPS[group], tau, *size)
    else:
        move = to_pixel_field(warp, tau, *size)
    height, width = size
    read = pixel_positions(size, tau) + to_field(move, size)
    x, y = read[0].unbind(-1)
    inside = (x >= 1) & (x <= width - 2) & (y >= 1) & (y <= height - 2)
    assert inside.float().mean() > 0.3

    def call(v):
        return torch.as_tensor(library(v.float(), move), device="cpu").squeeze().double()

    own = pixel_positions(size, tau).movedim(-1, 0)
    seen = torch.stack([call(plane[None, None]) for plane in own], -1)
    points = transform_points(seen[inside][None], move)
    here = pixel_positions(size, tau)[inside]
    v = rand(1, 1, *size, seed=1)
    pixels = (call(v) - warp.act(v, tau, bilinear)[0, 0])[inside].abs().max()
    off = max(float((seen - read[0])[inside].abs().max()), float((points[0] - here).abs().max()))
    return off, float(pixels)


def check(library, group, tau, size):
    points, pixels = compare(library, group, tau, size)
    assert points < 0.01
    assert pixels < 1e-4


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("library", [*AFFINE_ONLY, *ANY], ids=lambda f: f.__name__)
def test_affine_poses_agree_with_the_library(library, size):
    check(library, "affine", AFFINE, size)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("library", ANY, ids=lambda f: f.__name__)
def test_projective_poses_agree_with_the_library(library, size):
    check(library, "projective", PROJECTIVE, size)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", ["tps", "elastic"])
@pytest.mark.parametrize("library", DENSE, ids=lambda f: f.__name__)
def test_dense_warps_agree_with_the_library(library, name, size):
    tau = rand(1, TRANSFORMS[name].dimension(), seed=3, low=-2.5, high=2.5)
    check(library, name, tau, size)


def test_results_may_have_another_size():
    v, target = rand(1, 1, 48, 64), (20, 30)
    matrix = to_pixel_matrix(GROUPS["affine"], AFFINE, 48, 64)
    expected = scipy_coordinates(v, matrix)[:20, :30]
    for align_corners in (True, False):
        grid = to_grid(matrix, (48, 64), target, align_corners=align_corners)
        theta = to_theta(matrix, (48, 64), target, align_corners=align_corners)
        own = functional.affine_grid(theta, [1, 1, *target], align_corners=align_corners)
        torch.testing.assert_close(own, grid)
        found = functional.grid_sample(v, grid, align_corners=align_corners)
        np.testing.assert_allclose(found[0, 0], expected, atol=1e-9)


def test_a_line_of_pixels_has_a_grid():
    v = rand(1, 1, 1, 30)
    right = tensor([[[1.0, 0, 2], [0, 1, 0], [0, 0, 1]]])
    for align_corners in (True, False):
        grid = to_grid(right, (1, 30), (1, 28), align_corners=align_corners)
        found = functional.grid_sample(v, grid, align_corners=align_corners)
        torch.testing.assert_close(found[..., :28], v[..., 2:])


@pytest.mark.parametrize(
    "convert",
    [
        lambda m: to_theta(m, (9, 9), (9, 9), align_corners=True),
        to_kornia_affine,
        to_scipy_affine,
        lambda m: to_opencv_affine(m, inverse_map=True),
    ],
)
def test_affine_converters_refuse_projective_poses(convert):
    matrix = to_pixel_matrix(GROUPS["projective"], PROJECTIVE, 9, 9)
    with pytest.raises(EngineError, match=r"matrix must be affine.*: use to_"):
        convert(matrix)


def test_the_identity_is_the_identity_of_every_library():
    matrix = to_pixel_matrix(GROUPS["se2"], tensor([[0.0, 0.0, 0.0]]), 12, 15)
    v = rand(1, 1, 12, 15, dtype=torch.float32)
    for library in (*AFFINE_ONLY, *ANY):
        found = torch.as_tensor(library(v, matrix), device="cpu").squeeze().float()
        torch.testing.assert_close(found, v[0, 0], atol=1e-5, rtol=0, msg=library.__name__)


def test_a_quarter_rotation_is_that_of_numpy():
    matrix = to_pixel_matrix(GROUPS["se2"], tensor([[torch.pi / 2, 0.0, 0.0]]), 12, 12)
    v = rand(1, 1, 12, 12, dtype=torch.float32)
    np.testing.assert_allclose(skimage_affine(v, matrix), np.rot90(array(v)), atol=1e-5)


def test_positions_are_relative_to_the_centre_in_the_engine():
    grid = pixel_grid(5, 8, tensor([0.0]))
    own = pixel_positions((5, 8), tensor([0.0]))
    torch.testing.assert_close(own.flip(-1) - tensor([2.0, 3.5]), grid)
