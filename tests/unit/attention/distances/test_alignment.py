import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist

from ia_engine.attention.distances.alignment import Euclidean, GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.images import blur
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor
from tests.unit.attention.reference import manifold_distance
from tests.unit.attention.scenes import drawing, experiment_1, near, turned

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())
SE2 = GROUPS["se2"]
FLOOR = 0.01
"""Upper limit of d² between a drawing and its rotated copy, which is the loss from interpolating
twice.
"""


def align(v, group=SE2, sigma=0.0):
    return GlobalSearch(group, sigma).align(v)


def euclid(v):
    flat = v.flatten(1).numpy()
    return tensor(cdist(flat, flat, "sqeuclidean"))


def pictures(dtype=torch.float64):
    """Three drawings in two poses each."""
    poses = ((0, 0, 0), (140, 3.3, -4.6))
    names = ("crab", "seven", "snail")
    return torch.cat([turned(drawing(name, dtype=dtype), *poses) for name in names])


@pytest.mark.parametrize("channels", [1, 3])
def test_kernel_attention_uses_the_squared_euclidean_distance(channels):
    v = rand(5, channels, 6, 7, seed=3)
    found = Euclidean().align(v)
    assert found.tau is None
    torch.testing.assert_close(found.d2, euclid(v))
    torch.testing.assert_close(Euclidean(1.5).align(v).d2, euclid(blur(v, 1.5)))


def test_kernel_attention_accepts_points():
    x = rand(7, 2, low=-3, high=3)
    torch.testing.assert_close(Euclidean(2.0).align(x).d2, euclid(x))


@EVERY_GROUP
@pytest.mark.parametrize("shape", [(1, 1, 8, 8), (2, 3, 9, 14), (3, 1, 13, 7), (4, 2, 5, 5)])
def test_distances_are_symmetric_and_at_most_the_euclidean_distance(group, shape):
    v = rand(*shape, seed=2)
    found = align(v, group)
    assert found.tau.shape == (shape[0], shape[0], group.dimension())
    assert torch.equal(found.d2, found.d2.T)
    assert (found.d2.diagonal() == 0).all()
    assert (found.d2 >= 0).all()
    assert (found.d2 <= euclid(v) + 1e-9).all()
    assert (found.tau.diagonal() == 0).all()


def test_rotated_and_translated_copies_are_near_and_different_drawings_are_not():
    d2 = align(pictures()).d2
    same = torch.block_diag(*[torch.ones(2, 2, device="cpu")] * 3).bool()
    assert d2[same].max() < FLOOR
    assert d2[~same].min() > 0.25


def test_the_distance_does_not_change_when_either_image_is_transformed():
    d2 = align(pictures()).d2[::2, ::2]
    other = align(torch.cat([turned(v[None], (77, -2.4, 3.9)) for v in pictures()[1::2]])).d2
    torch.testing.assert_close(
        other, d2, atol=3 * FLOOR, rtol=0
    )  # the images have been interpolated three times


@pytest.mark.parametrize("channels", [1, 3])
def test_the_pose_warps_the_first_image_onto_the_second(channels):
    v = pictures().repeat(1, channels, 1, 1) * tensor([1, 0.5, 0.8])[:channels, None, None]
    found = align(v)
    for i, j in ((0, 1), (1, 0), (3, 2), (4, 5)):
        moved = SE2.act(v[i : i + 1], found.tau[i, j][None])
        assert (moved - v[j]).square().sum() < 2 * FLOOR * v[j].square().sum()
        there_and_back = SE2.compose(found.tau[i, j][None], found.tau[j, i][None])
        assert there_and_back.abs().max() < 0.15


def test_generated_poses_are_recovered():
    poses = ((0, 0, 0), (35, 2.5, -3.2), (-120, -4.1, 0.6), (178, 0.4, 5.3))
    for name in ("crab", "seven", "snail"):
        tau = align(turned(drawing(name), *poses)).tau
        for k, (degrees, p, q) in enumerate(poses):
            theta, *shift = tau[0, k].tolist()
            error = (np.degrees(theta) - degrees + 180) % 360 - 180
            assert abs(error) < 0.5
            assert np.hypot(shift[0] - p, shift[1] - q) < 0.25


@pytest.mark.parametrize("name", ["translation", "similarity", "affine", "projective"])
def test_copies_transformed_by_the_group_are_near(name):
    group, v = GROUPS[name], drawing("snail")
    copies = torch.cat([v, group.unitary(v.expand(2, -1, -1, -1), near(group, 3, n=2))])
    assert align(copies, group).d2.max() < 2 * FLOOR


@pytest.mark.parametrize("name", ["similarity", "affine", "projective"])
def test_a_copy_enlarged_by_half_matches_in_both_directions(name):
    v = torch.cat([drawing(name, 64, 0.4) for name in ("crab", "seven", "snail", "three")])
    scale = tensor([[0.0, 0.38, 2.0, -1.0]]).expand(4, -1)
    copies = normalise(torch.cat([v, GROUPS["similarity"].act(v, scale)]))
    assert align(copies, GROUPS[name]).d2.diagonal(4).max() < 0.04


def test_a_rotation_cannot_undo_a_translation_or_vice_versa():
    v = drawing("crab")
    shifted, turned_ = turned(v, (0, 0, 0), (0, 3, -4)), turned(v, (0, 0, 0), (90, 0, 0))
    rotation, translation = GROUPS["rotation"], GROUPS["translation"]
    assert align(turned_, rotation).d2.max() < FLOOR < 0.2 < align(shifted, rotation).d2.max()
    assert align(shifted, translation).d2.max() < FLOOR < 0.2 < align(turned_, translation).d2.max()


@EVERY_GROUP
def test_a_blank_image_is_not_near_any_image_with_content(group):
    v = torch.cat([blobs(2), torch.zeros_like(blobs(2))])
    found = align(v, group)
    square = v.flatten(1).square().sum(1)
    torch.testing.assert_close(found.d2[:2, 2:], square[:2, None].expand(2, 2))
    assert found.d2[2, 3] == 0
    assert found.tau.isfinite().all()


@pytest.mark.parametrize("group", [GROUPS["rotation"], SE2], ids=["rotation", "se2"])
def test_the_identity_is_preferred_to_equally_good_poses_despite_rounding_errors(group):
    """Four rotations map a cross onto itself."""
    v = torch.zeros(3, 1, 32, 32, device="cpu")
    v[:, 0, 14:18, 6:26] = 1
    v[:, 0, 6:26, 14:18] = 1
    for seed in range(4):
        noise = 1e-7 * rand(*v.shape, seed=seed, low=-1, high=1).float()
        assert (align(normalise(v * (1 + noise)), group).tau == 0).all()


def test_an_image_that_has_left_the_frame_is_not_near_other_images():
    v = drawing("crab")
    gone = turned(v, (0, 0, 0), (0, 24, 3), (50, -20, 20), (0, 200, 0))
    norm = gone.flatten(1).norm(dim=1)
    d2 = align(gone).d2
    assert (norm[1:] < 0.8).all()
    assert (d2 >= (norm[:, None] - norm).square() - FLOOR).all()
    assert d2[0, 3] == pytest.approx(1)


def test_distances_with_smoothing_compare_smoothed_images():
    v = pictures()
    torch.testing.assert_close(align(v, sigma=1.5).d2, align(blur(v, 1.5)).d2)


def test_results_in_single_precision_agree_with_those_in_double_precision():
    double, single = align(pictures()).d2, align(pictures(torch.float32)).d2
    assert single.dtype == torch.float32
    torch.testing.assert_close(single.double(), double, atol=5e-3, rtol=0)


def test_the_order_of_the_images_does_not_matter():
    v, order = pictures(), [3, 1, 5, 0, 4, 2]
    torch.testing.assert_close(align(v[order]).d2, align(v).d2[order][:, order], atol=5e-3, rtol=0)


@pytest.mark.cpu_only("the exhaustive search takes a minute and does not test devices")
@pytest.mark.parametrize(("i", "j"), [(0, 3), (2, 8)])
def test_distances_agree_with_an_exhaustive_search_in_double_precision(i, j):
    v = experiment_1(seed=4)[0][[i, j]]
    wanted = manifold_distance(*v[:, 0].double().numpy())
    found = float(align(normalise(v)).d2[0, 1])
    assert found == pytest.approx(wanted, abs=0.005)
