"""Draws many images as one PNG: galleries in which every class starts a new row, clickable
galleries, and tiles.

The gaps between the images are transparent.
"""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from math import ceil, sqrt
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Generator

from ia_engine.datasets.bases import BASES, DIGIT_CLASSES, FASHION_CLASSES
from ia_engine.datasets.data import Data, ImageSet, PointSet, keep_rows, thin
from ia_engine.datasets.generated import CopyCanvas, load_copies, load_sources
from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import MNIST
from ia_engine.errors import EngineError
from ia_engine.figures.style import PAIR, Pair
from ia_engine.figures.svg import box, draw, read
from ia_engine.images import Images, check_axes, resize

MOST: Final = 200
COLUMNS: Final = 24
WIDTH: Final = 1200
"""Approximate width of a mosaic [px]. Small images are enlarged by an integer factor, and large
ones are reduced."""
FEWEST: Final = 4
"""Each class gets its own rows if at least one class has this number of images."""
MOST_CLASSES: Final = 25

Place = tuple[int, int]
"""The row and the column of an image in the mosaic."""


@dataclass(frozen=True)
class Gallery:
    """A mosaic as PNG, the numbers of images that are shown and that exist, and whether it is
    sorted by class."""

    png: bytes
    shown: int
    total: int
    by_class: bool
    places: tuple[Place, ...]
    """Position of each displayed image."""
    rows: tuple[int, ...]
    """Row of each displayed image in the data."""


def draw_gallery(data: Data, most: int = MOST) -> Gallery:
    """Draw at most `most` images, evenly distributed over the classes."""
    part = thin(data, most)
    if isinstance(part, PointSet) or isinstance(data, PointSet):
        raise EngineError(
            "the data for a gallery must be images; got points in the plane: plot the points "
            "instead"
        )
    labels = [] if part.labels is None else part.labels.tolist()
    by_class = _has_rows(labels)
    n = len(part.images)
    places = _by_class(labels) if by_class else _in_order(n, _columns(n))
    png, rows = draw_mosaic(part.images, places), keep_rows(data, most).tolist()
    return Gallery(png, n, len(data.names), by_class, tuple(places), tuple(rows))


def fade(data: ImageSet, share: float = 0.3) -> ImageSet:
    """Return the same data with every second image darkened."""
    bright = torch.ones(len(data.images), 1, 1, 1, device=data.images.device)
    bright[1::2] = share
    return replace(data, images=data.images * bright, made="")


def draw_row(images: Images, columns: int) -> bytes:
    """Draw the first `columns` images side by side. If there are fewer, the rest of the row is
    empty."""
    first = images[:columns]
    return draw_mosaic(first, _in_order(len(first), columns), columns)


def draw_all(images: Images) -> bytes:
    """Draw all images in order, in a rectangle that is about twice as wide as high."""
    return draw_mosaic(images, _in_order(len(images), _columns(len(images))))


def draw_mosaic(
    images: Images, places: Sequence[Place], columns: int = 0, gap: int = 2, width: int = WIDTH
) -> bytes:
    """Draw images [n c h w], with values in [0, 1], at the given positions, as PNG. `gap` is the
    distance between images [px]."""
    n, channels, _, _ = check_axes(images, "n c h w", "images").values()
    if channels not in (1, 3) or n != len(places) or not n:
        raise EngineError(
            f"a mosaic must have images with 1 or 3 channels and a position for each; got "
            f"{n} images with {channels} channels and {len(places)} positions"
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


def _to_tiles(images: Images, width_px: int) -> NDArray[np.uint8]:
    """Convert images to bytes [n h w c], resized to about the given width [px]."""
    height, width = images.shape[-2:]
    if width > width_px >= 1:
        images = resize(images, max(1, height * width_px // width), width_px)
    bytes_ = (images.detach().cpu() * 255).round().clamp(0, 255).byte().numpy()
    factor = max(1, width_px // width)
    return bytes_.repeat(factor, 2).repeat(factor, 3).transpose(0, 2, 3, 1)


def _to_png(canvas: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(canvas).save(file, "PNG", compress_level=3)
    return file.getvalue()


def _has_rows(labels: Sequence[int]) -> bool:
    counts = [labels.count(label) for label in set(labels)]
    return bool(counts) and max(counts) >= FEWEST and len(counts) <= MOST_CLASSES


def _by_class(labels: Sequence[int]) -> list[Place]:
    """Return the positions of images for which each class starts a new row and takes as many rows
    as it needs."""
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
    """Return a number of columns that is about twice the number of rows."""
    return min(n, COLUMNS, max(FEWEST, ceil(sqrt(2 * n)))) or 1


EMPTY = "none"


def draw_clickable(gallery: Gallery, pair: Pair, about: str) -> str:
    """Return the mosaic as clickable SVG. `pair` refers to displayed images; the description is
    escaped."""
    width, height = Image.open(io.BytesIO(gallery.png)).size
    data = base64.b64encode(gallery.png).decode()
    rows, columns = shape_of(gallery)
    tile = width / columns, height / rows
    parts = [
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/>',
        *(_frame(gallery, tile, at, colour) for at, colour in _marked(pair)),
        read((0, 0, width, height), _values(gallery), columns, "image {value}", pick=True),
    ]
    return draw(width, height, escape(about), parts, title=None)


def shape_of(gallery: Gallery) -> tuple[int, int]:
    """Return the numbers of rows and of columns."""
    rows, columns = zip(*gallery.places, strict=True)
    return 1 + max(rows), 1 + max(columns)


def _marked(pair: Pair) -> Sequence[tuple[int, str]]:
    """Return the images of the pair with their colours, j first, so that the frame of i is on top
    if both are the same image."""
    return [] if pair is None else [(pair[1], PAIR[1]), (pair[0], PAIR[0])]


def _frame(gallery: Gallery, tile: tuple[float, float], at: int, colour: str) -> str:
    row, column = gallery.places[at]
    (width, height), thick = tile, max(2.0, 0.06 * tile[0])
    more = f'fill="none" stroke="{colour}" stroke-width="{thick:.1f}"'
    return box(
        column * width + thick / 2, row * height + thick / 2, width - thick, height - thick, more
    )


def _values(gallery: Gallery) -> list[str]:
    """Return the number of the image at every position, row by row, counted from 1."""
    rows, columns = shape_of(gallery)
    named = dict(zip(gallery.places, gallery.rows, strict=True))
    places = [(row, column) for row in range(rows) for column in range(columns)]
    return [str(named[place] + 1) if place in named else EMPTY for place in places]


TILE_SIDE: Final = 56
TILE_COLUMNS: Final = 10
FILL: Final = 0.9
FAMILIES: Final = {
    "drawings": "Drawings",
    "icons": "Icons",
    "digits": "Digits (a different one for each copy)",
    "fashion": "Garments (a different one for each copy)",
    "mnist": "MNIST (a different one for each copy)",
}
_CLASSES: Final = {"digits": DIGIT_CLASSES, "fashion": FASHION_CLASSES, "mnist": DIGIT_CLASSES}


@dataclass(frozen=True)
class Tile:
    """A base for generated data: its name in a recipe, its title, and its family."""

    name: str
    title: str
    family: str


def list_tiles() -> tuple[Tile, ...]:
    """Return all available bases, including MNIST only if its files exist."""
    single = [Tile(name, base.title, base.family) for name, base in BASES.items()]
    sources = [name for name in _CLASSES if name != "mnist" or is_here(MNIST)]
    classes = [
        Tile(f"{source}:{i}", f"{title} ({source})", source)
        for source in sources
        for i, title in enumerate(_CLASSES[source])
    ]
    return (*single, *classes)


def draw_tiles(tiles: tuple[Tile, ...]) -> bytes:
    """Draw all tiles as one PNG, row by row, without gaps. Rows have `TILE_COLUMNS` tiles of
    `TILE_SIDE` px."""
    names = [tile.name if tile.name in BASES else f"{tile.name}:0" for tile in tiles]
    sources, canvas = load_sources(tuple(names)), CopyCanvas(1, TILE_SIDE, FILL)
    generator = Generator(device="cpu").manual_seed(0)
    drawn = [load_copies(name, sources, canvas, generator)[1] for name in names]
    images = torch.cat([v.expand(-1, 3, -1, -1) for v in drawn])
    places = [divmod(i, TILE_COLUMNS) for i in range(len(tiles))]
    return draw_mosaic(images, places, TILE_COLUMNS, gap=0, width=TILE_COLUMNS * TILE_SIDE)
