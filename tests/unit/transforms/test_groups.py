import math

import pytest
import torch

from ia_engine.images import bilinear, keys, pixel_grid
from ia_engine.transforms import GROUPS
from ia_engine.transforms.affine import STRETCH
from ia_engine.transforms.base import density
from tests.tensors import blobs, rand, tensor


def test_a_positive_angle_rotates_the_image_anticlockwise():
    v = rand(1, 1, 5, 5)
    for name in ("rotation", "se2", "similarity"):
        tau = GROUPS[name].identity(1, v)
        tau[:, 0] = math.pi / 2
        turned = GROUPS[name].act(v, tau)
        torch.testing.assert_close(turned, v.rot90(1, (2, 3)), atol=1e-12, rtol=0)


def test_a_positive_translation_samples_further_down_and_right():
    v = rand(1, 1, 5, 5)
    shifted = GROUPS["translation"].act(v, tensor([[1.0, 2.0]]))
    torch.testing.assert_close(shifted[..., :4, :3], v[..., 1:, 2:], atol=1e-12, rtol=0)


def test_a_scale_of_two_shows_every_second_pixel():
    v = rand(1, 1, 9, 9)
    shrunk = GROUPS["similarity"].act(v, tensor([[0, math.log(2), 0, 0]]))
    torch.testing.assert_close(shrunk[..., 2:7, 2:7], v[..., ::2, ::2], atol=1e-12, rtol=0)
    assert not shrunk[..., :2, :].any()


def test_the_ranges_of_affine_maps_keep_singular_values_between_a_half_and_three_halves():
    corners = torch.cartesian_prod(*[tensor([STRETCH.low, STRETCH.high])] * 4)
    poses = torch.cat([corners, corners * rand(16, 4), corners[:, :2].repeat(1, 2) * 0], 0)
    poses = torch.cat([poses, torch.zeros_like(poses[:, :2])], 1)
    values = torch.linalg.svdvals(GROUPS["affine"].matrix(poses)[:, :2, :2])
    torch.testing.assert_close(values.min(), tensor(0.5))
    torch.testing.assert_close(values.max(), tensor(1.5))


@pytest.mark.parametrize("scale", [3.0, -0.5])
def test_the_pose_of_a_homography_does_not_depend_on_the_scale_of_its_matrix(scale):
    group = GROUPS["projective"]
    tau = rand(4, 8, low=-0.1, high=0.1)
    torch.testing.assert_close(group.pose(scale * group.matrix(tau)), tau)


def test_every_group_is_contained_in_the_next_larger_group():
    v = rand(1, 1, 7, 8)
    tau = tensor([[0.3, 1.0, -0.5]])
    expected = GROUPS["se2"].act(v, tau)
    for name in ("similarity", "affine", "projective"):
        pose = GROUPS[name].pose(GROUPS["se2"].matrix(tau))
        torch.testing.assert_close(GROUPS[name].act(v, pose), expected)


def test_points_behind_the_horizon_are_not_sampled():
    tau = GROUPS["projective"].identity(1, tensor([]))
    tau[0, 6] = -0.5
    seen = GROUPS["projective"].act(blobs(size=21) + 1, tau)
    assert seen.isfinite().all()
    assert not seen[..., 13:, :].any()


@pytest.mark.parametrize("sample", [bilinear, keys])
def test_groups_agree_with_a_warp_by_their_matrices(sample):
    v, tau = blobs(size=15), tensor([[0.1, -0.1, 0.05, 0.02, 1.0, -2.0, 0.01, -0.005]])
    p, q = 2.0, -3.0
    (a, b, c), (d, e, f), (g, h, i) = GROUPS["projective"].matrix(tau)[0].tolist()
    w = g * p + h * q + i
    at = tensor([[[[(a * p + b * q + c) / w, (d * p + e * q + f) / w]]]])
    read = GROUPS["projective"].act(v, tau, sample)[..., 7 + 2, 7 - 3]
    torch.testing.assert_close(read, sample(v, at)[..., 0, 0])


def test_points_behind_the_horizon_are_not_sampled_regardless_of_the_translation():
    group, v = GROUPS["projective"], rand(1, 1, 256, 256) * 0 + 1
    tau = tensor([[0, 0, 0, 0, 120.0, 0, 0.01, 0]])
    behind = slice(0, 256 // 2 - 96)  # rows p with 1 + 0.01 p < 0.05
    for seen in (group.act(v, tau), group.unitary(v, tau)):
        assert seen.isfinite().all()
        assert not seen[..., behind, :].any()
        assert seen.any()


def test_the_density_is_finite_behind_the_horizon():
    group = GROUPS["projective"]
    tau = tensor([[0, 0, 0, 0, 120.0, 0, 0.01, 0]])
    assert density(group.matrix(tau), pixel_grid(256, 256, tau)).isfinite().all()


def test_gradients_are_finite_on_both_sides_of_the_horizon():
    group = GROUPS["projective"]
    tau = tensor([[0, 0, 0, 0, 12.0, 0, 0.1, 0]]).requires_grad_()
    group.unitary(blobs(size=33), tau).square().sum().backward()
    assert tau.grad.isfinite().all()
