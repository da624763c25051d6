"""Properties of the bundled images on which the Data page, recipes and Experiment 1 rely."""

import json
import math

import numpy as np
import pytest
import torch
from PIL import Image

from assets.circle import enclose
from assets.drawings import DRAWINGS
from assets.make_images import DRAWING, draw
from ia_engine.datasets import bases
from ia_engine.datasets.bases import BASES, load_base, load_digits, load_fashion
from ia_engine.errors import EngineError
from ia_engine.files import ASSETS
from ia_engine.images import pixel_grid
from ia_engine.transforms.se2 import SE2

EXPERIMENT_1 = ("crab", "seven", "snail")
SOME = ("crab", "icon-horse", "icon-scooter")


def rim(v):
    """All border pixels of images [... h w]."""
    return torch.cat([v[..., 0, :], v[..., -1, :], v[..., :, 0], v[..., :, -1]], -1)


def unit(name):
    v = load_base(name, 64)
    return v / v.norm()


def correlation(a, b, step=5):
    """The maximum inner product over all translations, for rotations of `a` in steps of `step`
    degrees.
    """
    theta = torch.arange(0, 360, step, device="cpu") * math.pi / 180
    tau = torch.nn.functional.pad(theta[:, None], (0, 2))
    turned = SE2().act(a.expand(len(theta), -1, -1, -1), tau)
    first, second = (torch.fft.rfft2(v, (128, 128)) for v in (turned, b))
    return torch.fft.irfft2(first * second.conj()).amax((1, 2, 3))


@pytest.mark.parametrize("name", BASES)
def test_every_base_image_has_values_within_the_range_and_a_background_of_zero(name):
    v = load_base(name, 64)
    assert v.dtype == torch.float32
    assert v.shape == ((1 if BASES[name].family == "drawings" else 3), 64, 64)
    assert v.min() == 0
    assert 0.5 < v.max() <= 1
    assert rim(v).max() == 0


@pytest.mark.parametrize("name", BASES)
def test_the_ink_fills_its_circle_and_does_not_exceed_it(name):
    v = load_base(name, 96, fill=0.8)
    radius = pixel_grid(96, 96, v).norm(dim=-1)
    farthest = radius[v.amax(0) > 0].max()
    assert 0.4 * 96 - 1.5 <= farthest <= 0.4 * 96 + 1


@pytest.mark.parametrize("name", SOME)
def test_a_rotation_by_any_angle_loses_no_ink(name):
    v = load_base(name, 64, fill=0.9)
    theta = torch.linspace(0, 2 * math.pi, 13, device="cpu")[1:-1]
    turned = SE2().act(v.expand(11, -1, -1, -1), torch.nn.functional.pad(theta[:, None], (0, 2)))
    torch.testing.assert_close(turned.sum((1, 2, 3)), v.sum().expand(11), rtol=2e-3, atol=0)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("size", [16, 33, 200])
def test_the_fill_sets_the_diameter_at_any_size(name, size):
    small, large = (load_base(name, size, fill) > 0 for fill in (0.4, 0.8))
    assert small.shape[-2:] == large.shape[-2:] == (size, size)
    assert large.sum() > 2 * small.sum()


def test_dark_parts_of_an_icon_are_visible_on_a_black_background():
    inside = bases._read_sheet("icons")[bases._read_sheet("icons").max(-1) > 0]
    assert np.median(inside.max(-1)) > 150
    with Image.open(ASSETS / "icons.png") as file:
        alpha = np.array(file)[..., 3]
    assert bases._read_sheet("icons")[alpha == 255].min() >= round(255 * bases.FLOOR)


def test_a_cached_sheet_cannot_be_modified():
    with pytest.raises(ValueError, match="read-only"):
        bases._read_sheet("icons")[0] = 1
    load_base("crab", 128).fill_(0)
    assert load_base("crab", 128).max() > 0.9


def test_the_classes_of_experiment_1_stay_apart_under_rotations_and_translations():
    v = {name: unit(name) for name in EXPERIMENT_1}
    for a, b in (("crab", "seven"), ("crab", "snail"), ("seven", "snail")):
        assert 2 - 2 * correlation(v[a], v[b]).max() >= 0.6


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_drawing_resembles_a_copy_of_itself_rotated_by_more_than_thirty_degrees(name):
    v = unit(name)
    assert correlation(v, v)[7:-6].max() < 0.85


def test_no_two_bases_are_the_same_image():
    v = torch.stack([load_base(name, 48, 0.9).mean(0).flatten() for name in BASES])
    v = v / v.norm(dim=1, keepdim=True)
    likeness = v @ v.mT - torch.eye(len(v), device="cpu")
    assert likeness.max() < 0.97


def test_an_unknown_name_is_refused_and_never_opened():
    for name in ("dragon", "../README", "", "/etc/hostname"):
        with pytest.raises(EngineError, match="such as crab, seven, snail"):
            load_base(name, 64)


def test_sizes_and_fills_that_are_out_of_bounds_are_refused():
    for size, fill in ((0, 0.5), (5000, 0.5), (64, 0), (64, 1.5), (64, math.nan)):
        with pytest.raises(EngineError, match="must be between"):
            load_base("crab", size, fill)
    with pytest.raises(EngineError, match="size must be between"):
        load_digits(0)


@pytest.mark.parametrize("size", [20, 40])
def test_the_values_of_samples_are_in_range_and_their_corners_are_empty(size):
    for load, n, classes in (
        (load_digits, 1797, bases.DIGIT_CLASSES),
        (load_fashion, 200, bases.FASHION_CLASSES),
    ):
        images, labels = load(size)
        assert images.shape == (n, 1, size, size)
        assert images.dtype == torch.float32
        assert labels.dtype == torch.int64
        assert labels.unique().tolist() == list(range(len(classes)))
        assert images.min() == 0
        assert 0.9 < images.max() <= 1
        corners = pixel_grid(size, size, images).norm(dim=-1) > size / 2 + 1
        assert images[..., corners].max() < 0.01


def test_there_are_twenty_garments_of_every_class():
    assert load_fashion(28)[1].bincount().tolist() == [20] * 10


def test_images_stay_on_the_cpu_regardless_of_the_default_device():
    with torch.device("meta"):
        parts = [load_base("crab", 32), load_base("icon-horse", 32), *load_fashion(32)]
        parts += load_digits(16)
    assert {part.device.type for part in parts} == {"cpu"}


@pytest.mark.parametrize("name", EXPERIMENT_1)
def test_the_drawing_script_reproduces_the_bundled_images(name):
    index = list(DRAWINGS).index(name)
    bundled = np.asarray(bases._read_tile("drawings", index), dtype=float)
    drawn = np.asarray(draw(name), dtype=float)
    assert drawn.shape == (DRAWING, DRAWING)
    assert np.abs(drawn - bundled).mean() < 2


def test_the_enclosing_circle_is_determined_by_two_or_three_points():
    diameter = np.array([(0, 0), (4, 0), (2, 1), (2, -1)], dtype=float)
    assert enclose(diameter) == pytest.approx((2, 0, 2))
    triangle = np.array([(0, 0), (4, 0), (2, 2 * math.sqrt(3))])
    assert enclose(triangle) == pytest.approx((2, 2 / math.sqrt(3), 4 / math.sqrt(3)))


def test_licences_are_shipped_and_the_bundled_images_are_small():
    licences = ASSETS / "LICENSES"
    assert "Apache License" in (licences / "Apache-2.0.txt").read_text("utf-8")
    assert "2017 Zalando SE" in (licences / "MIT-Fashion-MNIST.txt").read_text("utf-8")
    files = ("drawings.png", "icons.png", "fashion.npz", "bases.json")
    assert sum((ASSETS / file).stat().st_size for file in files) < 2**20


def test_names_are_unique_across_all_families():
    families = json.loads((ASSETS / "bases.json").read_text("utf-8"))
    names = [entry["name"] for entries in families.values() for entry in entries]
    assert len(names) == len(set(names)) == len(BASES) > 50
