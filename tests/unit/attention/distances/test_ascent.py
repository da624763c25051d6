import math

import pytest
import torch

from ia_engine.attention.distances import ascent
from ia_engine.attention.distances.ascent import ImagePairs, ascend
from ia_engine.attention.distances.bounds import SCALES
from ia_engine.attention.distances.templates import prepare
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor
from tests.unit.attention.scenes import corner_error, drawing, near

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())


def climb(v, w, start, group, steps):
    """Align v[i] with w[i], with one start for each i; return the poses and their scores."""
    rows = torch.arange(len(v), device="cpu")[:, None]
    pairs = ImagePairs(prepare(v, group), rows, prepare(w, group))
    found = ascend(pairs, group.matrix(start)[:, None, None], group, steps)
    return group.pose(found.matrix[:, 0, 0]), found.score[:, 0, 0]


@EVERY_GROUP
def test_without_steps_only_the_score_of_the_start_is_computed(group):
    v, w = blobs(3, 2, size=31), blobs(3, 2, size=31, seed=5)
    tau = near(group, 1, n=3)
    pose, score = climb(v, w, tau, group, 0)
    torch.testing.assert_close(pose, tau)
    wanted = (group.unitary(v, tau) * w).flatten(1).sum(1)
    torch.testing.assert_close(score, wanted, rtol=0.01, atol=0)


def displacement(xi, metric):
    """Root mean square displacement [px] of a window's pixels under motions."""
    return torch.einsum("na,ab,nb->n", xi, metric, xi).sqrt()


@EVERY_GROUP
def test_newton_steps_without_damping_converge_quadratically(group, monkeypatch):
    monkeypatch.setattr(ascent, "DAMPING", 0.0)
    v = blobs(6, size=61, sigma=3, reach=0.3)
    metric = prepare(v, group).metric
    start = near(group, 3, n=6)
    start = start / displacement(start, metric)[:, None]
    far, close = (displacement(climb(v, v, e * start, group, 1)[0], metric) for e in (1, 0.5))
    floor = 0.04  # [px], the error due to interpolation
    assert (far < 0.15).all()
    assert (close < far / 3 + floor).all()


@EVERY_GROUP
def test_steps_never_lower_the_score(group):
    v, w = rand(6, 1, 15, 16, seed=1), rand(6, 1, 15, 16, seed=2)
    start = near(group, 4, n=6, part=0.5)
    scores = torch.stack([climb(v, w, start, group, steps)[1] for steps in range(5)])
    assert (scores.diff(dim=0) >= -1e-12).all()
    assert scores[-1].sum() > scores[0].sum()


@pytest.mark.parametrize("name", ["similarity", "affine", "projective"])
@pytest.mark.parametrize("factor", [0.4, 2.5])
def test_images_are_not_scaled_beyond_the_bounds(name, factor):
    group = GROUPS[name]
    v = blobs(3, size=61, sigma=5, reach=0.1)
    wanted = tensor([[0, math.log(factor), 0, 0]] * 3)
    w = GROUPS["similarity"].unitary(v, wanted)
    pose, _ = climb(v, w, group.identity(3, v), group, 12)
    low, high = SCALES
    matrix = group.matrix(pose)
    scales = torch.linalg.svdvals(matrix[:, :2, :2] - matrix[:, :2, 2:] * matrix[:, 2:, :2])
    slack = 0.05 if group.perspective else 0.01  # the bounds hold at the windows' centres
    assert (scales >= low - slack).all()
    assert (scales <= high + slack).all()


@pytest.mark.parametrize("name", ["similarity", "affine", "projective"])
@pytest.mark.parametrize("base", ["crab", "seven", "snail"])
def test_the_pose_of_a_drawing_is_found_from_a_nearby_start(name, base):
    group, size = GROUPS[name], 64
    v = drawing(base, size).expand(4, -1, -1, -1)
    truth = near(group, 5, n=4)
    start = truth + near(group, 6, n=4, part=0.3)
    pose, _ = climb(v, group.unitary(v, truth), start, group, 8)
    errors = [corner_error(group, a, b, size) for a, b in zip(pose, truth, strict=True)]
    assert max(errors) < 1


def test_the_size_of_the_blocks_does_not_change_the_result(monkeypatch):
    group = GROUPS["affine"]
    v, start = blobs(5, size=21), near(group, 2, n=20, part=0.3)
    index = torch.arange(20, device="cpu").view(5, 4) % 5
    templates = prepare(v, group)
    found = []
    for block in (1, 1200, 1 << 18):
        monkeypatch.setattr(ascent, "BLOCK", block)
        pairs = ImagePairs(templates, index, templates)
        found.append(ascend(pairs, group.matrix(start).view(5, 4, 1, 3, 3), group, 2))
    for other in found[1:]:
        torch.testing.assert_close(other.matrix, found[0].matrix)
        torch.testing.assert_close(other.score, found[0].score)


def test_blank_images_are_not_moved():
    group = GROUPS["se2"]
    v = torch.zeros(2, 1, 9, 9, dtype=torch.float64, device="cpu")
    start = near(group, 1, n=2)
    pose, score = climb(v, v, start, group, 3)
    torch.testing.assert_close(pose, start)
    assert score.tolist() == [0, 0]
