"""Transforms that change values without moving points: colour, morphology, noise and erasing."""

import pytest
import torch
from kornia.augmentation import RandomErasing
from scipy import ndimage

from ia_engine.transforms import TRANSFORMS
from ia_engine.transforms.morphology import WINDOW
from tests.tensors import rand, tensor

COLOR, MORPHOLOGY, NOISE, SALT, ERASING = (
    TRANSFORMS[name] for name in ("color", "morphology", "noise", "salt-and-pepper", "erasing")
)
CENTRE = WINDOW // 2


def window(region, alpha, dtype=torch.float64):
    """The coordinates for which `region` is the window a."""
    added = torch.as_tensor(region, dtype=dtype, device="cpu").clone()
    added[CENTRE, CENTRE] -= 1
    return torch.cat([tensor([alpha], dtype), added.flatten()])[None]


def cross():
    region = torch.zeros(WINDOW, WINDOW, device="cpu")
    region[CENTRE], region[:, CENTRE] = 1, 1
    return region


def equation_6(image, alpha, a):
    """Equation (6), summed pixel by pixel, with zeros outside the image."""
    padded = torch.nn.functional.pad(image, (CENTRE,) * 4)
    result = torch.empty_like(image)
    for u in range(image.shape[0]):
        for w in range(image.shape[1]):
            x = padded[u : u + WINDOW, w : w + WINDOW]
            weight = a * (alpha * x).exp()
            result[u, w] = (weight * x).sum() / weight.sum()
    return result


@pytest.mark.parametrize(("channels", "p"), [(1, 2), (3, 6)])
def test_colour_scales_and_shifts_every_channel_independently(channels, p):
    v = rand(2, channels, 4, 5)
    assert COLOR.dimension(channels) == p
    tau = rand(2, p, low=-1)
    for c in range(channels):
        weight, bias = tau[:, c, None, None], tau[:, channels + c, None, None]
        torch.testing.assert_close(COLOR.act(v, tau)[:, c], (1 + weight) * v[:, c] + bias)


@pytest.mark.parametrize("alpha", [-20.0, -1.0, 0.0, 3.0, 20.0])
def test_morphology_agrees_with_equation_6(alpha):
    v, a = rand(1, 2, 6, 7), rand(WINDOW, WINDOW, seed=1)
    expected = torch.stack([equation_6(channel, alpha, a) for channel in v[0]])[None]
    torch.testing.assert_close(MORPHOLOGY.act(v, window(a, alpha)), expected)


@pytest.mark.parametrize(("alpha", "extreme"), [(60.0, ndimage.maximum_filter), (-60.0, None)])
def test_morphology_tends_to_dilation_and_erosion(alpha, extreme):
    v = (rand(1, 1, 12, 13) > 0.8).to(torch.float32)
    extreme = extreme or ndimage.minimum_filter
    expected = extreme(v[0, 0].numpy(), footprint=cross().numpy() > 0, mode="constant")
    found = MORPHOLOGY.act(v, window(cross(), alpha, torch.float32))[0, 0]
    torch.testing.assert_close(found, torch.from_numpy(expected), atol=1e-5, rtol=0)


def test_morphology_has_a_gradient_at_the_identity():
    v = rand(1, 1, 8, 8)
    tau = MORPHOLOGY.identity(1, v).requires_grad_()
    MORPHOLOGY.act(v, tau)[..., 3:5, 3:5].sum().backward()
    slope = tau.grad[0, 1:].view(WINDOW, WINDOW)
    assert slope.ne(0).sum() == WINDOW**2 - 1


def test_morphology_commutes_with_adding_a_constant():
    v, tau = rand(1, 1, 12, 12, dtype=torch.float32), window(cross(), 50.0, torch.float32)
    inside = (..., slice(CENTRE, -CENTRE), slice(CENTRE, -CENTRE))
    lifted = MORPHOLOGY.act(v + 1, tau)[inside] - 1
    torch.testing.assert_close(lifted, MORPHOLOGY.act(v, tau)[inside], atol=1e-5, rtol=0)


def test_the_same_seed_gives_the_same_noise_and_a_different_seed_different_noise():
    v = rand(3, 1, 16, 16) * 0
    noise = NOISE.act(v, tensor([[0.1, 7], [0.2, 7], [0.1, 8]]))
    torch.testing.assert_close(2 * noise[0], noise[1])
    correlation = (noise[0] * noise[2]).mean() / noise[0].square().mean()
    assert correlation.abs() < 0.2


def test_the_level_of_noise_is_its_standard_deviation_on_background_and_ink():
    v = torch.zeros(1, 1, 100, 100, dtype=torch.float64, device="cpu")
    v[..., 50:, :] = 1
    noise = NOISE.act(v, tensor([[0.3, 1]])) - v
    for half in noise.chunk(2, dim=2):
        torch.testing.assert_close(half.std(), tensor(0.3), rtol=0.05, atol=0)


def test_noise_does_not_use_the_global_generator():
    before = torch.get_rng_state()
    NOISE.act(rand(1, 1, 4, 4), tensor([[0.1, 3]]))
    assert torch.equal(torch.get_rng_state(), before)


def by_float64(image, alpha, a):
    """Equation (6) in float64, in which the exponentials do not overflow."""
    double = [equation_6(channel.double(), alpha, a.double()) for channel in image]
    return torch.stack(double).to(image.dtype)


@pytest.mark.parametrize("alpha", [50.0, -50.0])
def test_morphology_of_noisy_images_is_finite_and_agrees_with_equation_6(alpha):
    noisy = NOISE.act(rand(2, 1, 12, 12, dtype=torch.float32), tensor([[1.0, 3], [1.0, 4]]).float())
    assert noisy.max() - noisy.min() > 4, (
        "the range must be large enough for e^(50 x) to overflow in float32"
    )
    a = rand(WINDOW, WINDOW, seed=1, dtype=torch.float32)
    found = MORPHOLOGY.act(noisy, window(a, alpha, torch.float32).expand(2, -1))
    expected = torch.stack([by_float64(image, alpha, a) for image in noisy])
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)


def test_morphology_of_extreme_values_keeps_the_identity_and_the_gradient():
    v = 10 * rand(1, 2, 9, 9, low=-1, dtype=torch.float32)
    tau = MORPHOLOGY.identity(1, v)
    tau[:, 0] = 50
    tau.requires_grad_()
    same = MORPHOLOGY.act(v, tau)
    assert torch.equal(same, v)
    same.sum().backward()
    assert tau.grad.isfinite().all()
    assert tau.grad[:, 1:].ne(0).sum() > WINDOW


def test_morphology_of_an_image_does_not_depend_on_the_rest_of_the_batch():
    mild, steep = rand(1, 1, 8, 8, dtype=torch.float32), 9 * rand(1, 1, 8, 8, dtype=torch.float32)
    tau = window(cross(), 50.0, torch.float32)
    both = MORPHOLOGY.act(torch.cat([mild, steep]), tau.expand(2, -1))
    torch.testing.assert_close(both[:1], MORPHOLOGY.act(mild, tau))
    torch.testing.assert_close(both[1:], MORPHOLOGY.act(steep, tau))


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_salt_and_pepper_replace_the_given_share_of_pixels_in_all_channels(share):
    v = torch.full((1, 2, 100, 100), 0.5, dtype=torch.float64, device="cpu")
    found = SALT.act(v, tensor([[share, 5]]))
    for value in (0, 1):
        torch.testing.assert_close(
            (found == value).double().mean(), tensor(share / 2), atol=0.02, rtol=0
        )
    assert torch.equal(found[:, 0], found[:, 1])


def test_a_larger_share_of_salt_and_pepper_includes_the_pixels_of_a_smaller_share():
    v = torch.full((2, 1, 30, 30), 0.5, dtype=torch.float64, device="cpu")
    few, many = SALT.act(v, tensor([[0.1, 5], [0.3, 5]]))
    assert torch.equal(many[few != 0.5], few[few != 0.5])


def test_an_erased_rectangle_is_0_and_border_pixels_are_covered_in_part():
    v = torch.ones(1, 2, 7, 9, dtype=torch.float64, device="cpu")
    found = ERASING.act(v, tensor([[3.0, 2.0, 1.0, -2.0]]))
    expected = torch.ones_like(v)
    expected[..., 3:6, 1:4] = tensor([0.5, 0.0, 0.5])
    torch.testing.assert_close(found, expected)


def test_an_erased_rectangle_that_ends_between_pixels_agrees_with_kornia():
    v = rand(2, 3, 12, 14)
    top, left, height, width = (tensor(part) for part in ([2, 0], [5, 3], [4, 7], [6, 2]))
    params = {"ys": top, "xs": left, "heights": height, "widths": width, "values": tensor([0, 0])}
    expected = RandomErasing().apply_transform(v, params, {})
    tau = torch.stack([height, width, top + height / 2 - 6, left + width / 2 - 7], 1)
    torch.testing.assert_close(ERASING.act(v, tau), expected)


def test_gradients_of_an_erased_rectangle_are_exact_in_all_coordinates():
    tau = tensor([[2.3, 3.1, 0.2, -0.4]]).requires_grad_()
    assert torch.autograd.gradcheck(ERASING.act, (rand(1, 1, 6, 7), tau))
    ERASING.act(rand(1, 1, 6, 7), tau).sum().backward()
    assert tau.grad.all()
