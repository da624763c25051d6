"""Arrays of any range, type and layout are scaled by the stated rule or refused with a reason."""

import io

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ia_engine.datasets.array_files import to_images
from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload

examples = settings(max_examples=60, derandomize=True, deadline=None, database=None)
SIDE = 16
KINDS = [
    "bool",
    "i1",
    "u1",
    "<i2",
    ">u2",
    "<i4",
    "<u8",
    "<f2",
    "<f4",
    ">f4",
    "<f8",
    ">f8",
    "longdouble",
]
BAD = st.sampled_from([np.nan, np.inf, -np.inf])


@st.composite
def arrays(draw):
    """Random images [n h w c] between two bounds that the type can represent."""
    kind = np.dtype(draw(st.sampled_from(KINDS)))
    channels = draw(st.sampled_from([1, 3]))
    seed = draw(st.integers(0, 2**16))
    unit = np.random.default_rng(seed).random((3, SIDE, SIDE, channels))
    if kind.kind == "b":
        return unit > 0.5
    if kind.kind in "iu":
        info = np.iinfo(kind)
        bounds = st.integers(
            info.min, info.max - (info.max >> 53)
        )  # both remain within the type when they are converted to float64
    else:
        largest = float(min(np.finfo(kind).max, np.finfo(np.float64).max)) / 4
        size = draw(st.sampled_from([2, *range(-6, int(np.log10(largest)))]))
        bounds = st.floats(-1, 1).map(lambda x: x * 10.0**size)
    low, high = sorted([draw(bounds), draw(bounds)])
    return (low + unit * (float(high) - float(low))).clip(low, high).astype(kind)


def read(array, **settings):
    """The result of uploading the array, on a canvas of the size of its images."""
    file = io.BytesIO()
    np.save(file, array)
    config = UploadConfig(size=SIDE, margin=0, background="keep", **settings)
    result = read_upload([Upload("x.npy", file.getvalue())], config)
    assert result.images is not None, result.refused
    return result


OUTSIDE_KNOWN_RANGES = [
    np.linspace(low, high, 256).reshape(1, SIDE, SIDE, 1)
    for low, high in (
        (260, 280),
        (240, 300),
        (33, 256.5),
        (0.9, 1.1),
        (-0.2, 1),
        (-0.05, 0.05),
        (6e4, 7e4),
    )
]


@pytest.mark.parametrize("rule", ["stack", "image"])
@pytest.mark.parametrize("array", OUTSIDE_KNOWN_RANGES)
def test_values_outside_a_known_range_keep_their_contrast(rule, array):
    result = read(array, scale=rule)
    assert result.images.images.min() <= 0.1
    assert result.images.images.max() >= 0.9
    assert not result.flaws


@pytest.mark.parametrize("rule", ["stack", "image"])
@examples
@given(array=arrays())
def test_the_order_and_contrast_of_all_values_are_preserved(rule, array):
    result = read(array, scale=rule, color="rgb" if array.shape[3] == 3 else "gray")
    x = result.images.images
    assert 0 <= x.min() <= x.max() <= 1
    values = np.moveaxis(array, 3, 1).astype(np.float64).reshape(3, -1)
    for row, before in zip(x.flatten(1).numpy(), values, strict=True):
        assert (np.diff(row[np.argsort(before, kind="stable")]) >= -1e-6).all()
    low, high = values.min(), values.max()
    if low >= 0 and high <= 1:
        np.testing.assert_allclose(x.flatten(1).numpy(), values, atol=1e-6)
    elif array.dtype == np.uint8:
        np.testing.assert_allclose(x.flatten(1).numpy(), values / 255, atol=1e-6)
    elif low < high and not (low >= 0 and high <= 255):
        assert x.min() <= 0.1
        assert x.max() >= 0.9
        assert not result.flaws
    stated = [note for note in result.notes if note.startswith("x.npy: ")]
    assert len(stated) == 1 or (not stated and 0 <= low <= high <= 1), "every scaling is stated"
    shown = [f"{x:,.0f}" if 1000 <= abs(x) < 1e6 else f"{x:.3g}" for x in (low, high)]
    assert all(f"values from {' to '.join(shown)} were" in note for note in stated)


@examples
@given(array=arrays(), rule=st.sampled_from(["stack", "image"]))
def test_every_layout_gives_the_same_images_on_the_page_and_on_the_command_line(array, rule):
    layouts = [array, np.moveaxis(array, 3, 1)]
    if array.shape[3] == 1:
        layouts.append(array[..., 0])
    color = "rgb" if array.shape[3] == 3 else "gray"
    first, *others = [read(layout, scale=rule, color=color).images.images for layout in layouts]
    for other in others:
        assert torch.equal(first, other)
    for layout in layouts:
        torch.testing.assert_close(to_images("x.npy", layout, None, rule)[0], first)


@examples
@given(array=arrays(), wrong=BAD, at=st.integers(0, 3 * SIDE**2 - 1))
def test_an_array_with_a_value_that_is_not_finite_is_refused_with_its_position(array, wrong, at):
    floats = array[..., 0].astype(np.float64)
    image, row, column = np.unravel_index(at, floats.shape)
    floats[image, row, column] = wrong
    file = io.BytesIO()
    np.save(file, floats)
    result = read_upload([Upload("x.npy", file.getvalue())], UploadConfig())
    assert result.images is None
    found = "1 NaN" if np.isnan(wrong) else "1 infinite value"
    place = f"the first in image {image + 1}, row {row + 1}, column {column + 1}:"
    assert f"expected finite numbers; got {found}, {place}" in result.refused[0].reason
