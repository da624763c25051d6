"""A gallery whose images can be clicked, with frames around those that are selected."""

import base64
import io
from collections.abc import Sequence
from html import escape

from PIL import Image

from ia_engine.figures.looks import PAIR, Pair
from ia_engine.figures.mosaic import Gallery
from ia_engine.figures.svg import box, draw, read

EMPTY = "none"


def draw_clickable(gallery: Gallery, pair: Pair, about: str) -> str:
    """The mosaic; the pair counts the images that are shown. The description may hold any words."""
    width, height = Image.open(io.BytesIO(gallery.png)).size
    data = base64.b64encode(gallery.png).decode()
    rows, columns = shape_of(gallery)
    tile = width / columns, height / rows
    parts = [
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/>',
        *(_frame(gallery, tile, at, colour) for at, colour in _marked(pair)),
        read((0, 0, width, height), _values(gallery), columns, "image {value}", pick=True),
    ]
    return draw(width, height, escape(about), parts)


def shape_of(gallery: Gallery) -> tuple[int, int]:
    """So many rows and columns."""
    rows, columns = zip(*gallery.places, strict=True)
    return 1 + max(rows), 1 + max(columns)


def _marked(pair: Pair) -> Sequence[tuple[int, str]]:
    """Image j first, so that image i lies above where both are one."""
    return [] if pair is None else [(pair[1], PAIR[1]), (pair[0], PAIR[0])]


def _frame(gallery: Gallery, tile: tuple[float, float], at: int, colour: str) -> str:
    row, column = gallery.places[at]
    (width, height), thick = tile, max(2.0, 0.06 * tile[0])
    more = f'fill="none" stroke="{colour}" stroke-width="{thick:.1f}"'
    return box(
        column * width + thick / 2, row * height + thick / 2, width - thick, height - thick, more
    )


def _values(gallery: Gallery) -> list[str]:
    """The number of the image at every place, row by row."""
    rows, columns = shape_of(gallery)
    named = dict(zip(gallery.places, gallery.rows, strict=True))
    places = [(row, column) for row in range(rows) for column in range(columns)]
    return [str(named[place] + 1) if place in named else EMPTY for place in places]
