import numpy as np
import pytest
import torch
from scipy.interpolate import RBFInterpolator

from ia_engine.images import pixel_grid
from ia_engine.transforms.elastic import KNOTS, Elastic
from ia_engine.transforms.tps import POINTS, ThinPlateSpline
from tests.tensors import rand, tensor

BOTH = pytest.mark.parametrize("warp", [ThinPlateSpline(), Elastic()], ids=["tps", "elastic"])


def displacement(warp, tau, height, width):
    return warp.field(tau, height, width) - pixel_grid(height, width, tau)


def test_the_spline_agrees_with_scipy():
    tau = rand(1, 2 * POINTS**2, low=-3, high=3)
    axis = np.linspace(-1, 1, POINTS)
    control = np.stack(np.meshgrid(axis, axis, indexing="ij"), -1).reshape(-1, 2)
    moved = tau.reshape(2, -1).T.numpy()
    spline = RBFInterpolator(control, moved, kernel="thin_plate_spline", degree=1)
    rows, columns = np.linspace(-1, 1, 10), np.linspace(-1, 1, 13)
    points = np.stack(np.meshgrid(rows, columns, indexing="ij"), -1).reshape(-1, 2)
    found = displacement(ThinPlateSpline(), tau, 10, 13).reshape(-1, 2)
    np.testing.assert_allclose(found.numpy(), spline(points), atol=1e-10)


def test_the_spline_moves_its_control_points_by_their_coordinates():
    tau = rand(2, 2 * POINTS**2, low=-3, high=3)
    found = displacement(ThinPlateSpline(), tau, 10, 13)[:, ::3, ::4]
    torch.testing.assert_close(found.movedim(-1, 1).reshape(2, -1), tau)


def test_elastic_displacements_never_exceed_those_of_the_knots():
    tau = rand(3, 2 * KNOTS**2, low=-2, high=2)
    found = displacement(Elastic(), tau, 20, 30)
    assert found.abs().amax() <= tau.abs().amax()
    assert found.diff(dim=1).abs().amax() < 1


@BOTH
def test_equal_displacements_of_all_points_are_a_translation(warp):
    count = warp.dimension() // 2
    tau = tensor([[1.5] * count + [-2.0] * count])
    found = displacement(warp, tau, 7, 12)
    torch.testing.assert_close(found, tensor([1.5, -2.0]).expand_as(found))


@BOTH
def test_the_displacements_of_rows_come_before_those_of_columns(warp):
    count = warp.dimension() // 2
    found = displacement(warp, tensor([[1.0] * count + [0.0] * count]), 5, 5)
    assert found[..., 0].min() > 0.9
    assert found[..., 1].abs().max() < 1e-9


@BOTH
def test_zero_leaves_every_point_exactly_where_it_is(warp):
    tau = warp.identity(2, tensor([]).float())
    assert not displacement(warp, tau, 28, 31).any()
