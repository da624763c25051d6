import io

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.datasets.recipes import RECIPES
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import (
    TILE_COLUMNS,
    TILE_SIDE,
    draw_gallery,
    draw_mosaic,
    draw_row,
    draw_tiles,
    list_tiles,
)

pytestmark = pytest.mark.cpu_only("draws with Pillow")


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)))


def images(n, channels=1, side=8):
    levels = torch.linspace(0, 1, n)[:, None, None, None]
    return levels.expand(n, channels, side, side)


def image_set(n, labels=None, classes=()):
    given = None if labels is None else torch.tensor(labels)
    names = tuple(map(str, range(n)))
    return ImageSet(images(n), names, RECIPES["digits"], given, classes)


def test_every_image_is_at_its_position_and_the_gaps_are_transparent():
    drawn = pixels(draw_mosaic(images(3), [(0, 0), (0, 1), (1, 1)], gap=1, width=16))
    assert drawn.shape == (19, 19, 2)
    assert drawn[1, 1].tolist() == [0, 255]
    assert drawn[1, 10].tolist() == [128, 255]
    assert drawn[10, 10].tolist() == [255, 255]
    assert drawn[10, 1, 1] == 0, "there is no image at this position"
    assert not drawn[0, :, 1].any()
    assert not drawn[:, 9, 1].any()


def test_the_colours_of_images_are_unchanged():
    red = torch.tensor([1.0, 0, 0])[None, :, None, None].expand(1, 3, 4, 4)
    assert pixels(draw_mosaic(red, [(0, 0)], gap=0, width=4))[0, 0].tolist() == [255, 0, 0, 255]


def test_small_images_are_enlarged_by_integer_factors_and_large_ones_reduced_by_averaging():
    assert pixels(draw_mosaic(images(1), [(0, 0)], gap=0, width=30)).shape[:2] == (24, 24)
    checks = torch.arange(64) % 2 * torch.ones(1, 1, 64, 1)
    small = pixels(draw_mosaic(checks, [(0, 0)], gap=0, width=8))
    assert small.shape[:2] == (8, 8)
    assert abs(int(small[4, 4, 0]) - 128) < 20


def test_rows_keep_their_positions_if_images_are_missing():
    assert pixels(draw_row(images(2), 6)).shape[1] == pixels(draw_row(images(6), 6)).shape[1]


def test_every_class_starts_a_new_row():
    gallery = draw_gallery(image_set(12, [0, 1] * 6, ("a", "b")))
    assert (gallery.by_class, gallery.shown, gallery.total) == (True, 12, 12)
    drawn = pixels(gallery.png)
    assert round(drawn.shape[1] / drawn.shape[0]) == 3


def test_images_that_are_not_shown_are_counted():
    gallery = draw_gallery(image_set(300, [i % 10 for i in range(300)]))
    assert (gallery.shown, gallery.total) == (200, 300)


@pytest.mark.parametrize("n", [1, 2, 5, 97])
def test_images_without_classes_fill_rows_in_their_order(n):
    gallery = draw_gallery(image_set(n))
    assert not gallery.by_class
    assert gallery.shown == n


def test_points_and_an_empty_set_are_refused():
    with pytest.raises(EngineError, match="plot the points"):
        draw_gallery(make_blobs(BlobsConfig()))
    with pytest.raises(EngineError, match="1 or 3 channels"):
        draw_mosaic(images(0), [])
    with pytest.raises(EngineError, match="1 or 3 channels"):
        draw_mosaic(images(2, channels=2), [(0, 0), (0, 1)])


def test_the_sheet_contains_one_image_for_each_tile():
    tiles = list_tiles()
    drawn = pixels(draw_tiles(tiles))
    assert drawn.shape[:2] == (-(-len(tiles) // TILE_COLUMNS) * TILE_SIDE, TILE_COLUMNS * TILE_SIDE)
    for at, tile in enumerate(tiles):
        row, column = divmod(at, TILE_COLUMNS)
        part = drawn[
            row * TILE_SIDE : (row + 1) * TILE_SIDE,
            column * TILE_SIDE : (column + 1) * TILE_SIDE,
            :3,
        ]
        assert part.max() > 100, tile.name
