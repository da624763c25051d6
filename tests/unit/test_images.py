import numpy as np
import pytest
import torch
from scipy import ndimage

from ia_engine.errors import EngineError
from ia_engine.images import bilinear, blur, keys, pixel_grid, resize
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor

SAMPLERS = pytest.mark.parametrize("sample", [bilinear, keys])
SIZES = pytest.mark.parametrize("size", [(5, 5), (6, 6), (4, 7), (1, 5), (5, 1), (1, 1)])


def grid(v):
    return pixel_grid(v.shape[-2], v.shape[-1], v).expand(len(v), -1, -1, -1)


def keys_weight(x):
    """Keys' cubic convolution kernel with a = -1/2, as in his paper."""
    x = abs(x)
    if x < 1:
        return 1.5 * x**3 - 2.5 * x**2 + 1
    return -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2 if x < 2 else 0.0


def keys_reference(image, p, q):
    """The defining double sum over all pixels, at one point [px from the first pixel]."""
    rows, columns = image.shape
    return sum(
        image[k, m] * keys_weight(p - k) * keys_weight(q - m)
        for k in range(rows)
        for m in range(columns)
    )


def test_positions_are_measured_from_the_centre_and_rows_come_first():
    points = pixel_grid(3, 4, tensor([]))
    assert points[0, 0].tolist() == [-1, -1.5]
    assert points[2, 3].tolist() == [1, 1.5]


@SAMPLERS
@SIZES
def test_sampling_at_the_pixels_returns_the_image(sample, size):
    v = rand(2, 3, *size)
    torch.testing.assert_close(sample(v, grid(v)), v, atol=1e-12, rtol=0)


@SAMPLERS
@pytest.mark.parametrize("turns", [1, 2, 3, -1])
@pytest.mark.parametrize("size", [5, 6, 1])
def test_rotations_by_90_degrees_are_anticlockwise_and_exact(sample, turns, size):
    v = rand(2, 1, size, size)
    turned = GROUPS["rotation"].act(v, tensor([[turns * np.pi / 2]] * 2), sample)
    torch.testing.assert_close(turned, torch.rot90(v, turns, (2, 3)), atol=1e-12, rtol=0)


@SAMPLERS
def test_a_translation_by_whole_pixels_moves_the_pixels_and_fills_the_gaps_with_zeros(sample):
    v = rand(1, 1, 4, 5)
    shifted = sample(v, grid(v) + tensor([1.0, -2.0]))
    expected = torch.zeros_like(v)
    expected[..., :3, 2:] = v[..., 1:, :3]
    torch.testing.assert_close(shifted, expected, atol=1e-12, rtol=0)


@SAMPLERS
@SIZES
@pytest.mark.parametrize("away", [20.0, 1e3, 1e12])
def test_values_far_outside_the_image_are_zero(sample, size, away):
    v = rand(1, 1, *size) + 1
    for shift in ([away, 0.0], [0.0, -away], [-away, away]):
        assert not sample(v, grid(v) + tensor(shift)).any()


@pytest.mark.parametrize("size", [(6, 7), (1, 7), (7, 1), (1, 1)])
def test_bilinear_interpolation_agrees_with_scipy_beyond_the_border(size):
    v = rand(1, 1, *size)
    field = rand(1, 9, 9, 2, low=-6, high=6, seed=1)
    centre = tensor([(size[0] - 1) / 2, (size[1] - 1) / 2])
    places = (field[0] + centre).movedim(-1, 0).numpy()
    expected = ndimage.map_coordinates(v[0, 0].numpy(), places, order=1, mode="grid-constant")
    np.testing.assert_allclose(bilinear(v, field)[0, 0].numpy(), expected, atol=1e-12)


@pytest.mark.parametrize("size", [(5, 6), (1, 6), (6, 1), (1, 1)])
def test_keys_interpolation_agrees_with_its_double_sum_beyond_the_border(size):
    v = rand(1, 1, *size)
    field = rand(1, 8, 8, 2, low=-5, high=5, seed=1)
    places = (field[0] + tensor([(size[0] - 1) / 2, (size[1] - 1) / 2])).flatten(0, 1)
    expected = [keys_reference(v[0, 0].numpy(), p, q) for p, q in places.tolist()]
    np.testing.assert_allclose(keys(v, field).flatten().numpy(), expected, atol=1e-12)


def test_keys_interpolation_has_the_known_weights_at_half_a_pixel():
    impulse = tensor([[[[0, 0, 0, 1, 0, 0, 0]]]])
    between = keys(impulse, grid(impulse) + tensor([0.0, 0.5]))[0, 0, 0]
    expected = tensor([0, -1 / 16, 9 / 16, 9 / 16, -1 / 16, 0, 0]).flip(0).roll(-1)
    torch.testing.assert_close(between, expected)


def test_keys_interpolation_reproduces_quadratics_inside_the_image():
    points = pixel_grid(9, 9, tensor([]))

    def quadratic(at):
        p, q = at.unbind(-1)
        return 1 + p - 2 * q + 0.3 * p * p - 0.7 * p * q + 0.2 * q * q

    field = rand(1, 6, 6, 2, low=-2.9, high=2.9)
    read = keys(quadratic(points)[None, None], field)[0, 0]
    torch.testing.assert_close(read, quadratic(field[0]), atol=1e-12, rtol=0)


@SAMPLERS
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_result_has_the_type_of_the_image_and_the_size_of_the_field(sample, dtype):
    read = sample(rand(2, 3, 5, 6, dtype=dtype), rand(2, 4, 7, 2, dtype=dtype))
    assert (read.shape, read.dtype, read.device.type) == ((2, 3, 4, 7), dtype, "cpu")


@SAMPLERS
def test_sampling_does_not_modify_its_arguments(sample):
    v, field = rand(1, 1, 4, 4), rand(1, 4, 4, 2)
    before = v.clone(), field.clone()
    sample(v, field)
    assert torch.equal(v, before[0])
    assert torch.equal(field, before[1])


@SAMPLERS
@pytest.mark.parametrize(
    ("v", "field", "sentence"),
    [
        ((4, 4), (1, 4, 4, 2), r"^v must have the axes \[n c h w\]; got \(4, 4\)$"),
        ((1, 1, 4, 4), (4, 4, 2), r"^field must have the axes \[1 h w 2\]; got \(4, 4, 2\)$"),
        ((2, 1, 4, 4), (3, 4, 4, 2), r"^field must have the axes \[2 h w 2\]; got"),
        ((1, 1, 4, 4), (1, 4, 4, 3), r"^field must have the axes \[1 h w 2\]; got"),
    ],
)
def test_wrong_axes_are_refused_with_one_message(sample, v, field, sentence):
    with pytest.raises(EngineError, match=sentence):
        sample(rand(*v), rand(*field))


@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("size", [(12, 15), (1, 9)])
def test_blur_agrees_with_scipy(sigma, size):
    v = rand(2, 2, *size)
    expected = ndimage.gaussian_filter(v.numpy(), (0, 0, sigma, sigma), mode="constant", truncate=4)
    np.testing.assert_allclose(blur(v, sigma).numpy(), expected, atol=1e-9)


def test_blur_with_sigma_0_returns_the_image():
    v = rand(1, 1, 4, 4)
    assert blur(v, 0) is v


def test_blur_preserves_the_sum_of_values_far_from_the_border():
    v = blobs(size=41, sigma=2, reach=0.1)
    torch.testing.assert_close(blur(v, 2).sum(), v.sum(), rtol=1e-5, atol=0)


@pytest.mark.parametrize("size", [(3, 4), (10, 10), (7, 21), (1, 1)])
def test_resizing_keeps_constants_and_symmetry(size):
    torch.testing.assert_close(
        resize(rand(1, 1, 7, 7) * 0 + 0.3, *size).unique().mean(), tensor(0.3)
    )
    v = rand(2, 3, 8, 9)
    torch.testing.assert_close(resize(v.flip(2, 3), *size), resize(v, *size).flip(2, 3))


def test_resizing_to_the_same_size_does_not_change_the_image():
    v = rand(2, 3, 8, 9)
    torch.testing.assert_close(resize(v, 8, 9), v, atol=1e-12, rtol=0)


def test_shrinking_averages_details_finer_than_a_pixel():
    checkerboard = tensor([[0, 1], [1, 0]]).repeat(16, 16)[None, None]
    small = resize(checkerboard, 4, 4)
    torch.testing.assert_close(small, torch.full_like(small, 0.5), atol=0.02, rtol=0)
