"""Many images as one PNG: a gallery in which every class begins a new row, gaps transparent."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil, sqrt
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.data import Data, keep_rows, thin
from ia_engine.datasets.imageset import ImageSet
from ia_engine.errors import EngineError
from ia_engine.images import resize
from ia_engine.shapes import Images, check_axes

MOST: Final = 200
COLUMNS: Final = 24
WIDTH: Final = 1200
"""Small images are enlarged by a whole number up to about this width, large ones averaged down."""
FEWEST: Final = 4
"""Classes get rows of their own if one of them has at least so many images."""
MOST_CLASSES: Final = 25

Place = tuple[int, int]
"""The row and the column of an image in the mosaic."""


@dataclass(frozen=True)
class Gallery:
    """A mosaic as a PNG file, how many images it shows of how many, and whether by class."""

    png: bytes
    shown: int
    total: int
    by_class: bool
    places: tuple[Place, ...]
    """Of each image that is shown."""
    rows: tuple[int, ...]
    """Where each stands in the data."""


def draw_gallery(data: Data, most: int = MOST) -> Gallery:
    """At most so many images, spread evenly over the classes."""
    part = thin(data, most)
    if isinstance(part, PointSet) or isinstance(data, PointSet):
        raise EngineError("a gallery needs images; got points in the plane: plot them")
    labels = [] if part.labels is None else part.labels.tolist()
    by_class = _has_rows(labels)
    n = len(part.images)
    places = _by_class(labels) if by_class else _in_order(n, _columns(n))
    png, rows = draw_mosaic(part.images, places), keep_rows(data, most).tolist()
    return Gallery(png, n, len(data.names), by_class, tuple(places), tuple(rows))


def fade(data: ImageSet, share: float = 0.3) -> ImageSet:
    """The same with every second image at a share of its brightness."""
    bright = torch.ones(len(data.images), 1, 1, 1, device=data.images.device)
    bright[1::2] = share
    return replace(data, images=data.images * bright, made="")


def draw_row(images: Images, columns: int) -> bytes:
    """The first images, side by side; places without an image stay empty."""
    first = images[:columns]
    return draw_mosaic(first, _in_order(len(first), columns), columns)


def draw_all(images: Images) -> bytes:
    """All images in their order, in a rectangle that is about twice as wide as high."""
    return draw_mosaic(images, _in_order(len(images), _columns(len(images))))


def draw_mosaic(
    images: Images, places: Sequence[Place], columns: int = 0, gap: int = 2, width: int = WIDTH
) -> bytes:
    """Images [n c h w] in [0, 1] at their places, as a PNG with a gap [px] around each."""
    n, channels, _, _ = check_axes(images, "n c h w", "images").values()
    if channels not in (1, 3) or n != len(places) or not n:
        raise EngineError(
            f"a mosaic needs images of 1 or 3 channels and a place for each; got "
            f"{n} of {channels} channels and {len(places)} places"
        )
    columns = max(columns, 1 + max(column for _, column in places))
    tiles = _to_tiles(images, width // columns)
    height, side = tiles.shape[1] + gap, tiles.shape[2] + gap
    rows = 1 + max(row for row, _ in places)
    canvas = np.zeros((rows * height + gap, columns * side + gap, channels + 1), np.uint8)
    for (row, column), tile in zip(places, tiles, strict=True):
        top, left = row * height + gap, column * side + gap
        cell = canvas[top : top + tile.shape[0], left : left + tile.shape[1]]
        cell[..., :channels], cell[..., channels] = tile, 255
    return _to_png(canvas)


def _to_tiles(images: Images, room: int) -> NDArray[np.uint8]:
    """[n h w c] bytes that are about as wide as the room [px]."""
    height, width = images.shape[-2:]
    if width > room >= 1:
        images = resize(images, max(1, height * room // width), room)
    bytes_ = (images.detach().cpu() * 255).round().clamp(0, 255).byte().numpy()
    factor = max(1, room // width)
    return bytes_.repeat(factor, 2).repeat(factor, 3).transpose(0, 2, 3, 1)


def _to_png(canvas: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(canvas).save(file, "PNG", compress_level=3)
    return file.getvalue()


def _has_rows(labels: Sequence[int]) -> bool:
    counts = [labels.count(label) for label in set(labels)]
    return bool(counts) and max(counts) >= FEWEST and len(counts) <= MOST_CLASSES


def _by_class(labels: Sequence[int]) -> list[Place]:
    """Every class from a new row on, in as many rows as it needs."""
    places: list[Place] = [(0, 0)] * len(labels)
    row = 0
    order = sorted(range(len(labels)), key=lambda i: labels[i])
    for _, members in groupby(order, key=lambda i: labels[i]):
        own = list(members)
        for at, i in enumerate(own):
            places[i] = (row + at // COLUMNS, at % COLUMNS)
        row += ceil(len(own) / COLUMNS)
    return places


def _in_order(n: int, columns: int) -> list[Place]:
    return [divmod(i, columns) for i in range(n)]


def _columns(n: int) -> int:
    """About twice as many columns as rows."""
    return min(n, COLUMNS, max(FEWEST, ceil(sqrt(2 * n)))) or 1
