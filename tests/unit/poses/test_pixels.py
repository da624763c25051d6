"""Points and masks move with their image; poses between canvases are poses between originals."""

import pytest
import torch

from ia_engine.datasets.uploads.canvas import letterbox
from ia_engine.errors import EngineError
from ia_engine.images import bilinear
from ia_engine.poses import (
    Placement,
    to_field,
    to_grid,
    to_original_field,
    to_original_matrix,
    to_pixel_field,
    to_pixel_matrix,
    transform_mask,
    transform_points,
)
from ia_engine.poses.pixels import pixel_positions
from ia_engine.poses.placement import stack_placements
from ia_engine.transforms import GROUPS, TRANSFORMS
from tests.tensors import rand, tensor
from tests.unit.attention.scenes import near

POSES = {
    "translation": [[2.3, -3.1]],
    "rotation": [[2.1]],
    "se2": [[-2.5, 1.2, 3.4]],
    "similarity": [[0.7, 0.2, 1.2, -3.4]],
    "affine": [[0.12, -0.2, 0.15, -0.1, 2.3, -3.1]],
    "projective": [[0.12, -0.2, 0.15, -0.1, 2.3, -3.1, 0.002, -0.003]],
}


def pose_of(group):
    return tensor(POSES[group]) if group in POSES else near(GROUPS[group], 1)


def spot(size, x, y, sigma=2.0):
    own = pixel_positions(size, tensor([0.0]))
    return (-(own - tensor([x, y])).square().sum(-1) / (2 * sigma**2)).exp()[None, None]


def centre(v):
    own = pixel_positions(v.shape[-2:], v)
    return (v[0, 0, ..., None] * own).sum((0, 1)) / v.sum()


@pytest.mark.parametrize("group", GROUPS)
def test_the_field_of_a_matrix_is_the_field_of_its_group(group):
    tau, size = pose_of(group), (30, 41)
    matrix = to_pixel_matrix(GROUPS[group], tau, *size)
    torch.testing.assert_close(to_field(matrix, size), to_pixel_field(GROUPS[group], tau, *size))


@pytest.mark.parametrize("group", ["translation", "rotation", "se2", "similarity", "affine"])
def test_points_move_with_the_spot_that_they_mark(group):
    tau, size = pose_of(group), (60, 71)
    v = spot(size, 38.2, 26.7)
    moved = centre(GROUPS[group].act(v, tau))
    matrix = to_pixel_matrix(GROUPS[group], tau, *size)
    found = transform_points(tensor([[[38.2, 26.7]]]), matrix)[0, 0]
    torch.testing.assert_close(found, moved, atol=0.01, rtol=0)


@pytest.mark.parametrize("name", ["tps", "elastic", "lens"])
def test_points_are_moved_by_fields_as_well(name):
    warp, size = TRANSFORMS[name], (40, 52)
    limit = 0.2 if name == "lens" else 2.5
    tau = rand(2, warp.dimension(), seed=2, low=-limit, high=limit)
    field = to_pixel_field(warp, tau, *size)
    result = tensor([[10.0, 12.0], [25.0, 20.0], [40.0, 30.0]])
    read = torch.stack([result + u[[12, 20, 30], [10, 25, 40]] for u in field])
    torch.testing.assert_close(
        transform_points(read, field), result.expand(2, 3, 2), atol=1e-4, rtol=0
    )


def test_points_behind_the_horizon_are_nan():
    matrix = tensor([[[1.0, 0, 0], [0, 1, 0], [0.1, 0, 1]]])
    found = transform_points(tensor([[[5.0, 0.0], [20.0, 0.0]]]), matrix)
    assert torch.isfinite(found[0, 0]).all()
    assert found[0, 1].isnan().all()


def test_points_of_a_torn_field_are_refused():
    """The left half of the result is read 6 px farther left, and the right half farther right."""
    own = pixel_positions((20, 20), tensor([0.0]))
    field = torch.where(own < 9.5, -6.0, 6.0)[None]
    with pytest.raises(EngineError, match="must change by less than one pixel from pixel to pixel"):
        transform_points(tensor([[[9.2, 9.2]]]), field)


def test_no_points_remain_no_points():
    field = to_pixel_field(TRANSFORMS["tps"], rand(1, 32), 10, 10)
    assert transform_points(tensor([]).view(1, 0, 2), field).shape == (1, 0, 2)


@pytest.mark.parametrize("group", GROUPS)
def test_a_mask_covers_the_pixels_at_which_the_warped_mask_exceeds_a_half(group):
    tau, size = pose_of(group), (50, 61)
    mask = (spot(size, 31, 22, sigma=9.0) > 0.4)[0]
    found = transform_mask(mask, to_pixel_matrix(GROUPS[group], tau, *size))
    soft = GROUPS[group].act(mask[None].double(), tau, bilinear)[0]
    assert found.dtype == torch.bool
    assert (found == (soft > 0.5)).float().mean() > 0.99


def test_labels_are_never_mixed():
    size = (30, 30)
    labels = (rand(2, *size, high=3.0) + 1).long() * 10
    matrix = to_pixel_matrix(GROUPS["affine"], tensor(POSES["affine"] * 2), *size)
    found = transform_mask(labels, matrix)
    assert found.dtype == labels.dtype
    assert set(found.unique().tolist()) == {0, 10, 20, 30}


def test_a_quarter_rotation_of_a_mask_is_exact():
    mask = rand(1, 17, 17) > 0.5
    matrix = to_pixel_matrix(GROUPS["rotation"], tensor([[torch.pi / 2]]), 17, 17)
    assert torch.equal(transform_mask(mask, matrix), torch.rot90(mask, 1, (1, 2)))


def test_in_the_middle_between_two_pixels_a_mask_takes_the_left_or_upper_one():
    mask = tensor([[[1, 0, 0], [0, 0, 0]]], dtype=torch.int64)
    for noise in (-1e-12, 0.0, 1e-12):
        half = tensor([[[1.0, 0, 0.5 + noise], [0, 1, 0.5 - noise], [0, 0, 1]]])
        assert torch.equal(transform_mask(mask, half, (1, 2)), mask[:, :1, :2])


def test_the_result_of_a_mask_may_have_another_size():
    mask = rand(1, 10, 12) > 0.5
    identity = torch.eye(3, dtype=torch.float64, device="cpu")[None]
    assert torch.equal(transform_mask(mask, identity, (4, 5)), mask[:, :4, :5])


@pytest.mark.parametrize("group", GROUPS)
def test_poses_between_originals_are_those_between_their_canvases(group):
    """A point goes to the canvas, through the pose, and back to its original."""
    matrix = to_pixel_matrix(GROUPS[group], pose_of(group), 32, 32)
    source, target = Placement(50, 80, (0.4, 0.38), (5.5, 1.2)), Placement(60, 60, (0.5, 0.5))
    found = to_original_matrix(matrix, [source], [target])
    there, here = (stack_placements([place], matrix) for place in (source, target))
    points = tensor([[[30.0, 20.0], [12.5, 41.0]]])

    def move(points, by):
        return transform_points(points, torch.linalg.inv(by))

    expected = transform_points(move(points, there), matrix)
    expected = transform_points(expected, here)
    torch.testing.assert_close(transform_points(points, found), expected)


def test_by_default_an_original_is_transformed_in_its_own_frame():
    matrix = to_pixel_matrix(GROUPS["affine"], tensor(POSES["affine"]), 32, 32)
    place = Placement(50, 80, (0.4, 0.38), (5.5, 1.2))
    torch.testing.assert_close(
        to_original_matrix(matrix, [place]), to_original_matrix(matrix, [place], [place])
    )


def test_an_original_warped_by_its_matrix_is_the_warped_canvas():
    """The canvas is a quarter of the original, so that a smooth picture has the same values."""
    size, tau = (128, 192), tensor([[0.6, 2.0, -3.0]])
    v = spot(size, 110, 60, sigma=14.0)
    canvas = letterbox(v, 64, 0.125)
    place = Placement(*size).pad(32, 0).resize(48, 48, (192, 192)).pad(8, 8)
    matrix = to_original_matrix(to_pixel_matrix(GROUPS["se2"], tau, 64, 64), [place])
    grid = to_grid(matrix, size, size, align_corners=False)
    large = torch.nn.functional.grid_sample(v, grid, align_corners=False)
    small = GROUPS["se2"].act(canvas, tau)
    assert (letterbox(large, 64, 0.125) - small)[..., 20:44, 14:50].abs().max() < 0.01


@pytest.mark.parametrize("name", ["tps", "elastic"])
def test_the_field_of_an_original_is_that_of_the_warp_on_a_larger_canvas(name):
    """The same warp on a canvas with four times as many pixels; both have the same outermost pixel
    centres, at which the basis is placed."""
    warp, small, large = TRANSFORMS[name], (25, 33), (97, 129)
    tau = rand(1, warp.dimension(), seed=4, low=-2, high=2)
    place = Placement(*large, scale=(0.25, 0.25))
    (found,) = to_original_field(to_pixel_field(warp, tau, *small), [place])
    expected = to_pixel_field(warp, 4 * tau, *large)[0]
    assert (found - expected).abs().max() < 0.1
    assert found.shape == (*large, 2)


def test_the_field_of_an_affine_map_is_exact_in_the_original():
    tau, place = tensor(POSES["affine"]), Placement(60, 50, (0.5, 0.5), (0.25, 3.25))
    field = to_pixel_field(GROUPS["affine"], tau, 30, 31)
    (found,) = to_original_field(field, [place])
    matrix = to_original_matrix(to_pixel_matrix(GROUPS["affine"], tau, 30, 31), [place])
    torch.testing.assert_close(found, to_field(matrix, (60, 50))[0])


def test_each_pose_needs_a_placement():
    matrix = to_pixel_matrix(GROUPS["rotation"], tensor([[0.1], [0.2]]), 9, 9)
    with pytest.raises(EngineError, match=r"one placement for each of the 2 poses; got 1"):
        to_original_matrix(matrix, [Placement(9, 9)])
