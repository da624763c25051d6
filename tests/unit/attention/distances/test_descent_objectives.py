import numpy as np
import pytest
import torch

from ia_engine.attention.distances.descent import CANVAS, MANIFOLD, enclose, stage
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor
from tests.unit.attention.scenes import drawing, near, turned

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())
EVERY_OBJECTIVE = pytest.mark.parametrize("objective", [MANIFOLD, CANVAS], ids=["d2", "canvas"])
SE2 = GROUPS["se2"]


def by_hand(objective, group, a, b, tau):
    """The objective of two images and one pose, computed from its formula in double precision."""
    if objective is CANVAS:
        return float((group.act(a, tau) - b).square().sum())
    inner = (group.unitary(a, tau) * b).sum()
    return float(a.square().sum() + b.square().sum() - 2 * inner)


def evaluate(objective, group, a, b, tau):
    u = enclose(objective.act(a, group, tau))[:, None]
    return objective.value(u, a.square().sum()[None, None], enclose(b))


@EVERY_GROUP
@EVERY_OBJECTIVE
@pytest.mark.parametrize("channels", [1, 3])
def test_the_value_agrees_with_the_formula(objective, group, channels):
    a, b = blobs(1, channels, seed=1), blobs(1, channels, seed=2)
    tau = near(group, 5)
    found = float(evaluate(objective, group, a, b, tau))
    assert found == pytest.approx(by_hand(objective, group, a, b, tau))


@EVERY_GROUP
@EVERY_OBJECTIVE
@pytest.mark.parametrize("channels", [1, 3])
def test_the_slope_is_the_numerical_derivative_in_every_direction(objective, group, channels):
    a, b = (blobs(1, channels, size=75, sigma=6.0, reach=0.15, seed=seed) for seed in (1, 2))
    tau = near(group, 5, part=0.5)
    u = enclose(objective.act(a, group, tau))[:, None]
    target = stage(b, group)
    slope, unit = objective.slope(u, target)[0, 0], target.metric[0].diagonal().sqrt()
    for axis, found in enumerate(slope.tolist()):
        nudge = 1e-4 * tensor(np.eye(len(slope))[axis])[None]
        there, back = (
            by_hand(objective, group, a, b, group.pose(group.matrix(tau) @ group.matrix(move)))
            for move in (nudge, -nudge)
        )
        assert found == pytest.approx((there - back) / 2e-4, rel=0.04, abs=0.02 * float(unit[axis]))


@EVERY_GROUP
@pytest.mark.parametrize("channels", [1, 2])
def test_the_generators_act_on_the_pixels_as_skew_symmetric_matrices(group, channels):
    now = stage(rand(3, channels, 9, 12), group)
    product = torch.einsum("nsa,ns->na", now.lifted, now.v.flatten(1))
    assert product.abs().max() < 1e-10 * now.lifted.abs().max()


def test_the_metric_agrees_with_its_sum_over_the_edges_and_bounds_the_curvature():
    v = drawing("crab", 24)
    now = stage(v, SE2)
    picture = np.pad(v[0, 0].numpy(), 2)
    metric = np.zeros((3, 3))
    for row in range(1, 27):
        for column in range(1, 27):
            p, q = row - 13.5, column - 13.5
            down = (picture[row + 1, column] - picture[row - 1, column]) / 2
            right = (picture[row, column + 1] - picture[row, column - 1]) / 2
            motion = np.array([[q, -p], [1, 0], [0, 1]])
            metric += 2 * (down**2 + right**2) * motion @ motion.T
    np.testing.assert_allclose(now.metric[0].numpy(), metric * 1.01, rtol=1e-6, atol=1e-9)
    lifted = now.lifted[0]
    assert torch.linalg.eigvalsh(now.metric[0] - 2 * lifted.T @ lifted).min() >= 0


def test_leaving_the_frame_lowers_the_canvas_objective_but_not_the_manifold_objective():
    a, b = turned(drawing("crab", fill=0.4), (0, 12, 12), (0, -12, -12)).split(1)
    far = tensor([[0.0, 200.0, 0.0]])
    still = SE2.identity(1, a)
    away, there = (float(evaluate(CANVAS, SE2, a, b, tau)) for tau in (far, still))
    assert away < 0.6 * there
    assert float(evaluate(MANIFOLD, SE2, a, b, far)) == pytest.approx(there, abs=0.05)


@pytest.mark.parametrize("v", [torch.zeros(2, 1, 8, 8, device="cpu")], ids=["blank"])
def test_the_metric_is_positive_definite_for_an_image_without_edges(v):
    assert torch.linalg.cholesky_ex(stage(v, SE2).metric).info.sum() == 0
