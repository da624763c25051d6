"""Group laws for every entry in the catalogue."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck

from ia_engine.images import pixel_grid
from ia_engine.transforms import GROUPS, TRANSFORMS
from ia_engine.transforms.base import move
from tests.tensors import blobs, rand, tensor

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())
EVERY = pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS.keys())
few_examples = settings(max_examples=15, derandomize=True, deadline=None, database=None)
seeds = st.integers(0, 2**16)

LARGEST = {"shift": 3.0, "turn": 3.0, "scale": 0.4, "stretch": 0.2, "perspective": 0.004}
"""Largest coordinates of poses that keep images on the canvas and in front of the horizon, even
when two poses are composed.
"""


def poses(group, seed, n=2, part=1.0):
    """n random poses; each coordinate is at most this share of its maximum."""
    parts = [c for c in group.coordinates() for _ in range(c.count)]
    largest = [LARGEST.get(c.name, c.range.high / 2) for c in parts]
    return rand(n, group.dimension(), low=-part, high=part, seed=seed) * tensor(largest)


def assert_same(a, b, atol=1e-9):
    torch.testing.assert_close(a, b, atol=atol, rtol=0)


@EVERY_GROUP
@few_examples
@given(seed=seeds)
def test_composition_is_associative(group, seed):
    a, b, c = (poses(group, seed + k, part=0.3) for k in range(3))
    left, right = group.compose(group.compose(a, b), c), group.compose(a, group.compose(b, c))
    assert_same(left, right)


@EVERY_GROUP
@few_examples
@given(seed=seeds)
def test_zero_is_the_neutral_element_on_both_sides(group, seed):
    a = poses(group, seed)
    assert_same(group.compose(a, torch.zeros_like(a)), a)
    assert_same(group.compose(torch.zeros_like(a), a), a)


@EVERY_GROUP
@few_examples
@given(seed=seeds)
def test_the_inverse_cancels_a_pose_on_both_sides(group, seed):
    a = poses(group, seed)
    zero = torch.zeros_like(a)
    assert_same(group.compose(a, group.inverse(a)), zero)
    assert_same(group.compose(group.inverse(a), a), zero)


@EVERY_GROUP
@few_examples
@given(seed=seeds)
def test_conversion_from_poses_to_matrices_inverts_conversion_from_matrices_to_poses(group, seed):
    a, b = poses(group, seed), poses(group, seed + 1)
    assert_same(group.pose(group.matrix(a)), a)
    product = group.matrix(a) @ group.matrix(b)
    product = product / product[:, 2:, 2:]
    assert_same(group.matrix(group.pose(product)), product)


@EVERY_GROUP
@few_examples
@given(seed=seeds)
def test_the_field_of_a_composition_applies_the_second_pose_before_the_first(group, seed):
    a, b = poses(group, seed, 1), poses(group, seed + 1, 1)
    composed = group.field(group.compose(a, b), 7, 8)
    assert_same(composed, move(group.matrix(a), group.field(b, 7, 8)[0]))


@EVERY_GROUP
@few_examples
@given(seed=seeds)
def test_groups_act_on_images_from_the_right(group, seed):
    v = blobs(n=2, size=41, seed=seed, sigma=3, reach=0.1)
    a, b = poses(group, seed, part=0.5), poses(group, seed + 1, part=0.5)
    twice = group.act(group.act(v, a), b)
    assert_same(twice, group.act(v, group.compose(a, b)), atol=0.01)


@EVERY_GROUP
def test_composition_is_commutative_exactly_if_the_generators_commute(group):
    a, b = poses(group, 1), poses(group, 2)
    commutes = torch.allclose(group.compose(a, b), group.compose(b, a))
    products = torch.einsum("apq,bqr->abpr", *2 * [tensor(group.generators)])
    assert commutes == torch.equal(products, products.transpose(0, 1)), (
        "the group commutes exactly if its generators do"
    )


@EVERY_GROUP
def test_the_generators_are_the_derivatives_of_the_matrix_at_zero(group):
    zero = tensor([0.0] * group.dimension())
    slope = torch.autograd.functional.jacobian(lambda tau: group.matrix(tau[None])[0], zero)
    assert_same(slope.movedim(-1, 0), tensor(group.generators))


@EVERY_GROUP
@few_examples
@given(seed=seeds)
def test_the_unitary_action_preserves_the_norm_of_an_image_within_the_canvas(group, seed):
    v = blobs(n=2, size=61, seed=seed, sigma=4, reach=0.1)
    moved = group.unitary(v, poses(group, seed))
    torch.testing.assert_close(
        moved.flatten(1).norm(dim=1), v.flatten(1).norm(dim=1), rtol=5e-3, atol=0
    )


@EVERY_GROUP
@few_examples
@given(seed=seeds)
def test_the_unitary_action_is_compatible_with_composition(group, seed):
    v = blobs(n=1, size=41, seed=seed, sigma=3)
    a, b = poses(group, seed, 1, part=0.5), poses(group, seed + 1, 1, part=0.5)
    twice = group.unitary(group.unitary(v, a), b)
    assert_same(twice, group.unitary(v, group.compose(a, b)), atol=0.015)


@EVERY
@pytest.mark.parametrize("away", [0.0, 1.0], ids=["at the identity", "away from it"])
def test_gradients_agree_with_finite_differences(transform, away):
    v = rand(1, 2, 5, 6).requires_grad_()
    tau = (away * rand(1, transform.dimension(2), low=0.01, high=0.04, seed=3)).requires_grad_()
    assert gradcheck(transform.act, (v, tau))


@EVERY
@few_examples
@given(seed=seeds)
def test_zero_leaves_images_unchanged(transform, seed):
    for dtype in (torch.float32, torch.float64):
        v = rand(2, 3, 6, 7, seed=seed, dtype=dtype)
        assert_same(transform.act(v, transform.identity(2, v, channels=3)), v, atol=1e-6)


def test_the_pixel_grid_is_symmetric_about_its_centre():
    points = pixel_grid(4, 7, tensor([]))
    assert_same(points, -points.flip(0, 1))
