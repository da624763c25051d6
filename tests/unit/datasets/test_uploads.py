"""Uploads get a background of 0, labels and a common canvas, and every change is stated."""

import gzip
import json
from dataclasses import asdict

import numpy as np
import pytest
import torch
from PIL import Image, ImageDraw

from ia_engine.datasets.uploads import (
    PHOTOGRAPHS,
    Upload,
    UploadConfig,
    match_settings,
    read_upload,
)
from ia_engine.datasets.uploads.canvas import place
from ia_engine.errors import EngineError
from tests.crafted import (
    GOOD,
    drawing,
    drawings,
    gif,
    idx,
    idx_drawings,
    npy,
    npz,
    packed,
    saved,
    torch_file,
)
from tests.hostile import READ

WHITE = UploadConfig(size=32, margin=0)


def read(*files, config=WHITE):
    return read_upload([Upload(name, content) for name, content in files], config)


def read_one(content, config=WHITE):
    result = read(("x", content), config=config)
    assert result.images is not None, result.refused
    return result.images.images[0]


def expected():
    """The expected drawing, with ink of 1 on a background of 0."""
    return torch.from_numpy(np.asarray(drawing(paper=0, ink=255)) / np.float32(255))[None]


def test_forty_rotated_drawings_on_white_become_ink_on_a_background_of_zero_with_labels_by_folder():
    shapes = {
        "bar": [(20, 44, 76, 52)],
        "cross": [(20, 44, 76, 52), (44, 20, 52, 76)],
        "corner": [(20, 20, 28, 76), (20, 68, 76, 76)],
    }
    files = []
    for i, angle in enumerate(np.linspace(-65, 65, 40)):
        name = tuple(shapes)[i % 3]
        page = Image.new("L", (96, 96), 255)
        for box in shapes[name]:
            ImageDraw.Draw(page).rectangle(box, fill=20)
        turned = page.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
        files.append((f"drawings/{name}/{i}.png", saved(turned)))
    result = read(("drawings.zip", packed(files)), config=UploadConfig())
    found = result.images
    assert not result.refused
    assert found.images.shape == (40, 1, 64, 64)
    assert found.classes == ("bar", "corner", "cross")
    assert found.labels.tolist() == [(0, 2, 1)[i % 3] for i in range(40)]
    assert found.images[..., [0, -1]].abs().max() == 0
    assert found.images[:, :, [0, -1]].abs().max() == 0
    assert found.images.amax((1, 2, 3)).min() > 0.8
    assert found.images.mean() < 0.2
    assert "40 images had a light border and were inverted" in found.notes
    assert result.notes == found.notes


@pytest.mark.parametrize(
    "name", ["cmyk.jpg", "turned.jpg", "one-bit.png", "gray-alpha.png", "really-a-png.jpg"]
)
def test_the_drawing_is_the_same_in_every_format(name):
    v = read_one(READ[name][1]())
    assert (v - expected()).abs().mean() < 0.01


def test_sixteen_bit_values_are_scaled_instead_of_clipped():
    v = read_one(READ["sixteen.png"][1]())
    torch.testing.assert_close(v, expected() * (128 / 255))


def test_a_palette_and_its_transparency_are_applied():
    v = read_one(READ["palette.png"][1]())
    shown = torch.tensor([255, 200, 0], device="cpu")[:, None, None] / 255
    torch.testing.assert_close(v, expected() * shown)


def test_images_on_a_background_of_zero_that_fill_the_canvas_are_unchanged():
    found = read(("x.npy", npy(drawings()))).images
    assert torch.equal(found.images, expected().expand(3, -1, -1, -1))
    assert found.notes == ("x.npy: uint8 values from 0 to 255 were divided by 255",)


def test_noise_on_the_paper_becomes_zero_and_the_ink_is_kept():
    noise = np.random.default_rng(0).normal(0, 4, (32, 32))
    page = np.clip(np.asarray(drawing(paper=230, ink=20)) + noise, 0, 255).astype(np.uint8)
    v = read_one(saved(Image.fromarray(page)))
    paper = v[expected() == 0]
    assert paper.mean() < 0.001
    assert (paper == 0).float().mean() > 0.95
    assert v[expected() == 1].mean() > 0.75


def test_a_jpeg_of_ink_on_white_becomes_ink_on_a_background_of_zero():
    page = drawing((128, 128))
    v = read_one(saved(page, "JPEG", quality=60), UploadConfig(size=128, margin=0))
    ink = torch.from_numpy(255 - np.asarray(page).astype(np.float32))[None] / 255
    assert v[ink == 0].mean() < 0.005
    assert v[ink == 1].mean() > 0.95


@pytest.mark.parametrize(
    ("paper", "ink", "shown", "note"),
    [
        (255, 55, 200, "light border and was inverted"),
        (100, 20, 80, "ink darker than a dark border"),
        (40, 240, 200, "its value was subtracted"),
        (150, 250, 100, "its value was subtracted"),
        (0, 200, 200, None),
    ],
)
def test_ink_is_the_difference_from_the_paper(paper, ink, shown, note):
    result = read(("x.png", saved(drawing(paper=paper, ink=ink))))
    torch.testing.assert_close(result.images.images[0], expected() * (shown / 255))
    assert [note in text for text in result.notes] == [True] * (note is not None)


def test_the_background_rule_can_be_chosen():
    page = saved(drawing(paper=200, ink=80))
    for mode, paper, ink in (("keep", 200, 80), ("invert", 0, 120), ("subtract", 0, 0)):
        v = read_one(page, UploadConfig(size=32, margin=0, background=mode))
        assert v[0, 0, 0] * 255 == pytest.approx(paper)
        assert v[expected() == 1].mean() * 255 == pytest.approx(ink)


def test_ink_on_a_transparent_background_is_inverted_only_if_it_is_dark():
    nothing = (0, 0, 0, 0)
    dark = read_one(saved(drawing(mode="RGBA", paper=nothing, ink=(0, 0, 0, 255))))
    red = read_one(saved(drawing(mode="RGBA", paper=nothing, ink=(200, 0, 0, 255))))
    torch.testing.assert_close(dark, expected())
    torch.testing.assert_close(red[:1], expected() * (200 / 255))
    assert red[1:].max() == 0


def test_a_coloured_stroke_on_white_gets_its_complementary_colour():
    v = read_one(saved(drawing(mode="RGB", paper=(255,) * 3, ink=(255, 0, 0))))
    torch.testing.assert_close(v[1:], expected().expand(2, -1, -1))
    assert v[0].max() == 0


def test_one_coloured_image_makes_the_set_coloured_unless_grey_is_requested():
    files = ("a.png", GOOD), ("b.png", saved(drawing(mode="RGB", paper=(0,) * 3, ink=(9, 200, 0))))
    assert read(*files).images.images.shape == (2, 3, 32, 32)
    gray = read(*files, config=UploadConfig(size=32, color="gray"))
    assert gray.images.images.shape == (2, 1, 32, 32)


def test_images_of_any_shape_are_centred_within_the_margin():
    shapes = [(90, 30), (30, 90), (7, 7), (64, 64), (401, 399)]
    files = [(f"{w}x{h}.png", saved(Image.new("L", (w, h), 255))) for w, h in shapes]
    config = UploadConfig(size=64, margin=0.25, background="keep")
    for v, (width, height) in zip(read(*files, config=config).images.images, shapes, strict=True):
        torch.testing.assert_close(v, v.flip(-1))
        torch.testing.assert_close(v, v.flip(-2))
        assert v[:, :16].max() == v[..., :16].max() == 0
        rows, columns = (v[0].amax(axis) > 0.5 for axis in (1, 0))
        assert columns.sum() == pytest.approx(32 * min(1, width / height), abs=1)
        assert rows.sum() == pytest.approx(32 * min(1, height / width), abs=1)


def test_idx_labels_are_matched_to_images_by_count_and_name():
    labels = [bytes([7, 5, 7]), bytes([1, 2, 3])]
    result = read(
        ("t10k-labels-idx1-ubyte", idx((3,), labels[1])),
        ("train-images-idx3-ubyte.gz", gzip.compress(idx_drawings(), mtime=0)),
        ("t10k-images-idx3-ubyte", idx_drawings()),
        ("train-labels-idx1-ubyte.gz", gzip.compress(idx((3,), labels[0]))),
    )
    found = result.images
    assert not result.refused
    assert [found.classes[i] for i in found.labels] == ["7", "5", "7", "1", "2", "3"]
    lonely = read(("x.png", GOOD), ("labels", idx((3,), labels[0])))
    assert "got none" in lonely.refused[0].reason


@pytest.mark.parametrize("form", ["npz", "torch"])
def test_labels_stored_with_the_images_become_classes(form):
    values = {"images": drawings(), "labels": np.array([10, 9, 10])}
    tensors = {key: torch.from_numpy(value) for key, value in values.items()}
    found = read(("x", npz(**values) if form == "npz" else torch_file(tensors))).images
    assert found.classes == ("9", "10")
    assert found.labels.tolist() == [1, 0, 1]


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan, 1e300, 0.5])
def test_labels_that_are_not_integers_are_refused(wrong):
    result = read(("x.npz", npz(images=drawings(), labels=np.array([1, wrong, 0]))))
    assert result.images.labels is None
    assert "expected labels that are integers or strings" in result.refused[0].reason


def test_the_channels_of_grey_images_with_alpha_may_come_first_or_last():
    gray = drawings()
    first = np.stack([gray, np.full_like(gray, 255)], 1)
    one, other = (
        read(("x.npy", npy(pixels))).images for pixels in (first, first.transpose(0, 2, 3, 1))
    )
    assert one.images.shape[1] == 1
    assert one.digest == other.digest


def test_labels_of_only_some_images_are_ignored_and_a_note_states_this():
    files = ("a.npz", npz(images=drawings(), labels=np.arange(3))), ("b.png", GOOD)
    result = read(*files)
    assert result.images.labels is None
    assert "labels ignored: 1 image has none" in result.notes


def test_images_beyond_the_limit_are_counted_in_the_notes():
    config = UploadConfig(size=16, limit=4)
    result = read(
        ("a.npy", npy(drawings(3))), ("b.npy", npy(drawings(3))), ("c.png", GOOD), config=config
    )
    assert len(result.images.images) == 4
    assert "b.npy: only the first 1 of 3 images were used" in result.notes
    assert any(
        text.startswith("1 file was omitted because the limit of 4 images") for text in result.notes
    )
    frames = read(("x.gif", gif(9)), config=config)
    assert len(frames.images.images) == 4
    assert "at most 4 frames" in frames.refused[0].reason


def test_files_with_the_same_name_are_numbered():
    result = read(("x.png", GOOD), ("x.png", GOOD), ("x.png", b""))
    assert result.images.names == ("x.png", "x.png (2)")
    assert result.refused[0].name == "x.png (3)"


def test_unreadable_files_give_no_data_set_but_one_reason_for_each_file():
    result = read(("a.svg", b"<svg/>"), ("b.txt", b"hello"))
    assert result.images is None
    assert [refusal.name for refusal in result.refused] == ["a.svg", "b.txt"]
    assert result.refused[0].reason == (
        "a.svg: expected a PNG, JPEG, WebP or GIF picture; got an SVG drawing: export it as PNG"
    )


def test_blank_images_are_counted_in_the_notes():
    result = read(("white.png", saved(Image.new("L", (9, 9), 255))), ("x.png", GOOD))
    assert "1 image is blank: nothing differs from the border" in result.notes


def test_the_same_files_give_the_same_digest_and_a_recipe_with_the_config():
    one, two = read(("x.png", GOOD)).images, read(("x.png", GOOD)).images
    assert one.digest == two.digest
    assert one.recipe.source == "upload"
    assert one.recipe.config == WHITE


def test_a_config_out_of_bounds_is_refused():
    with pytest.raises(EngineError, match="size must be between 16 and 256"):
        UploadConfig(size=1000)


def test_arrays_beyond_the_limit_are_counted_as_omitted():
    config = UploadConfig(size=16, limit=5)
    files = ("a.npy", npy(drawings(5))), ("b.npy", npy(drawings(7))), ("c.idx", idx_drawings(3))
    result = read(*files, config=config)
    assert len(result.images.images) == 5
    assert "b.npy: none of its 7 images were used" in result.notes
    assert "c.idx: none of its 3 images were used" in result.notes
    omitted = "2 files were omitted because the limit of 5 images was reached; raise the limit"
    assert omitted in result.notes


def test_labels_of_images_beyond_the_limit_are_not_refused():
    files = ("a.npy", npy(drawings(5))), ("b.npy", npy(drawings(7))), ("b-l.npy", npy(np.arange(7)))
    result = read(*files, config=UploadConfig(size=16, limit=5))
    assert not result.refused


def test_the_first_images_are_also_kept_without_changes():
    page = saved(drawing(paper=200, ink=80))
    result = read(("a.npy", npy(drawings(4))), *[(f"{i}.png", page) for i in range(4)])
    assert result.before.shape == (6, 1, 32, 32)
    torch.testing.assert_close(result.before[0], expected())
    assert result.before[5, 0, 0, 0] * 255 == pytest.approx(200)
    margined = read(("x.png", page), config=UploadConfig(size=32, margin=0.3, background="invert"))
    torch.testing.assert_close(margined.before[0], result.before[5])
    assert read(("x.txt", b"hello")).before is None


@pytest.mark.parametrize("size", [(300, 200), (200, 300), (90, 60), (128, 128)])
def test_photographs_are_cropped_to_the_central_square_and_keep_their_colours(size):
    wide, high = size
    side = min(size)
    page = Image.new("RGB", size, (250, 240, 30))
    box = ((wide - side) // 2, (high - side) // 2)
    page.paste((20, 90, 200), (*box, box[0] + side, box[1] + side))
    result = read(("x.png", saved(page)), config=PHOTOGRAPHS)
    assert result.images.images.shape == (1, 3, 128, 128)
    blue = torch.tensor([20, 90, 200], device="cpu")[:, None, None] / 255
    torch.testing.assert_close(result.images.images[0], blue.expand(3, 128, 128), atol=1e-3, rtol=0)
    assert result.before.shape[-2:] == (128, 128), "the originals are not cropped"
    assert (not result.before[0, :, 0, 0].any()) == (wide != high), (
        "the originals are padded to a square"
    )


def test_a_single_number_is_refused_as_an_array_without_axes():
    (refusal,) = read(("x.npy", npy(np.array(3.0)))).refused
    assert "got a single number without axes" in refusal.reason


def test_an_error_while_images_are_placed_affects_only_that_file(monkeypatch):
    def fail(stack, config, *rest):
        if stack.names[0].startswith("x.npy"):
            raise RuntimeError("an unforeseen defect")
        return place(stack, config, *rest)

    monkeypatch.setattr("ia_engine.datasets.uploads.reading.place", fail)
    result = read(("a.png", GOOD), ("x.npy", npy(drawings())), ("b.png", GOOD))
    assert result.images.names == ("a.png", "b.png")
    assert result.refused[0].name == "x.npy"


def test_a_limit_does_not_change_the_images_of_an_array():
    images = np.zeros((3, 32, 32), np.uint8)
    images[:2], images[2] = 1, 255
    config = UploadConfig(size=32, margin=0, background="keep", limit=2)
    found = read(("x.npy", npy(images)), config=config).images
    torch.testing.assert_close(found.images, torch.full_like(found.images, 1 / 255))


def mixed(dark, light):
    """An array of drawings: first with dark ink on white, then with light ink on black."""
    black, white = drawing(paper=255, ink=0), drawing(paper=0, ink=255)
    return np.stack([np.asarray(black)] * dark + [np.asarray(white)] * light)


@pytest.mark.parametrize(("dark", "light"), [(5, 2), (2, 5)])
def test_an_array_is_inverted_entirely_or_not_at_all_and_differing_images_are_counted(dark, light):
    result = read(("x.npy", npy(mixed(dark, light))))
    images = result.images.images
    ink = images.flatten(1).amax(1) > 0
    torch.testing.assert_close(images[ink], expected().expand(5, -1, -1, -1))
    assert ink.tolist() == [dark > light] * dark + [light > dark] * light
    assert any("2 images differ from most images in the same file" in x for x in result.flaws)
    assert not any("differ" in flaw for flaw in read(("y.npy", npy(mixed(3, 0)))).flaws)


def test_later_chunks_of_an_array_are_inverted_in_the_same_way_as_the_first(monkeypatch):
    monkeypatch.setattr("ia_engine.datasets.uploads.arrays.CHUNK_VALUES", 3 * 32 * 32)
    found = read(("x.npy", npy(mixed(4, 2)))).images.images
    assert found[:4].flatten(1).amax(1).min() == 1
    assert found[4:].max() == 0


def test_images_in_separate_files_are_inverted_independently():
    files = [(f"{k}.png", saved(drawing(paper=255 * k, ink=255 - 255 * k))) for k in (0, 1)]
    torch.testing.assert_close(read(*files).images.images, expected().expand(2, -1, -1, -1))


def test_new_pictures_get_the_settings_of_an_earlier_upload_or_the_size_of_its_images():
    config = UploadConfig(size=32, margin=0.1, background="keep", color="rgb")
    stored = json.dumps({"source": "upload", "config": {**asdict(config), "digest": "abc"}})
    images = torch.zeros(2, 3, 32, 32, device="cpu")
    assert match_settings(images, stored) == config
    generated = match_settings(images[:, :1], json.dumps({"source": "digits", "config": {}}))
    assert (generated.size, generated.margin, generated.color) == (32, 0.0, "gray")
    run = json.dumps({"source": "upload", "config": {"run": "a"}})
    assert match_settings(images, run).color == "rgb"
