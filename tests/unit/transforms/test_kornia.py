"""Compares groups, warps and colour with kornia, which was written independently."""

import pytest
import torch
from kornia.enhance import adjust_contrast
from kornia.geometry.liegroup import Se2, So2
from kornia.geometry.transform import get_tps_transform, homography_warp, warp_points_tps

from ia_engine.images import bilinear, pixel_grid
from ia_engine.transforms import GROUPS, TRANSFORMS
from ia_engine.transforms.tps import POINTS
from tests.tensors import rand, tensor

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())
SWAP = tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""Converts (p, q) to kornia's (x, y), and back."""


def some_poses(group, n, size=0.2, seed=0):
    largest = {"shift": 2.0, "turn": 1.5, "perspective": 0.01}
    parts = [largest.get(c.name, size) for c in group.coordinates() for _ in range(c.count)]
    return rand(n, group.dimension(), low=-1, high=1, seed=seed) * tensor(parts)


@EVERY_GROUP
def test_images_are_warped_as_by_the_homography_warp_of_kornia(group):
    v, tau = rand(3, 2, 9, 12), some_poses(group, 3)
    half = torch.diag(tensor([11 / 2, 8 / 2, 1.0]))
    normalised = torch.linalg.inv(half) @ SWAP @ group.matrix(tau) @ SWAP @ half
    expected = homography_warp(
        v, normalised, (9, 12), "bilinear", "zeros", align_corners=True, normalized_homography=True
    )
    torch.testing.assert_close(group.act(v, tau, bilinear), expected)


def test_rotations_compose_and_invert_as_in_kornia():
    group = GROUPS["rotation"]
    a, b = some_poses(group, 4), some_poses(group, 4, seed=1)
    first, second = So2.exp(a[:, 0]), So2.exp(b[:, 0])
    torch.testing.assert_close(group.compose(a, b)[:, 0], (first * second).log())
    torch.testing.assert_close(group.inverse(a)[:, 0], first.inverse().log())
    torch.testing.assert_close(group.matrix(a)[:, :2, :2], first.matrix().mT)


def as_se2(tau):
    """Our θ rotates the image anticlockwise, so the sampled points rotate by -θ."""
    return Se2(So2.exp(-tau[:, 0]), tau[:, 1:].clone())


def test_se2_composes_inverts_and_moves_points_as_in_kornia():
    group = GROUPS["se2"]
    a, b = some_poses(group, 4), some_poses(group, 4, seed=1)
    torch.testing.assert_close(group.matrix(a), as_se2(a).matrix())
    composed = (as_se2(a) * as_se2(b)).matrix()
    torch.testing.assert_close(group.matrix(group.compose(a, b)), composed)
    torch.testing.assert_close(group.matrix(group.inverse(a)), as_se2(a).inverse().matrix())


def test_the_exponential_of_the_generators_of_se2_agrees_with_kornia():
    group, speed = GROUPS["se2"], tensor([[0.7, 1.5, -0.4]])
    generated = torch.linalg.matrix_exp(
        torch.einsum("nk,kpq->npq", speed, tensor(group.generators))
    )
    along = torch.cat([speed[:, 1:], -speed[:, :1]], 1)
    torch.testing.assert_close(generated, Se2.exp(along).matrix())


def by_kornia(control, moved, points):
    """Points moved by kornia's spline, whose kernels are centred on the moved points."""
    kernel, affine = get_tps_transform(control[None], moved[None])
    return warp_points_tps(points[None], moved[None], kernel, affine)[0]


@pytest.mark.parametrize(("size", "ratio"), [(1e-2, 2e-2), (1e-4, 2e-4)])
def test_a_thin_plate_spline_agrees_with_kornia_to_first_order_in_the_displacements(size, ratio):
    warp, height, width = TRANSFORMS["tps"], 10, 13
    scale = tensor([(height - 1) / 2, (width - 1) / 2])
    control = (pixel_grid(POINTS, POINTS, scale) / ((POINTS - 1) / 2)).flatten(0, 1)
    points = (pixel_grid(height, width, scale) / scale).flatten(0, 1)
    tau = rand(1, warp.dimension(), low=-size, high=size)
    found = warp.field(tau, height, width).flatten(0, 2) / scale - points
    moved = control + tau.view(2, -1).mT / scale
    expected = by_kornia(control, moved, points) - points
    torch.testing.assert_close(found, expected, atol=ratio * expected.abs().max().item(), rtol=0)


@pytest.mark.parametrize("weight", [-0.4, 0.7])
def test_the_weight_of_a_colour_has_the_effect_of_contrast_in_kornia(weight):
    v, color = rand(2, 3, 5, 6), TRANSFORMS["color"]
    tau = tensor([[weight] * 3 + [0.0] * 3] * 2)
    expected = adjust_contrast(v, 1 + weight, clip_output=False)
    torch.testing.assert_close(color.act(v, tau), expected)
