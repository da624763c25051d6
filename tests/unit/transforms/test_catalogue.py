import pytest
import torch

from ia_engine.errors import EngineError
from ia_engine.images import bilinear
from ia_engine.transforms import GROUPS, TRANSFORMS
from ia_engine.transforms.base import Warp
from tests.tensors import rand

EVERY = pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS.keys())
WARPS = {name: warp for name, warp in TRANSFORMS.items() if isinstance(warp, Warp)}
SMALL = 0.05


def some_poses(transform, n, channels=1, dtype=torch.float64):
    return rand(n, transform.dimension(channels), low=-SMALL, high=SMALL, dtype=dtype)


def test_groups_are_listed_from_the_smallest_to_the_largest():
    known = {
        "translation": 2,
        "rotation": 1,
        "se2": 3,
        "similarity": 4,
        "affine": 6,
        "projective": 8,
    }
    dimensions = {name: group.dimension() for name, group in GROUPS.items() if name in known}
    assert list(dimensions.items()) == list(known.items())


@EVERY
def test_names_of_transforms_are_their_keys_in_the_catalogue(transform):
    assert TRANSFORMS[transform.name] is transform


@EVERY
def test_zero_is_within_every_range(transform):
    for part in transform.coordinates(3):
        part.range.check(part.name, 0.0)
        assert part.count > 0


@EVERY
@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("size", [(8, 9), (1, 6), (6, 1), (1, 1)])
def test_with_coordinates_of_zero_every_transform_is_the_identity(transform, channels, size):
    v = rand(2, channels, *size)
    same = transform.act(v, transform.identity(2, v, channels))
    torch.testing.assert_close(same, v, atol=1e-12, rtol=0)


@EVERY
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_result_has_the_shape_type_and_device_of_the_image(transform, dtype):
    v = rand(2, 3, 6, 7, dtype=dtype)
    result = transform.act(v, some_poses(transform, 2, 3, dtype))
    assert (result.shape, result.dtype, result.device) == (v.shape, v.dtype, v.device)
    assert result.isfinite().all()


@EVERY
def test_images_are_transformed_independently(transform):
    v, tau = rand(3, 2, 6, 7), some_poses(transform, 3, 2)
    together = transform.act(v, tau)
    alone = torch.cat([transform.act(v[i : i + 1], tau[i : i + 1]) for i in range(3)])
    torch.testing.assert_close(together, alone)


@EVERY
def test_an_empty_batch_is_accepted_and_arguments_are_not_modified(transform):
    v, tau = rand(2, 1, 6, 6), some_poses(transform, 2)
    before = v.clone(), tau.clone()
    transform.act(v, tau)
    assert torch.equal(v, before[0])
    assert torch.equal(tau, before[1])
    assert transform.act(v[:0], tau[:0]).shape == (0, 1, 6, 6)


@EVERY
def test_coordinates_of_the_wrong_shape_are_refused_with_one_message(transform):
    v, p = rand(2, 1, 6, 6), transform.dimension()
    for shape in ((2, p + 1), (3, p), (p,)):
        with pytest.raises(EngineError, match=rf"^tau must have the axes \[2 {p}\]; got"):
            transform.act(v, rand(*shape))


@pytest.mark.parametrize("warp", WARPS.values(), ids=WARPS.keys())
def test_a_warp_uses_the_given_interpolation(warp):
    v, tau = rand(1, 1, 6, 6), some_poses(warp, 1)
    expected = bilinear(v, warp.field(tau, 6, 6))
    torch.testing.assert_close(warp.act(v, tau, bilinear), expected)
