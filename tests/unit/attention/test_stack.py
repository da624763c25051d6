"""A stack is aligned to one image, to the mean, or to the previous image, with known poses."""

import math

import pytest
import torch

from ia_engine.attention.stack import align_stack
from ia_engine.errors import EngineError
from ia_engine.images import pixel_grid
from ia_engine.poses import to_pixel_matrix, transform_points
from ia_engine.transforms import GROUPS
from tests.tensors import rand, tensor

SIZES = [(48, 48), (44, 60)]
SMALL = (0, 8, -12, 20)
LARGE = (0, 90, 135, 180, -100)
SERIES = tuple(range(0, 280, 40))
SPOTS = ((-5, -3, 3.5, 1.0), (4, 5, 2.5, 0.8), (6, -6, 2.0, 0.9), (-2, 7, 1.8, 0.6))


def picture(height, width):
    """Four spots without any symmetry."""
    p, q = pixel_grid(height, width, tensor([0.0])).unbind(-1)
    ink = sum(a * (-((p - y) ** 2 + (q - x) ** 2) / (2 * s * s)).exp() for y, x, s, a in SPOTS)
    return (ink / ink.max())[None, None]


def pose_stack(size, angles):
    """Copies of a picture at known poses, the first of which is the picture itself."""
    theta = tensor(angles) * math.pi / 180
    shift = rand(len(angles), 2, seed=3, low=-3, high=3)
    shift[0] = 0
    pose = torch.cat([torch.atan2(theta.sin(), theta.cos())[:, None], shift], 1)
    v = GROUPS["se2"].act(picture(*size).repeat(len(angles), 1, 1, 1), pose)
    return v.clamp(0, 1).float(), pose


def measure_errors(tau, pose, anchor):
    """The largest error of the rotations [°], and of the translations at the centre [px]."""
    group = GROUPS["se2"]
    true = group.compose(group.inverse(pose), pose[anchor].expand_as(pose))
    rest = torch.linalg.inv(group.matrix(true)) @ group.matrix(tau.double())
    turns = torch.atan2(rest[:, 0, 1], rest[:, 0, 0]).abs().rad2deg()
    return float(turns.max()), float(rest[:, :2, 2].norm(dim=1).max())


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("angles", [SMALL, LARGE, SERIES], ids=["small", "large", "series"])
@pytest.mark.parametrize("to", [0, 2, "previous", "mean"])
def test_poses_are_found_whatever_the_rotation(to, angles, size):
    v, pose = pose_stack(size, angles)
    found = align_stack(v, "se2", to)
    still = (found.tau == 0).all(1).nonzero()[:, 0].tolist()
    assert still == ([0] if to == "previous" else [to] if isinstance(to, int) else still[:1])
    turn, shift = measure_errors(found.tau, pose, still[0])
    assert turn < 1
    assert shift < 0.1
    assert (found.images - v[still[0]]).abs().max() < 0.03


def test_poses_of_previous_images_are_composed():
    """Neighbours differ by 40°, but the last image by 240° from the first."""
    v, pose = pose_stack((48, 48), SERIES)
    found = align_stack(v, "se2", "previous")
    assert found.tau[1:, 0].rad2deg().tolist() == pytest.approx(
        [-40, -80, -120, -160, 160, 120], abs=1
    )
    direct = align_stack(v, "se2", 0)
    assert measure_errors(found.tau, pose, 0)[1] < 0.1
    torch.testing.assert_close(found.tau[1:, 1:], direct.tau[1:, 1:], atol=0.1, rtol=0)


@pytest.mark.parametrize("group", ["translation", "similarity", "affine", "projective"])
def test_other_groups_align_a_stack_as_well(group):
    warp = GROUPS[group]
    pose = torch.zeros(3, warp.dimension(), dtype=torch.float64, device="cpu")
    names = [part.name for part in warp.coordinates() for _ in range(part.count)]
    at = names.index("shift")
    pose[1, at : at + 2], pose[2, at : at + 2] = tensor([2.0, -3.0]), tensor([-1.5, 2.5])
    if "stretch" in names:
        pose[1:, 0] = tensor([0.08, -0.08])
    v = warp.act(picture(48, 48).repeat(3, 1, 1, 1), pose).clamp(0, 1).float()
    found = align_stack(v, group, 0)
    corners = tensor([[14.0, 14.0], [34.0, 14.0], [14.0, 34.0], [34.0, 34.0]]).expand(3, 4, 2)
    true = transform_points(corners, to_pixel_matrix(warp, warp.inverse(pose), 48, 48))
    near = (transform_points(corners, found.matrices) - true).norm(dim=-1).max()
    assert near < (0.1 if group == "translation" else 0.6)


def test_matrices_are_the_poses_in_pixels():
    v, _ = pose_stack((44, 60), SMALL)
    found = align_stack(v, "se2", 0)
    torch.testing.assert_close(found.matrices, to_pixel_matrix(GROUPS["se2"], found.tau, 44, 60))


def test_the_brightness_of_an_image_does_not_change_its_pose():
    v, _ = pose_stack((48, 48), SMALL)
    gain = tensor([1.0, 0.5, 0.25, 2.0], dtype=torch.float32)[:, None, None, None]
    one, other = align_stack(v, "se2", 0), align_stack(v * gain, "se2", 0)
    torch.testing.assert_close(one.tau, other.tau, atol=1e-3, rtol=0)
    torch.testing.assert_close(other.images, one.images * gain, atol=1e-3, rtol=0)


@pytest.mark.parametrize("to", [0, "mean", "previous"])
def test_a_stack_of_one_image_does_not_move(to):
    v = picture(20, 20)
    found = align_stack(v, "affine", to)
    torch.testing.assert_close(found.images, v)
    assert not found.tau.any()


@pytest.mark.parametrize("to", [4, -1, "next", True, 1.5])
def test_another_target_is_refused(to):
    v, _ = pose_stack((48, 48), SMALL)
    with pytest.raises(EngineError, match=r"to must be .* index of an image from 0 to 3; got"):
        align_stack(v, "se2", to)


def test_another_group_is_refused():
    with pytest.raises(EngineError, match=r"group must be one of translation, .*; got 'so3'"):
        align_stack(picture(20, 20), "so3", 0)
