"""New images are read like those of a result: pictures by its canvas, arrays by its scale."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine import attend, cluster, load
from ia_engine.api.inputs import read_like
from ia_engine.datasets.array_files import FileConfig, match_scale
from ia_engine.datasets.data import Recipe
from ia_engine.datasets.loading import match_reading
from ia_engine.datasets.scaling import Scale, find_scale
from ia_engine.datasets.uploads import Upload, match_settings, read_upload
from tests.tensors import blobs, rand

DIM = 1000 * rand(6, 8, 8, seed=1, low=-1.0, high=4.0).numpy()
"""Images of a float type with a range of their own."""


def to_bytes(images):
    """PNG files of images [n 1 h w]."""
    files = []
    for image in images:
        file = io.BytesIO()
        Image.fromarray((255 * image[0]).round().byte().numpy()).save(file, "PNG")
        files.append(file.getvalue())
    return files


@pytest.fixture
def run():
    """Clusters of an array of small images without an empty margin."""
    images = blobs(2, size=28, seed=5, sigma=3.0, reach=0.5, dtype=torch.float32).clamp(0, 1)
    return cluster(load(images.repeat(3, 1, 1, 1)), 2)


def test_pictures_of_the_images_of_an_array_are_read_as_these_images(run, tmp_path):
    for at, content in enumerate(to_bytes(run.data.images)):
        (tmp_path / f"{at}.png").write_bytes(content)
    found = run.predict(tmp_path)
    border = found.data.images - run.data.images
    assert found.data.images.shape == run.data.images.shape
    assert border.abs().mean() < 0.05, "the page removes the background too"
    np.testing.assert_array_equal(found.labels, run.labels)


def test_the_library_reads_pictures_like_the_pages(run):
    contents = to_bytes(run.data.images)
    config = match_settings(run.data.images, run.data.recipe.to_json())
    page = read_upload([Upload(f"{at}.png", x) for at, x in enumerate(contents)], config).images
    found = read_like(run.data, [Image.open(io.BytesIO(content)) for content in contents])
    assert torch.equal(found.images, page.images)


@pytest.mark.parametrize("rule", ["stack", "image"])
def test_some_images_of_an_array_are_scaled_like_all_of_them(rule, tmp_path):
    data = load(DIM, scale=rule)
    some = attend(data, steps=1, method="ka").predict(DIM[2:4]).data.images
    assert torch.equal(some, data.images[2:4])
    assert torch.equal(read_like(data, [*DIM[2:4]]).images, some)
    floats = torch.from_numpy(DIM[2:4]).float()
    torch.testing.assert_close(read_like(data, floats).images, some, atol=1e-6, rtol=0)
    np.save(tmp_path / "some.npy", DIM[2:4])
    assert torch.equal(read_like(data, tmp_path / "some.npy").images, some)
    assert torch.equal(read_like(load(DIM), DIM[2:4]).images, load(DIM).images[2:4])


def test_dark_images_of_a_known_range_keep_their_brightness():
    bright = np.full((2, 8, 8), 60000, np.uint16)
    bright[:, 2] = 0
    data = load(bright)
    assert float(read_like(data, bright // 100).images.max()) == pytest.approx(600 / 65535)


def test_arrays_of_another_type_have_their_own_scale():
    data = load(DIM)
    bytes_of = np.array([[[0, 255], [128, 64]]], np.uint8).repeat(4, 1).repeat(4, 2)
    assert float(read_like(data, bytes_of).images.max()) == 1.0


def test_the_notes_state_that_a_scale_was_reused():
    notes = " ".join(read_like(load(DIM), DIM[:2]).notes)
    assert "scaled like the earlier images" in notes


def test_the_recipe_of_an_array_holds_its_scale():
    for rule in ("stack", "image"):
        scale = find_scale("a", DIM[:, None], rule)
        found = match_scale(Recipe("file", FileConfig.of("a", scale)).to_json())
        assert (found.kind, found.ends, found.alpha) == (scale.kind, scale.ends, scale.alpha)
        config, known = match_reading(
            torch.zeros(1, 1, 8, 8, device="cpu"),
            Recipe("file", FileConfig.of("a", scale)).to_json(),
        )
        assert isinstance(known, Scale)
        assert config.scale == rule
    assert match_scale('{"source": "file", "config": {"name": "of an earlier version"}}') is None
