import math

import pytest
import torch

from ia_engine.attention.manifolds.landscape import LARGEST, Landscape, survey
from ia_engine.errors import EngineError
from ia_engine.images import blur
from ia_engine.transforms import GROUPS
from tests.tensors import rand, tensor
from tests.unit.attention.scenes import drawing, turned

SE2 = GROUPS["se2"]


def pair(size=32):
    return turned(drawing("snail", size, 0.4), (0, 0, 0), (-40, 3, -2)).split(1)


@pytest.mark.parametrize("sigma", [0.0, 1.5])
@pytest.mark.parametrize("pose", [(0.0, 0, 0), (40.0, 3, -5), (-90.0, -2, 4)])
def test_every_value_is_the_distance_at_its_pose(sigma, pose):
    source, target = pair()
    landscape = survey(source, target).smooth(sigma)
    tau = tensor([[math.radians(pose[0]), *pose[1:]]])
    moved, still = blur(SE2.act(source, tau), sigma), blur(target, sigma)
    square = blur(source, sigma).square().sum() + still.square().sum()
    wanted = square - 2 * (moved * still).sum()
    found = landscape.slice_at(float(tau[0, 0]))[16 + pose[1], 16 + pose[2]]
    assert float(found) == pytest.approx(float(wanted), abs=0.02)
    assert float(landscape.height) == pytest.approx(float(square), rel=1e-3)


def test_the_basin_contains_the_first_of_two_equal_minima_despite_rounding_errors():
    turn = torch.arange(40, device="cpu")
    dip = torch.minimum((turn - 10).abs(), (turn - 30).abs()).clamp_max(8) / 8.0
    shift = (torch.arange(5, device="cpu") - 2).abs() / 20
    d2 = (0.5 + dip)[:, None, None] + shift[:, None] + shift
    for seed in range(4):
        noise = 1e-7 * rand(40, 1, 1, seed=seed, low=-1, high=1).float()
        basin = Landscape(turn / 40.0, d2 * (1 + noise), tensor(2.0), 1.0).basin()[:, 2, 2]
        assert basin[10]
        assert not basin[20:].any()


def test_the_curve_is_lowest_at_the_rotation_between_the_images():
    source, target = pair()
    landscape = survey(source, target).smooth(0.5)
    assert math.degrees(landscape.theta[landscape.curve().argmin()]) == pytest.approx(-40, abs=2)
    assert (landscape.curve() <= landscape.d2.flatten(1).amin(1)).all()


def test_smoothing_widens_the_basin_around_the_minimum():
    source, target = pair()
    found = survey(source, target)
    shares = []
    for sigma in (0.0, 1.5):
        landscape = found.smooth(sigma)
        basin = landscape.basin()
        assert basin.flatten()[landscape.d2.argmin()]
        shares.append(float(basin.double().mean()))
    assert shares[1] > 1.2 * shares[0]


@pytest.mark.parametrize("shape", [(1, 1, 8, 8), (1, 3, 9, 14), (1, 1, 13, 7)])
def test_images_of_any_shape_and_blank_images_have_a_landscape(shape):
    landscape = survey(rand(*shape), torch.zeros_like(rand(*shape))).smooth(1.0)
    assert landscape.d2.shape == (180, 2 * (shape[2] // 2) + 1, 2 * (shape[3] // 2) + 1)
    torch.testing.assert_close(landscape.d2, landscape.height.expand_as(landscape.d2))
    assert landscape.basin().shape == landscape.d2.shape


def test_images_that_are_too_large_or_have_different_shapes_are_refused():
    with pytest.raises(EngineError, match="resize them first"):
        survey(*[torch.zeros_like(rand(1, 1, LARGEST + 1, 8))] * 2)
    with pytest.raises(EngineError, match="target"):
        survey(rand(1, 1, 8, 8), rand(1, 1, 8, 9))
