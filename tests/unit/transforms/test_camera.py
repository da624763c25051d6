"""Effects of a camera: lens, motion blur, illumination, shadow and JPEG compression."""

import io
import math

import numpy as np
import pytest
import torch
from kornia.geometry.calibration import distort_points
from kornia.metrics import ssim
from PIL import Image
from torch.autograd import gradcheck

from ia_engine.images import pixel_grid
from ia_engine.transforms import TRANSFORMS
from tests.tensors import blobs, rand, tensor

LENS, BLUR, LIGHT, SHADOW, JPEG = (
    TRANSFORMS[name] for name in ("lens", "motion-blur", "illumination", "shadow", "jpeg")
)


@pytest.mark.parametrize("k", [-0.3, 0.2, 1.0])
def test_a_lens_is_the_first_radial_term_of_the_brown_conrady_model(k):
    height, width = 7, 10
    radius = math.hypot(height - 1, width - 1) / 2
    camera = torch.diag(tensor([radius, radius, 1.0]))[None]
    points = pixel_grid(height, width, tensor([])).flatten(0, 1)
    expected = distort_points(points[None], camera, tensor([[k, 0.0, 0.0, 0.0]]))
    found = LENS.field(tensor([[k]]), height, width).flatten(1, 2)
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("k", [-0.3, 1.0])
def test_a_lens_keeps_the_order_of_points_on_every_ray(k):
    field = LENS.field(tensor([[k]]), 41, 41)[0]
    diagonal = field[range(41), range(41)].norm(dim=-1)[20:]
    assert (diagonal.diff() > 0).all()


def test_horizontal_motion_blur_is_the_mean_of_the_pixels_along_the_streak():
    v = rand(1, 2, 9, 12)
    expected = torch.nn.functional.avg_pool2d(v, (1, 5), 1, (0, 2))
    torch.testing.assert_close(BLUR.act(v, tensor([[5.0, 0.0]])), expected)
    torch.testing.assert_close(BLUR.act(v, tensor([[6.9, 0.0]])), expected)


def test_a_positive_rotation_of_the_direction_rotates_the_blur_anticlockwise():
    v = rand(2, 1, 15, 15)
    tau = tensor([[7.0, 0.3], [9.0, -0.7]])
    quarter = tau + tensor([0.0, math.pi / 2])
    rotated = torch.rot90(BLUR.act(v, tau), 1, (2, 3))
    torch.testing.assert_close(BLUR.act(torch.rot90(v, 1, (2, 3)), quarter), rotated)


def test_blur_at_45_degrees_runs_from_the_lower_left_to_the_upper_right():
    v = torch.zeros(1, 1, 11, 11, dtype=torch.float64, device="cpu")
    v[..., 5, 5] = 1
    streak = BLUR.act(v, tensor([[9.0, math.pi / 4]]))[0, 0]
    assert streak.flip(0).diagonal().sum() > 0.5 > 3 * streak.diagonal().sum()
    assert streak.sum().item() == pytest.approx(1)


def test_images_without_blur_are_unchanged_in_a_batch_with_blurred_images():
    v = rand(3, 1, 8, 8)
    found = BLUR.act(v, tensor([[0.0, 1.0], [5.0, 1.0], [1.9, 1.0]]))
    assert torch.equal(found[[0, 2]], v[[0, 2]])
    assert not torch.equal(found[1], v[1])


def test_illumination_is_linear_from_border_to_border_and_leaves_the_background_black():
    v = torch.ones(2, 1, 10, 20, device="cpu", dtype=torch.float64)
    v[1] = 0
    lit = LIGHT.act(v, tensor([[0.0, 0.5], [0.0, 0.5]]))
    torch.testing.assert_close(lit[0, 0, :, 0], tensor([1 - 0.5 * 0.95] * 10))
    torch.testing.assert_close(lit[0].mean(), tensor(1.0))
    assert lit[0].diff(dim=-1).std() < 1e-12
    assert not lit[1].any()
    assert LIGHT.act(v, tensor([[1.0, 1.0]] * 2)).min() == 0


@pytest.mark.parametrize("cover", [0.0, 0.3, 1.0])
def test_a_shadow_covers_its_share_of_the_canvas(cover):
    v = torch.ones(3, 1, 40, 50, device="cpu")
    lit = SHADOW.act(v, tensor([[0.6, cover, seed] for seed in range(3)]).float())
    shaded = (lit < 0.7).flatten(1).float().mean(1)
    torch.testing.assert_close(shaded, torch.full_like(shaded, cover), atol=0.03, rtol=0)
    assert lit.min() >= 0.4 - 1e-6


def test_a_shadow_is_connected_and_determined_by_its_seed():
    v = torch.ones(3, 2, 32, 32, device="cpu")
    first, again, other = SHADOW.act(v, tensor([[1.0, 0.5, 7], [1.0, 0.5, 7], [1.0, 0.5, 8]]))
    assert torch.equal(first, again)
    assert torch.equal(first[0], first[1]), "all channels must have the same shadow"
    assert (first - other).abs().mean() > 0.1
    assert first.diff(dim=-1).abs().mean() < 0.15, (
        "neighbouring pixels must mostly be on the same side"
    )


def test_random_patterns_do_not_use_the_global_generator():
    before = torch.get_rng_state()
    for name in ("shadow", "salt-and-pepper"):
        part = TRANSFORMS[name]
        part.act(rand(2, 1, 9, 9), 0.5 * torch.ones(2, part.dimension(), device="cpu"))
    assert torch.equal(torch.get_rng_state(), before)


def read_by_pillow(v, quality):
    """An image [c h w] in [0, 1] after it was saved as a JPEG file and opened again."""
    pixels = (255 * v.movedim(0, -1)).round().to(torch.uint8).numpy()
    file = io.BytesIO()
    Image.fromarray(pixels[..., 0] if len(v) == 1 else pixels).save(file, "JPEG", quality=quality)
    opened = np.atleast_3d(np.asarray(Image.open(file), np.float64) / 255)
    return torch.from_numpy(opened).movedim(-1, 0)


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("quality", [5, 20, 60])
def test_compression_agrees_with_pillow_within_a_hundredth(channels, quality):
    v = blobs(1, channels, size=48)
    coded = JPEG.act(v, tensor([[100.0 - quality]]))[0]
    expected = read_by_pillow(v[0], quality)
    assert (coded - expected).abs().mean() < 0.01
    if quality == 5:
        assert (coded - expected).abs().mean() < 0.4 * (v[0] - expected).abs().mean()


def test_each_channel_is_compressed_as_grey_unless_there_are_three_channels():
    v, tau = rand(2, 2, 16, 24), tensor([[80.0], [50.0]])
    coded = JPEG.act(v, tau)
    for channel in range(2):
        alone = JPEG.act(v[:, channel : channel + 1], tau)
        torch.testing.assert_close(coded[:, channel : channel + 1], alone)


def test_compression_has_a_gradient_for_the_pixels_but_not_for_its_rounded_quality():
    v = blobs(1, 1, size=8).requires_grad_()
    tau = tensor([[40.4]]).requires_grad_()
    assert torch.equal(JPEG.act(v, tau), JPEG.act(v, tensor([[40.0]])))
    JPEG.act(v, tau).sum().backward()
    assert tau.grad is None or not tau.grad.any()
    assert v.grad.any()
    assert gradcheck(lambda v: JPEG.act(v, tensor([[40.0]])), (v,), atol=1e-4)


@pytest.mark.parametrize("name", ["lens", "motion-blur", "illumination", "shadow", "jpeg"])
def test_similarity_to_the_original_falls_as_the_effect_grows(name):
    v, part = rand(1, 1, 32, 32), TRANSFORMS[name]
    owners = [c for c in part.coordinates() for _ in range(c.count)]
    found = []
    for step in (0.0, 0.2, 0.6):
        tau = tensor([[9.0 if c.name == "seed" else step * c.range.high for c in owners]])
        found.append(ssim(part.act(v, tau), v, 7).mean().item())
    assert found[0] == pytest.approx(1, abs=1e-3)
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.99


def test_gradients_of_blur_light_and_shadow_are_exact_away_from_zero():
    v = rand(1, 1, 6, 7)
    for part, tau in ((BLUR, [5.5, 0.4]), (LIGHT, [0.3, -0.2]), (SHADOW, [0.5, 0.41, 3.3])):
        assert gradcheck(part.act, (v, tensor([tau]).requires_grad_()))
