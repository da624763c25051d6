"""Scaling of uploaded arrays to [0, 1]: known ranges, percentiles, and blank results."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from ia_engine.datasets.scaling import find_scale
from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload
from tests.crafted import GOOD, drawing, drawings, npy

KEEP = UploadConfig(size=16, margin=0, background="keep")


def read(*files, config=KEEP):
    return read_upload([Upload(name, content) for name, content in files], config)


@pytest.mark.parametrize(("kind", "top"), [("float32", 1), ("uint8", 255), ("uint16", 65535)])
def test_the_ends_of_a_known_range_become_exactly_0_and_1(kind, top):
    images = np.array([0, top], kind).reshape(1, 1, 1, 2)
    assert find_scale("a.npy", images).apply(images).ravel().tolist() == [0, 1]


@pytest.mark.parametrize(("low", "high"), [(0, 1.02), (-0.02, 1), (-0.05, 1.09), (-3, 260)])
def test_values_that_overshoot_after_interpolation_are_clipped_and_reported(low, high):
    top = 1 if high < 2 else 255
    images = drawings().astype(np.float64) * (top / 255)
    images[0, 0, 0], images[0, 16, 16] = low, high
    found = read(("x.npy", npy(images)), config=replace(KEEP, size=32))
    ink = torch.from_numpy(np.asarray(drawing(paper=0, ink=255)) / np.float32(255))
    whole = ink.expand(3, 1, -1, -1).clone()
    whole[0, 0, 16, 16], whole[0, 0, 0, 0] = high / top, low / top
    torch.testing.assert_close(found.images.images, whole.clamp(0, 1))
    assert any(f"clipped at 0 and {top}" in note for note in found.notes)


@pytest.mark.parametrize("high", [1.2, 3.9, 300.0, 3.5e38, 1e308])
def test_floats_outside_the_known_ranges_are_scaled_to_the_full_range(high):
    values = np.linspace(0, high, 128).reshape(2, 8, 8)
    result = read(("x.npy", npy(values)), ("good.png", GOOD))
    assert len(result.images.images) == 3
    assert result.images.images[:2].amin() == 0
    assert result.images.images[:2].amax() == 1
    assert not result.flaws
    assert any(
        text.startswith(
            f"x.npy: float64 values from 0 to {high:.3g} were scaled using the range of"
        )
        for text in result.notes
    )


def test_a_stack_of_standard_scores_keeps_its_contrast():
    """Standard scores from -3.9 to 4.9 were once read as 600 black images."""
    values = np.random.default_rng(0).normal(0.5, 1.2, (600, 8, 8)).clip(-3.9, 4.9)
    result = read(("x.npy", npy(values)))
    assert not result.flaws
    assert result.images.images.std() > 0.1


@pytest.mark.parametrize("rule", ["stack", "image"])
def test_the_scaling_rule_can_be_chosen_and_is_stated(rule):
    dark, bright = np.arange(64).reshape(1, 8, 8) * 10.0, np.arange(64).reshape(1, 8, 8) * 300.0
    content = npy(np.concatenate([dark, bright]))
    found = read(("x.npy", content), config=replace(KEEP, scale=rule)).images
    assert found.images[1].max() == 1
    assert found.images[0].max() == pytest.approx(1 if rule == "image" else 1 / 30, abs=0.001)
    stated = {
        "stack": "scaled using the range of the whole stack",
        "image": "scaled image by image",
    }[rule]
    assert any(stated in note for note in found.notes), found.notes


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (np.zeros((2, 8, 8)), "2 images are blank"),
        (np.full((2, 8, 8), -7.5), "2 images are blank"),
        (np.linspace(0.5, 0.51, 128).reshape(2, 8, 8), "2 images are nearly constant"),
        (np.where(np.arange(64) < 2, 0.2, 1).reshape(1, 8, 8), "1 image is saturated"),
    ],
)
def test_blank_nearly_constant_and_saturated_images_are_reported(value, sentence):
    result = read(("x.npy", npy(value)))
    assert result.flaws[0].startswith(sentence)
    assert set(result.flaws) <= set(result.images.notes)


def test_nan_values_are_rejected_and_their_count_and_position_are_reported():
    values = np.zeros((3, 8, 9, 3))
    values[1, 4, 6, 2], values[2, 0, 0, 0], values[2, 7, 8, 1] = np.nan, np.inf, np.nan
    (refusal,) = read(("x.npy", npy(values))).refused
    assert refusal.reason == (
        "x.npy: expected finite numbers; got 2 NaN and 1 infinite value, the first in image 2, "
        "row 5, column 7, channel 3: replace these values"
    )


@pytest.mark.parametrize("kind", ["float64", "int64", "uint16"])
def test_values_from_0_to_16_are_scaled_to_the_full_range(kind):
    """scikit-learn's digits, from 0 to 16, were once read as nearly black images."""
    values = (np.arange(128) % 17).reshape(2, 8, 8).astype(kind)
    result = read(("x.npy", npy(values)))
    assert result.images.images.amax() > 0.9
    assert any(
        "from 0 to 16 were scaled using the range of the whole stack" in note
        for note in result.notes
    )


@pytest.mark.parametrize(("kind", "high"), [("uint8", 16), ("int8", 100), ("float64", 128)])
def test_values_of_8_bits_keep_their_brightness(kind, high):
    values = np.linspace(0, high, 32).round().reshape(1, 1, 4, 8).astype(kind)
    assert find_scale("x.npy", values).apply(values).max() == np.float32(high) / np.float32(255)


def test_large_values_are_stated_without_an_exponent():
    array = np.array([[[[9.0, 70_000.0, 40_000.0]]]])
    assert "values from 9 to 70,000 were" in find_scale("a.npy", array).describe("a.npy")
