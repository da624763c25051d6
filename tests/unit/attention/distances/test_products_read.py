from dataclasses import replace

import pytest
import torch

from ia_engine.attention.distances.products import EXACT, LONG, read_cubic, read_lattice
from ia_engine.attention.distances.templates import prepare
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor
from tests.unit.attention import reference

SE2 = GROUPS["se2"]
MODES = ("nearest", "bilinear", "keys")


def reader(v, mode):
    templates = prepare(v, SE2)
    return templates, read_cubic(templates) if mode == "keys" else read_lattice(templates, mode)


def places(n, count=60, reach=14.0):
    """Points (p, q) on the canvas and around it, the same for every image."""
    return rand(count, 2, low=-reach, high=reach, seed=7).expand(n, -1, -1)


def read(v, mode, points):
    """Values [n c s] of every image at points [n s 2] of the canvas, by an interpolation mode."""
    templates, found = reader(v, mode)
    away = points - templates.origin[:, None, :2, 2]
    place = (away.flip(-1) * found.unit).mT[:, :, None]
    return found.read(torch.arange(len(v), device="cpu")[:, None], place)[:, :, 0]


@pytest.mark.parametrize(("mode", "error"), [("nearest", 0.3), ("bilinear", 0.06), ("keys", 0.002)])
def test_every_interpolation_is_close_to_keys_interpolation(mode, error):
    v = blobs(3, 2, size=17, sigma=1.5)
    points = places(3)
    found = read(v, mode, points)
    for image, u, at in zip(v, found, points, strict=True):
        for channel, value in zip(image, u, strict=True):
            wanted = tensor(reference.read(channel.numpy(), *at.T.numpy()))
            assert (value - wanted).abs().max() < error * channel.abs().max()


@pytest.mark.parametrize("mode", MODES)
def test_values_outside_an_image_are_zero_instead_of_those_of_the_next_image_in_the_atlas(mode):
    v = rand(4, 1, 9, 11, seed=3, low=0.5)
    for p, q in ((30, 0), (-30, 0), (0, 40), (0, -40), (9, 9), (-9, -9)):
        assert read(v, mode, tensor([[p, q]]).expand(4, 1, 2)).abs().max() == 0


@pytest.mark.parametrize("mode", MODES)
def test_values_do_not_depend_on_the_position_of_the_image_in_the_set(mode):
    v, order = rand(5, 1, 12, 12, seed=2), [3, 0, 4, 1, 2]
    points = places(5, reach=6.0)
    torch.testing.assert_close(read(v[order], mode, points), read(v, mode, points)[order])


def test_slopes_are_the_derivatives_of_the_values():
    v = blobs(2, size=25, sigma=3)
    _, cubic = reader(v, "keys")
    image = torch.arange(2, device="cpu")[:, None]
    place = rand(2, 2, 1, 40, low=-8, high=8, seed=5)
    value, down, right = cubic.slopes(image, place.clone())
    torch.testing.assert_close(value, cubic.read(image, place.clone()))
    step = 0.25
    for slope, axis in ((right, 0), (down, 1)):
        beside = torch.zeros(2, 1, 1, dtype=place.dtype, device="cpu")
        beside[axis] = step
        ahead, behind = (cubic.read(image, place + sign * beside) for sign in (1, -1))
        error = slope - (ahead - behind) / (2 * step)
        assert error.abs().max() < 0.05 * slope.abs().max()


@pytest.mark.parametrize(("area", "images"), [(2 * EXACT + 999, 3), (10_368, LONG // 10_368 + 9)])
def test_positions_in_the_atlas_are_exact_for_large_and_many_images(area, images):
    _, small = reader(blobs(1, size=9).float(), "keys")
    stride = area // 64
    vast = replace(
        small,
        stride=stride,
        area=area,
        middle=torch.full_like(small.middle, 100.0),
        atlas=torch.empty(1, area * images, device="meta"),
    )
    last = torch.tensor([[images - 1]], device="cpu")
    corner, far = (
        int(vast._locate(last, torch.tensor([[[[q]], [[p]]]], device="cpu") - vast.middle)[0])
        for q, p in ((0.0, 0.0), (1.125, 60.0))
    )
    assert corner // area == images - 1
    assert far - corner == 9 + 60 * stride
