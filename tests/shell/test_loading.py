"""`--data`: recipes, arrays of images or points, and pictures placed on a canvas."""

import io
import json
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.datasets.scaling import Scale


@pytest.fixture
def describe(shell):
    def run(path, *argv):
        ended = shell("data", "--data", path, "--json", *argv)
        assert ended.code == 0, ended.err
        return json.loads(ended.out[0])

    return run


@pytest.fixture
def kept(shell, tmp_path):
    def run(path, *argv):
        out = tmp_path / "kept.npz"
        ended = shell("data", "--data", path, "--out", out, *argv)
        assert ended.code == 0, ended.err
        with np.load(out) as file:
            return dict(file), ended.err

    return run


@pytest.fixture
def save(tmp_path):
    def write(images, **others):
        path = tmp_path / "given.npz"
        np.savez(path, images=images, **others)
        return path

    return write


def picture(value):
    content = io.BytesIO()
    pixels = np.zeros((20, 30), np.uint8)
    pixels[5:15, 10:20] = value
    Image.fromarray(pixels).save(content, "png")
    return content.getvalue()


def test_values_of_eight_bits_are_divided_by_255(kept, save):
    images = np.arange(2 * 5 * 7, dtype=np.uint8).reshape(2, 5, 7) * 3
    arrays, err = kept(save(images))
    np.testing.assert_allclose(arrays["images"], images / np.float32(255), rtol=1e-6)
    assert any("divided by 255" in line for line in err)


def test_colour_images_keep_their_channels(describe, save):
    line = describe(save(np.full((2, 9, 8, 3), 0.5)))
    assert (line["channels"], line["height"], line["width"]) == (3, 9, 8)


def test_an_alpha_channel_is_composited_over_black(kept, save):
    images = np.full((1, 4, 5, 4), 0.5)
    assert np.all(kept(save(images))[0]["images"] == 0.25)


@pytest.mark.parametrize("shape", [(2, 2, 5, 6), (2, 5, 6, 2)])
def test_the_channels_of_grey_images_with_alpha_may_come_first_or_last(describe, save, shape):
    line = describe(save(np.full(shape, 0.5)))
    assert (line["channels"], line["height"], line["width"]) == (1, 5, 6)


def test_values_that_overshoot_after_interpolation_are_clipped_and_reported(kept, save):
    images = np.zeros((1, 4, 4))
    images[0, 0] = [-0.05, 0.5, 1.0, 1.05]
    arrays, err = kept(save(images))
    np.testing.assert_allclose(arrays["images"][0, 0], [0, 0.5, 1, 1])
    assert any("clipped" in line for line in err)


@pytest.mark.parametrize(
    ("images", "why"),
    [
        (np.full((2, 4, 4), np.nan), "expected finite numbers; got 32 NaN, the first in image 1"),
        (np.full((2, 4, 4), np.inf), "expected finite numbers; got 32 infinite values"),
        (np.array(7.0), "[n h w]"),
        (np.full((2, 4), 1.0), "[n h w]"),
        (np.zeros((0, 4, 4)), "[n h w]"),
        (np.full((2, 4, 4), "x"), "numeric"),
        (np.full((2, 4, 4), None), "npz"),
    ],
)
def test_arrays_that_are_not_images_are_refused(shell, save, images, why):
    ended = shell("data", "--data", save(images))
    assert (ended.code, len(ended.err)) == (2, 1)
    assert why in ended.err[0]


@pytest.mark.parametrize(
    "labels",
    [
        np.zeros(3),
        np.array([0.5, 1.0]),
        np.zeros((2, 1)),
        np.array([0, np.inf]),
        np.array([0, -np.inf], np.float16),
        np.array([np.nan, 1]),
        np.array([1e300, 1]),
    ],
)
def test_labels_of_the_wrong_shape_or_with_illegal_values_are_refused(shell, save, labels):
    ended = shell("data", "--data", save(np.ones((2, 4, 4)), labels=labels))
    assert (ended.code, len(ended.err)) == (2, 1)
    assert "labels" in ended.err[0]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_labels_may_be_floats_with_integer_values(kept, save, dtype):
    arrays, _ = kept(save(np.ones((3, 4, 4)), labels=np.array([7, -2, 7], dtype)))
    assert arrays["labels"].tolist() == [7, -2, 7]


def test_labels_may_be_strings(kept, save):
    arrays, _ = kept(save(np.ones((3, 4, 4)), labels=np.array(["cat", "ant", "cat"])))
    assert arrays["labels"].tolist() == [1, 0, 1]


def test_damaged_files_and_files_of_other_types_are_rejected(shell, tmp_path, npz):
    for content in (npz.read_bytes()[:300], b"PK\x03\x04nonsense", b"\x93NUMPYxx", b"", b"hello"):
        path = tmp_path / "bad.npz"
        path.write_bytes(content)
        ended = shell("data", "--data", path)
        assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)


def test_an_npz_file_without_images_is_refused_and_its_arrays_are_named(shell, tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, pictures=np.ones((2, 4, 4)))
    assert "pictures" in shell("data", "--data", path).err[0]


def test_a_limit_selects_the_first_images_and_a_message_states_it(kept, npz, drawings):
    arrays, err = kept(npz, "--limit", 2)
    np.testing.assert_array_equal(arrays["images"], drawings[:2])
    assert any("first 2 of 6" in line for line in err)


def test_an_npy_file_contains_images_without_labels(describe, tmp_path, drawings):
    np.save(tmp_path / "x.npy", drawings)
    line = describe(tmp_path / "x.npy")
    assert (line["n"], line["height"], line["classes"]) == (6, 16, None)


def test_labels_of_an_idx_file_are_read_from_the_file_beside_it(describe, tmp_path):
    images = struct.pack(">IIII", 0x803, 2, 5, 4) + bytes(40)
    (tmp_path / "t-images-idx3-ubyte").write_bytes(images)
    (tmp_path / "t-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, 2) + bytes([4, 9]))
    line = describe(tmp_path / "t-images-idx3-ubyte")
    assert [line[key] for key in ("n", "height", "width", "classes")] == [2, 5, 4, 2]


def test_a_recipe_can_be_read_from_a_file_and_an_illegal_one_is_refused(describe, shell, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"source": "blobs", "config": {"blobs": 2, "points": 5}}')
    line = describe(path, "--seed", 3)
    assert (line["n"], line["recipe"]["config"]["seed"]) == (10, 3)
    path.write_text("[1]")
    ended = shell("data", "--data", path)
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)


def test_images_in_a_folder_or_a_zip_are_placed_on_canvases_of_the_same_size(describe, tmp_path):
    folder = tmp_path / "pictures"
    for name in ("a", "b"):
        (folder / name).mkdir(parents=True)
        (folder / name / "1.png").write_bytes(picture(200))
    (folder / "notes.txt").write_text("nothing")
    with zipfile.ZipFile(tmp_path / "pictures.zip", "w") as archive:
        for name in ("a", "b"):
            archive.writestr(f"{name}/1.png", picture(200))
    lines = [describe(folder), describe(tmp_path / "pictures.zip")]
    for line in lines:
        assert [line[key] for key in ("n", "height", "width", "classes")] == [2, 64, 64, 2]
    assert lines[0]["digest"] == lines[1]["digest"]


def test_a_folder_without_images_is_refused(shell, tmp_path):
    (tmp_path / "empty").mkdir()
    ended = shell("data", "--data", tmp_path / "empty")
    assert (ended.code, len(ended.err)) == (2, 1)


@pytest.fixture
def folder(tmp_path):
    """A folder of six images and a file that is not an image."""
    place = tmp_path / "pictures"
    place.mkdir()
    for number in range(6):
        (place / f"{number}.png").write_bytes(picture(40 + 30 * number))
    (place / "a.bin").write_bytes(bytes(1 << 20))
    return place


@pytest.fixture
def opened(monkeypatch):
    """A list that collects the names of the files that are read completely."""
    seen, read = [], Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: seen.append(path.name) or read(path))
    return seen


def test_no_more_files_than_requested_are_read_from_a_folder(describe, folder, opened):
    assert describe(folder, "--limit", 2)["n"] == 2
    assert opened == ["0.png", "1.png"]


def test_files_that_are_not_images_are_recognised_by_their_first_bytes(shell, folder, opened):
    ended = shell("data", "--data", folder)
    assert opened == [f"{number}.png" for number in range(6)]
    assert any("a.bin" in line and "unknown kind" in line for line in ended.err)


def test_hidden_folders_are_skipped(describe, folder):
    before = describe(folder)["digest"]
    for hidden in (".git", "deep/.cache/er"):
        (folder / hidden).mkdir(parents=True)
        (folder / hidden / "x.png").write_bytes(picture(200))
    assert describe(folder)["digest"] == before


def test_a_file_that_cannot_be_opened_does_not_affect_other_files(shell, folder, monkeypatch):
    read = Path.read_bytes

    def refuse(path):
        if path.name == "0.png":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    ended = shell("data", "--data", folder, "--json")
    assert json.loads(ended.out[0])["n"] == 5
    assert any("0.png could not be read: Permission denied" in line for line in ended.err)


def test_only_the_requested_part_of_an_array_is_converted_to_floats(kept, save, monkeypatch):
    sizes, apply = [], Scale.apply
    monkeypatch.setattr(Scale, "apply", lambda *given: sizes.append(given[1].size) or apply(*given))
    images = np.zeros((9, 4, 4), np.uint8)
    images[0], images[8] = 1, 255
    arrays, _ = kept(save(images), "--limit", 2)
    assert sizes == [2 * 16]
    np.testing.assert_allclose(arrays["images"][0], 1 / 255)  # the range is that of all images


@pytest.mark.parametrize("high", [1.2, 2.0, 4.9, 300.0, 3.5e38])
def test_floats_outside_the_known_ranges_are_scaled_and_a_message_states_the_rule(kept, save, high):
    arrays, err = kept(save(np.linspace(-high, high, 32).reshape(2, 4, 4)))
    np.testing.assert_allclose(arrays["images"].ravel(), np.linspace(0, 1, 32), atol=0.01)
    assert any(
        f"values from -{high:.3g} to {high:.3g} were scaled using the range of the whole stack"
        in line
        for line in err
    )


def test_each_image_can_be_scaled_to_its_own_range(kept, shell, save):
    path = save(np.arange(32).reshape(2, 4, 4) * 100.0)
    arrays, err = kept(path, "--scale", "image")
    np.testing.assert_allclose(arrays["images"][0], arrays["images"][1], atol=0.01)
    assert any("scaled image by image" in line for line in err)
    ended = shell("data", "--data", path, "--scale", "guess")
    assert (ended.code, len(ended.err)) == (2, 1)
    assert "--scale must be one of stack, image" in ended.err[0]


def test_blank_images_are_reported(kept, save):
    assert any("2 images are blank" in line for line in kept(save(np.zeros((2, 4, 4))))[1])


def test_images_are_read_from_a_file_that_also_contains_points(kept, tmp_path):
    path = tmp_path / "both.npz"
    np.savez(path, images=np.full((2, 4, 4), 0.5), points=np.zeros((3, 2)), labels=[0, 1])
    assert kept(path)[0]["images"].shape == (2, 4, 4)


def test_saved_points_can_be_read_again(shell, tmp_path):
    out = tmp_path / "points.npz"
    assert shell("data", "--data", "blobs", "--out", out).code == 0
    again = json.loads(shell("data", "--data", out, "--json").out[0])
    same = make(RECIPES["blobs"]).pixel_digest
    assert (again["n"], again["classes"], again["digest"]) == (120, 3, same)
    argv = ("--method", "ka", "--steps", 2, "--json")
    ours, theirs = (shell("attend", "--data", data, *argv).out for data in (out, "blobs"))
    for one, other in zip(ours, theirs, strict=True):
        assert json.loads(one) | {"seconds": 0} == json.loads(other) | {"seconds": 0}
    assert "points, which have no poses" in shell("attend", "--data", out).err[0]


@pytest.mark.parametrize(
    ("arrays", "why"),
    [
        ({"points": np.ones((3, 3)), "labels": np.arange(3)}, "points [n 2]"),
        ({"points": np.full((3, 2), np.nan), "labels": np.arange(3)}, "finite"),
        ({"points": np.ones((3, 2))}, "labels [3]"),
    ],
)
def test_arrays_that_are_not_points_are_refused(shell, tmp_path, arrays, why):
    np.savez(tmp_path / "x.npz", **arrays)
    ended = shell("data", "--data", tmp_path / "x.npz")
    assert (ended.code, len(ended.err)) == (2, 1)
    assert why in ended.err[0]
