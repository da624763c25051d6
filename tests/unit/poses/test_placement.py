"""Every uploaded picture knows where its original lies on the canvas."""

import io
from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine.datasets.data import ImageSet, Recipe, thin
from ia_engine.datasets.distortions import copy_images
from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload
from ia_engine.errors import EngineError
from ia_engine.poses.placement import Placement, stack_placements
from ia_engine.runs.kinds import kind
from ia_engine.runs.kinds.kind import to_given
from tests.crafted import npy
from tests.tensors import rand, tensor

WHOLE = UploadConfig(size=64, margin=0.15, background="keep")
SQUARE = replace(WHOLE, cut="square", margin=0.0)
COMMON = replace(WHOLE, fit="common")
LONGER = replace(WHOLE, fit="common", longest=1500)
ORIENTATION = 0x0112


def spot(height, width, y, x, sigma):
    """A picture of a Gaussian spot, as bytes."""
    rows, columns = np.arange(height)[:, None], np.arange(width)
    ink = np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / (2 * sigma**2))
    return (255 * ink).round().astype(np.uint8)


def centre(image):
    """The centre of mass (x, y) of an image [h w]."""
    y, x = (torch.arange(side, device="cpu", dtype=image.dtype) for side in image.shape)
    return torch.stack([(image.sum(0) * x).sum(), (image.sum(1) * y).sum()]) / image.sum()


def upload(name, content, config):
    result = read_upload([Upload(name, content)], config)
    assert result.images is not None, result.refused
    return result.images


def to_canvas(placement, x, y):
    return (stack_placements([placement], tensor([0.0])) @ tensor([x, y, 1.0]))[0, :2]


def saved(pixels, form="PNG", orientation=None):
    picture, stream = Image.fromarray(pixels), io.BytesIO()
    exif = Image.Exif()
    if orientation is not None:
        exif[ORIENTATION] = orientation
    picture.save(stream, form, exif=exif)
    return stream.getvalue()


@pytest.mark.parametrize("config", [WHOLE, SQUARE, COMMON, LONGER])
@pytest.mark.parametrize("size", [(48, 48), (40, 72), (301, 200), (700, 1031)])
def test_a_spot_lies_where_its_placement_says(size, config):
    height, width = size
    y, x = 0.45 * height, 0.55 * width
    content = saved(spot(height, width, y, x, min(size) / 12))
    found = upload("a.png", content, config)
    (place,) = found.placements
    assert (place.height, place.width) == size
    torch.testing.assert_close(
        centre(found.images[0, 0].double()), to_canvas(place, x, y), atol=0.03, rtol=0
    )


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_original_of_a_turned_picture_is_the_upright_one(orientation):
    height, width = 601, 1030
    pixels = spot(height, width, 200.0, 400.0, 60)
    content = saved(pixels, orientation=orientation)
    found = upload("a.png", content, WHOLE)
    upright = torch.from_numpy(
        {
            1: pixels,
            2: pixels[:, ::-1],
            3: pixels[::-1, ::-1],
            4: pixels[::-1],
            5: pixels.T,
            6: np.rot90(pixels, -1),
            7: pixels[::-1, ::-1].T,
            8: np.rot90(pixels),
        }[orientation].astype(np.float64)
    )
    (place,) = found.placements
    assert (place.height, place.width) == tuple(upright.shape)
    torch.testing.assert_close(
        centre(found.images[0, 0].double()),
        to_canvas(place, *centre(upright).tolist()),
        atol=0.03,
        rtol=0,
    )


@pytest.mark.parametrize("size", [(1500, 2101), (2600, 1203)])
def test_a_photograph_that_is_reduced_while_it_is_decoded_keeps_its_size(size):
    y, x = 0.5 * size[0], 0.4 * size[1]
    found = upload("a.jpg", saved(spot(*size, y, x, 150), "JPEG"), WHOLE)
    (place,) = found.placements
    assert (place.height, place.width) == size
    torch.testing.assert_close(
        centre(found.images[0, 0].double()), to_canvas(place, x, y), atol=0.05, rtol=0
    )


def test_arrays_have_placements_as_well():
    array = np.stack([spot(600, 900, 250.0, 400.0, 60), spot(600, 900, 350.0, 500.0, 60)])
    found = upload("a.npy", npy(array), WHOLE)
    for place, image, (y, x) in zip(
        found.placements, found.images, [(250.0, 400.0), (350.0, 500.0)], strict=True
    ):
        assert (place.height, place.width) == (600, 900)
        torch.testing.assert_close(
            centre(image[0].double()), to_canvas(place, x, y), atol=0.03, rtol=0
        )


def uploaded(n=4):
    places = tuple(Placement(10 + i, 20, (0.5, 0.25), (i, 1.5)) for i in range(n))
    images = rand(n, 1, 8, 8, dtype=torch.float32)
    recipe = Recipe("upload", UploadConfig())
    return ImageSet(images, tuple("abcdefgh"[:n]), recipe, placements=places)


def test_placements_do_not_change_the_digest():
    data = uploaded()
    assert data.digest == replace(data, placements=()).digest


def test_a_saved_run_stores_the_placements():
    data = uploaded()
    assert kind.read_upload(data.recipe.to_json(), to_given(data)).placements == data.placements


def test_a_run_saved_without_placements_can_be_read():
    data = replace(uploaded(), placements=())
    assert kind.read_upload(data.recipe.to_json(), to_given(data)).placements == ()


def test_parts_of_a_set_keep_the_placements_of_their_images():
    data = uploaded()
    assert data.first(2).placements == data.placements[:2]
    rows = [data.names.index(name) for name in thin(data, 3).names]
    assert thin(data, 3).placements == tuple(data.placements[row] for row in rows)


def test_transformed_copies_have_no_placements():
    assert copy_images(uploaded(), 2, (), 0).placements == ()


def test_a_set_with_placements_for_some_images_only_is_refused():
    data = uploaded()
    with pytest.raises(EngineError, match="placements must have one row for each of the 4 images"):
        replace(data, placements=data.placements[:3])


def test_padding_and_cropping_are_inverse():
    place = Placement(30, 40).rescale((0.5, 0.25))
    assert place.pad(3, -4).pad(-3, 4) == place


def test_resizing_keeps_the_outer_edges():
    place = Placement(30, 40).resize(60, 10, (30, 40))
    torch.testing.assert_close(to_canvas(place, -0.5, -0.5), tensor([-0.5, -0.5]))
    torch.testing.assert_close(to_canvas(place, 39.5, 29.5), tensor([9.5, 59.5]))
