import pytest
import torch

from ia_engine.attention.means.solvers import read_slopes
from ia_engine.errors import EngineError
from ia_engine.images import keys
from tests.tensors import rand


def scattered(n, seed=1, reach=14.0):
    """Points inside, at the border of and far outside a canvas of 9 × 12."""
    return rand(n, 5, 7, 2, seed=seed, low=-reach, high=reach)


@pytest.mark.parametrize("channels", [1, 3])
def test_the_values_agree_with_keys_interpolation(channels):
    v, field = rand(4, channels, 9, 12), scattered(4)
    torch.testing.assert_close(read_slopes(v, field)[0], keys(v, field))


def test_the_slopes_are_the_derivatives_of_keys_interpolation():
    v, field = rand(3, 2, 9, 12), scattered(3, reach=8)
    slope, h = read_slopes(v, field)[1], 1e-6
    for axis in range(2):
        nudge = torch.zeros_like(field)
        nudge[..., axis] = h
        wanted = (keys(v, field + nudge) - keys(v, field - nudge)) / (2 * h)
        torch.testing.assert_close(slope[..., axis], wanted, atol=1e-6, rtol=0)
    assert slope.abs().max() > 0.1


def test_values_far_outside_the_image_are_zero():
    value, slope = read_slopes(rand(2, 1, 6, 6), scattered(2) + 50)
    assert (value == 0).all()
    assert (slope == 0).all()


def test_axes_are_validated():
    with pytest.raises(EngineError, match="n c h w"):
        read_slopes(rand(8, 8), scattered(1))
    with pytest.raises(EngineError, match="3 h w 2"):
        read_slopes(rand(3, 1, 8, 8), scattered(2))
