import math

import pytest
import torch

from ia_engine.attention.clusters.embedding import embed, embed_steps, turn_onto
from tests.tensors import rand, tensor


def distances(points):
    return torch.cdist(points, points).square()


def test_points_in_the_plane_are_recovered_with_all_their_distances():
    points = rand(12, 2, seed=3)
    plane = embed(distances(points))
    torch.testing.assert_close(distances(plane.points), distances(points))
    assert plane.kept == pytest.approx(1)


def test_the_plane_keeps_only_two_thirds_of_the_variance_of_four_equidistant_points():
    d2 = 1 - torch.eye(4, dtype=torch.float64, device="cpu")
    assert embed(d2).kept == pytest.approx(2 / 3)


def test_embedded_points_stay_where_they_are_if_no_distance_changes():
    points = rand(9, 2, seed=1)
    turn = tensor([[math.cos(2), math.sin(2)], [math.sin(2), -math.cos(2)]])
    first, second = embed_steps([distances(points), distances(points @ turn)])
    torch.testing.assert_close(first.points, second.points)


def test_points_are_mirrored_onto_their_targets_if_necessary():
    target = rand(7, 2, seed=2)
    mirrored = target.flip(1)
    torch.testing.assert_close(turn_onto(mirrored, target), target)


def test_the_signs_of_the_axes_are_deterministic(monkeypatch):
    """The sign of an eigenvector is arbitrary, and libraries return different signs."""
    d2 = tensor([[0.0, 4.0, 16.0, 5.0], [4.0, 0.0, 4.0, 1.0], [16.0, 4.0, 0.0, 5.0],
                 [5.0, 1.0, 5.0, 0.0]])  # fmt: skip
    wanted = embed(d2).points
    found = torch.linalg.eigh
    for signs in ([1.0, 1, 1, -1], [1, 1, -1, 1], [-1, -1, -1, -1]):

        def other(x, signs=signs):
            values, vectors = found(x)
            return torch.return_types.linalg_eigh((values, vectors * tensor(signs)))

        monkeypatch.setattr(torch.linalg, "eigh", other)
        torch.testing.assert_close(embed(d2).points, wanted)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_few_identical_points_can_be_embedded(n):
    plane = embed(torch.zeros(n, n, dtype=torch.float64, device="cpu"))
    assert plane.points.shape == (n, 2)
    assert not plane.points.any()
    assert plane.kept == 1
