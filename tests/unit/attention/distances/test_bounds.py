import pytest
import torch

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.bounds import SCALES, admits, confine, flatten
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.bases import load_digits
from ia_engine.transforms import GROUPS
from tests.tensors import rand, tensor

HALF = tensor([20.0, 14.0])
LARGER = pytest.mark.parametrize("name", ["similarity", "affine", "projective"])


def maps(name, seed=0, n=200):
    """Maps of a group, most of which exceed the bounds."""
    group = GROUPS[name]
    largest = {"turn": 3.0, "scale": 1.0, "stretch": 1.5, "shift": 9.0, "perspective": 0.05}
    bound = tensor([largest[c.name] for c in group.coordinates() for _ in range(c.count)])
    return group.matrix(bound * rand(n, len(bound), seed=seed, low=-1, high=1))


def measure(matrix):
    """The singular values of the derivative at the centre, and the shares of the horizon."""
    matrix = matrix / matrix[..., 2:, 2:]
    linear = matrix[..., :2, :2] - matrix[..., :2, 2:] * matrix[..., 2:, :2]
    return torch.linalg.svdvals(linear), (matrix[..., 2, :2].abs() * HALF).sum(-1)


@LARGER
def test_confined_maps_have_scales_and_a_horizon_within_the_bounds(name):
    held = confine(maps(name), HALF)
    sizes, horizon = measure(held)
    assert sizes.min() > SCALES[0] - 1e-9
    assert sizes.max() < SCALES[1] + 1e-9
    assert horizon.max() < 1 - SCALES[0] + 1e-9
    assert (torch.linalg.det(held[:, :2, :2] - held[:, :2, 2:] * held[:, 2:, :2]) > 0).all()
    assert admits(held, HALF).all()
    assert GROUPS[name].contains(held)


@LARGER
def test_maps_whose_singular_values_are_within_the_bounds_are_admitted_and_left_unchanged(name):
    matrix = torch.cat([maps(name), GROUPS[name].matrix(0.01 * GROUPS[name].pose(maps(name)))])
    sizes, horizon = measure(matrix)
    upright = torch.linalg.det(matrix) > 0
    inside = (sizes[:, 1] >= SCALES[0]) & (sizes[:, 0] <= SCALES[1]) & upright
    inside = inside & (horizon <= 1 - SCALES[0])
    assert torch.equal(admits(matrix, HALF), inside)
    assert 0 < inside.sum() < len(inside)
    torch.testing.assert_close(confine(matrix[inside], HALF), matrix[inside])


def test_confined_scales_are_the_nearest_admitted_scales():
    matrix = maps("affine")
    left, size, right = torch.linalg.svd(matrix[:, :2, :2])
    upright = torch.linalg.det(matrix[:, :2, :2]) > 0
    wanted = left * size.clamp(*SCALES)[:, None, :] @ right
    torch.testing.assert_close(confine(matrix, HALF)[upright, :2, :2], wanted[upright])


def test_a_flattened_map_is_unchanged_near_the_centre():
    matrix = maps("projective", n=20)
    near = tensor([[1e-4, 2e-4, 1.0]]).T
    tilted, flat = (x @ near for x in (matrix, flatten(matrix)))
    torch.testing.assert_close(flat[:, :2], tilted[:, :2] / tilted[:, 2:], atol=1e-6, rtol=0)


@LARGER
def test_the_poses_found_by_the_global_search_are_within_the_bounds(name):
    group, v = GROUPS[name], normalise(load_digits(24)[0][:8])
    tau = GlobalSearch(group).align(v).tau
    sizes, _ = measure(group.matrix(tau))
    slack = (
        0.02 if group.perspective else 1e-3
    )  # the bounds apply at the centres of the windows, not of the canvas
    assert sizes.min() > SCALES[0] * (1 - 10 * slack)
    assert sizes.max() < SCALES[1] * (1 + 10 * slack)
