from itertools import pairwise

import pytest
import torch

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.means.mean import TAIL, Arithmetic, Invariant, sharpness
from ia_engine.attention.weights import weigh
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor
from tests.unit.attention.scenes import drawing, near, turned

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())
SE2 = GROUPS["se2"]
FLOOR = 0.02
"""Upper limit of the squared distance between a drawing and the mean of its rotated copies."""
POSES = ((0, 0, 0), (50, 2.3, -4.4), (-130, -3.6, 1.5), (95, 0.4, 3.7))


def even(n, like):
    return torch.full((n, n), 1 / n, dtype=like.dtype, device=like.device)


def alone(n, like):
    return torch.eye(n, dtype=like.dtype, device=like.device)


def copies(name="crab"):
    return turned(drawing(name), *POSES)


def test_the_arithmetic_mean_is_a_product_with_the_weights():
    v, W = rand(5, 3, 4, 6), rand(5, 5, seed=1).softmax(0)
    wanted = (v.flatten(1).T @ W).T.view_as(v)
    torch.testing.assert_close(Arithmetic().average(v, W, None), wanted)
    x = rand(5, 2, seed=2)
    torch.testing.assert_close(Arithmetic().average(x, W, None), W.T @ x)


@EVERY_GROUP
@pytest.mark.parametrize("shape", [(1, 1, 9, 9), (3, 3, 10, 13), (2, 1, 13, 8)])
def test_images_that_attend_only_to_themselves_are_unchanged(group, shape):
    v = rand(*shape)
    tau = GlobalSearch(group).align(v).tau
    mu = Invariant(group).average(v, alone(len(v), v), tau)
    torch.testing.assert_close(mu, v)


@pytest.mark.parametrize("name", ["crab", "snail"])
def test_the_mean_of_copies_equals_the_copy_that_it_replaces(name):
    v = copies(name)
    mu = Invariant(SE2).average(v, even(4, v), GlobalSearch(SE2).align(v).tau)
    assert (mu - v).square().sum((1, 2, 3)).max() < FLOOR
    assert Arithmetic().average(v, even(4, v), None).sub(v).square().sum((1, 2, 3)).min() > 0.3


def test_copies_near_the_identity_are_aligned_without_a_warm_start():
    v = turned(drawing("crab"), (0, 0, 0), (2, 0.5, -0.5), (-2, -0.4, 0.6))
    mu = Invariant(SE2, rounds=3).average(v, even(3, v), None)
    assert (mu - v).square().sum((1, 2, 3)).max() < FLOOR


def objective(v, W, mu):
    """min over the poses of Σ_i W_ij ‖U(τ_i)v_i - μ_j‖², for every j."""
    fitted = GlobalSearch(SE2).align(torch.cat([v, mu])).d2[: len(v), len(v) :]
    return (W * fitted).sum(0)


def test_additional_rounds_do_not_raise_the_objective():
    v = torch.cat([copies("crab")[:2], copies("snail")[:2], copies("seven")[:2]])
    found = GlobalSearch(SE2).align(v)
    W = weigh(found.d2, 1.0)
    values = [
        objective(v, W, Invariant(SE2, rounds=rounds).average(v, W, found.tau))
        for rounds in range(4)
    ]
    for before, after in pairwise(values):
        assert (after <= before + 2e-3).all()


def test_ignoring_small_weights_changes_a_mean_by_less_than_their_sum():
    v = blobs(30, size=17)
    W = weigh(3 * rand(30, 30, seed=3), 8.0)
    found = Invariant(GROUPS["translation"], rounds=0).average(v, W, None)
    exact = Arithmetic().average(v, W, None)
    largest = v.flatten(1).norm(dim=1).max()
    assert (found - exact).flatten(1).norm(dim=1).max() < 2 * TAIL * largest
    assert not torch.allclose(found, exact, atol=1e-9)


@EVERY_GROUP
def test_colour_images_of_any_shape_can_be_averaged(group):
    v = blobs(3, 3, size=19)[..., 1:-1]
    moved = torch.cat([v[:1], group.unitary(v[:1], near(group, 2, part=0.3))])
    tau = GlobalSearch(group).align(moved).tau
    mu = Invariant(group).average(moved, even(2, v), tau)
    scale = moved.square().sum((1, 2, 3))
    assert ((mu - moved).square().sum((1, 2, 3)) < FLOOR * scale).all()


def test_smoothing_affects_the_poses_but_not_the_pixels():
    v = copies()
    tau = GlobalSearch(SE2, 2.0).align(v).tau
    mu = Invariant(SE2, 2.0).average(v, even(4, v), tau)
    assert (mu - v).square().sum((1, 2, 3)).max() < 2 * FLOOR


def test_arguments_are_not_modified():
    v = copies()
    tau, W = GlobalSearch(SE2).align(v).tau, even(4, v)
    before = [x.clone() for x in (v, W, tau)]
    Invariant(SE2).average(v, W, tau)
    assert all(map(torch.equal, before, (v, W, tau)))


def test_sharpness_is_the_energy_of_the_differences_relative_to_the_images():
    v, mu = rand(3, 2, 5, 6), rand(2, 2, 5, 6, seed=1)

    def energy(image):
        framed = torch.nn.functional.pad(image, (1, 1, 1, 1)).tolist()
        return sum(
            (plane[p][q] - plane[p - 1][q]) ** 2 + (plane[p][q] - plane[p][q - 1]) ** 2
            for plane in framed
            for p in range(7)
            for q in range(8)
            if p and q
        )

    wanted = [energy(image) / (sum(map(energy, v)) / 3) for image in mu]
    torch.testing.assert_close(sharpness(mu, v), tensor(wanted))


def test_the_aligned_mean_is_sharp_and_the_mean_of_pixels_is_not():
    v = copies()
    W = even(4, v)
    sharp = Invariant(SE2).average(v, W, GlobalSearch(SE2).align(v).tau)
    assert sharpness(v, v).mean() == pytest.approx(1)
    assert sharpness(sharp, v).min() > 0.8
    assert sharpness(Arithmetic().average(v, W, None), v).max() < 0.5
    assert (sharpness(v, torch.zeros_like(v)).isfinite()).all()
