"""Inputs: every form of the same images gives the same pixels, and unclear shapes are refused."""

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine.api.inputs import load, read_images, read_like
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.uploads import UploadConfig
from ia_engine.equivariant.checkpoint import SHIPPED
from ia_engine.errors import EngineError
from tests.tensors import rand

GREY = (255 * rand(5, 12, 10, seed=3)).round().to(torch.uint8).numpy()
COLOUR = (255 * rand(5, 12, 10, 3, seed=4)).round().to(torch.uint8).numpy()


@pytest.fixture
def folder(tmp_path):
    for at, image in enumerate(COLOUR):
        Image.fromarray(image).save(tmp_path / f"{at}.png")
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


@pytest.mark.parametrize("same", [
    GREY,
    GREY / 255,
    (GREY / 255).astype(np.float32),
    torch.from_numpy(GREY),
    torch.from_numpy(GREY)[:, None],
    GREY[..., None],
    list(GREY),
    list(torch.from_numpy(GREY)),
])  # fmt: skip
def test_grey_images_have_the_same_pixels_in_every_form(same):
    data = read_images(same)
    expected = torch.from_numpy(GREY).float()[:, None] / 255
    torch.testing.assert_close(data.images, expected, atol=1e-6, rtol=0)
    assert "5 grey images of 12×10 px" in data.notes[0]


@pytest.mark.parametrize(("same", "layout"), [
    (COLOUR, "n h w c"),
    (COLOUR.transpose(0, 3, 1, 2), "n c h w"),
    (torch.from_numpy(COLOUR), "n h w c"),
    (torch.from_numpy(COLOUR).movedim(-1, 1), "n c h w"),
])  # fmt: skip
def test_the_first_note_states_the_layout_of_colour_images(same, layout):
    data = read_images(same)
    expected = torch.from_numpy(COLOUR).float().movedim(-1, 1) / 255
    torch.testing.assert_close(data.images, expected, atol=1e-6, rtol=0)
    assert data.notes[0] == f"read as [{layout}]: 5 colour images of 12×10 px"


def test_a_tensor_with_two_possible_layouts_is_read_with_channels_first():
    data = read_images(rand(2, 3, 8, 4))
    assert data.images.shape == (2, 3, 8, 4)


@pytest.mark.parametrize(("shape", "words"), [
    ((5, 3, 8, 3), "can be read as [n h w c] and as [n c h w]"),
    ((64, 64, 3), "pass a stack: array[None]"),
    ((5, 64), "array.reshape(n, h, w)"),
    ((64,), "must have the axes"),
    ((2, 8, 8, 7), "must have the axes"),
    ((2, 8, 5000), "sides from 4 to 4096 px"),
    ((5, 1, 1), "sides from 4 to 4096 px"),
])  # fmt: skip
def test_an_unclear_shape_is_refused_with_its_remedy(shape, words):
    with pytest.raises(EngineError) as raised:
        read_images(np.zeros(shape, np.uint8))
    assert words in str(raised.value)
    assert str(shape) in str(raised.value)


def test_a_folder_its_paths_and_its_pictures_give_the_same_images(folder):
    paths = sorted(folder.glob("*.png"))
    pictures = [Image.open(path) for path in paths]
    whole = load(folder)
    for same in (load(str(folder)), load(paths), load([str(path) for path in paths]),
                 load(pictures)):  # fmt: skip
        assert torch.equal(same.images, whole.images)
        assert same.names == tuple(f"{at}.png" for at in range(5))
    for picture in pictures:
        picture.close()
    assert whole.notes[0] == "read 5 pictures, placed on canvases of 64×64 px"
    assert any("notes.txt" in note for note in whole.notes)


MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16", "I")


def draw(mode):
    """A picture that is different in every mode, with a shape on a plain border."""
    array = np.zeros((30, 44), np.uint8)
    array[8:20, 5:30] = COLOUR.ravel()[:300].reshape(12, 25)
    if mode in ("I;16", "I"):
        deep = Image.fromarray(array.astype(np.uint16) * 250)
        return deep if mode == "I;16" else deep.convert("I")
    picture = Image.fromarray(array).convert("RGB")
    picture.paste((200, 90, 30), (10, 10, 18, 14))
    return picture.convert(mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_picture_in_any_mode_is_read_like_its_file(mode, tmp_path):
    picture = draw(mode)
    deep = mode == "I"  # 32 bits, of which PNG stores 16
    (draw("I;16") if deep else picture).save(tmp_path / "a.png")
    expected = load([tmp_path / "a.png"])
    with Image.open(tmp_path / "a.png") as opened:
        for same in (picture, opened):
            found = load([same])
            assert torch.equal(found.images, expected.images)
            assert found.placements == expected.placements
    assert expected.images.max() > 0.5


@pytest.mark.parametrize("mode", ["CMYK", "HSV", "YCbCr"])
def test_modes_that_png_cannot_store_are_read_as_colours(mode):
    found = load([draw("RGB").convert(mode)])
    torch.testing.assert_close(
        found.images, load([draw("RGB").convert(mode).convert("RGB")]).images
    )


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_is_turned_upright_like_its_file(orientation, tmp_path):
    exif = Image.Exif()
    exif[0x0112] = orientation
    draw("RGB").save(tmp_path / "a.png", exif=exif)
    expected = load([tmp_path / "a.png"])
    with Image.open(tmp_path / "a.png") as opened:
        found = load([opened])
    assert torch.equal(found.images, expected.images)
    assert found.placements == expected.placements


def test_a_picture_of_unknown_scale_is_refused():
    with pytest.raises(EngineError, match=r"picture 1\.png must have whole grey values from 0 to"):
        load([Image.new("F", (9, 7), 0.5)])


def draw_star(side):
    """A picture of the same drawing of 40 px, on white paper of any size."""
    paper = Image.new("L", (side, side), 255)
    paper.paste(Image.new("L", (40, 12), 0), (side // 2 - 20, side // 2 - 6))
    return paper


def test_pictures_of_different_sizes_are_scaled_by_one_factor_on_request():
    pictures = [draw_star(80), draw_star(160)]
    each, common = load(pictures), load(pictures, fit="common")
    assert each.images[0].sum() > 3 * each.images[1].sum()
    assert common.images[0].sum().item() == pytest.approx(common.images[1].sum().item(), rel=1e-4)
    (first, second) = common.placements
    assert first.scale == second.scale == each.placements[1].scale
    assert any("by 0.275 to 0.55" in note for note in each.notes)
    assert any('use fit="common"' in note for note in each.notes)
    assert not any("scale" in note for note in common.notes)


def test_new_pictures_are_scaled_like_those_of_the_result():
    data = load([draw_star(80), draw_star(160)], fit="common")
    new = read_like(data, [draw_star(60)])
    assert new.placements[0].scale == data.placements[0].scale
    larger = read_like(data, [draw_star(320), draw_star(60)])
    assert larger.placements[0].scale != larger.placements[1].scale
    assert any("not comparable" in note for note in larger.notes)


@pytest.mark.parametrize("size", [(100, 30), (80, 60), (300, 100), (30, 41), (700, 33)])
@pytest.mark.parametrize("fit", ["each", "common"])
def test_pictures_keep_their_proportions_exactly(size, fit):
    pictures = [Image.new("L", size, 255), Image.new("L", (50, 35), 255)]
    for place in load(pictures, fit=fit).placements:
        assert place.scale[0] == pytest.approx(place.scale[1], rel=1e-9)


def test_the_note_of_one_picture_is_in_the_singular():
    assert load([draw_star(64)]).notes[0] == "read a picture, placed on a canvas of 64×64 px"


def test_the_settings_of_pictures_are_those_of_uploads(folder):
    data = load(folder, size=32, margin=0.0, background="keep", color="gray", limit=3)
    assert data.images.shape == (3, 1, 32, 32)
    config = data.recipe.config
    assert isinstance(config, UploadConfig)
    assert (config.margin, config.background, config.color) == (0.0, "keep", "gray")


def test_an_image_set_is_returned_unchanged():
    data = read_images(GREY)
    assert read_images(data) is data
    assert isinstance(load(data, limit=2), ImageSet)
    assert len(load(data, limit=2).images) == 2


def test_blank_arrays_are_noted_as_for_pictures():
    notes = read_images(np.concatenate([GREY, np.zeros_like(GREY[:1])])).notes
    assert "1 image is blank: nothing differs from the border" in notes


def test_limit_is_noted():
    assert "the first 2 of 5 images" in load(GREY, limit=2).notes


@pytest.mark.parametrize(("source", "words"), [
    (42, "got int"),
    ([], "got an empty list"),
    ([GREY, "path.png"], "got ndarray, str"),
    ([GREY[0], GREY[1, 1:]], "one shape"),
    ("nowhere at all", "there is no file or folder 'nowhere at all'"),
    ("", "got an empty string"),
    ("blobs", "got points"),
    (np.zeros((0, 8, 8)), "got (0, 8, 8)"),
])  # fmt: skip
def test_a_source_without_images_is_refused(source, words):
    with pytest.raises(EngineError) as raised:
        read_images(source)
    assert words in str(raised.value)


def test_values_that_are_not_finite_are_refused():
    with pytest.raises(EngineError, match="1 NaN"):
        read_images(np.where(np.arange(64).reshape(1, 8, 8) == 7, np.nan, 0.5))


@pytest.mark.cpu_only("networks are loaded on the CPU")
@pytest.mark.parametrize("name", SHIPPED)
def test_load_returns_every_bundled_network(name):
    assert load(name).record.network == name


@pytest.mark.cpu_only("the catalogue's data are on the CPU")
def test_load_returns_points_and_uses_the_seed():
    assert load("blobs").points.shape[1] == 2
    one, other = (load("experiment-1", seed=seed).images for seed in (1, 2))
    assert not torch.equal(one, other)
