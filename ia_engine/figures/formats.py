"""File formats that all exports use: npz, CSV, GIF, scripts and PNG charts.

Charts are drawn with Pillow, because plotly would need a browser. Pillow's default font has no
Greek letters.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from ia_engine.figures.style import POINT_COLOURS
from ia_engine.figures.svg import Point

Cell = str | int | float | None

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Spreadsheets may evaluate text that begins with one of these characters."""
PAUSE: Final = 900
"""Maximum duration of a frame in an animation [ms]."""
LONG: Final = 6000
"""Approximate duration of a long animation [ms]."""
SHORTEST: Final = 40
LAST: Final = 1500
"""Minimum duration of the last frame [ms]."""
HEAD: Final = '''"""{title}

Run in the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

'''
UPLOADED: Final = """# These images were uploaded. Read the same files with
# ia_engine.datasets.uploads, and use them instead of make(load_recipe(RECIPE)).
"""


def write_npz(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return a compressed npz file, which contains no pickles."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def write_csv(rows: Sequence[Mapping[str, Cell]]) -> bytes:
    """Return a CSV table with the columns of the first row. Missing values become empty cells.

    >>> write_csv([{"name": "=1+1", "n": -2}]).decode("utf-8-sig").split()
    ['name,n', "'=1+1,-2"]
    """
    head = list(rows[0]) if rows else []
    return write_table(head, ([row.get(name) for name in head] for row in rows))


def write_table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return a CSV table. All tables are written here, so that spreadsheets never evaluate a name
    as a formula.

    >>> write_table(["image"], [["@SUM(A1)"]]).decode("utf-8-sig").split()
    ['image', "'@SUM(A1)"]
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    for row in (head, *rows):
        writer.writerow([_quote_formula(cell) for cell in row])
    return file.getvalue().encode("utf-8-sig")


def read_column(text: str, name: str) -> list[str]:
    """Return a column of a CSV table; missing values are "".

    >>> read_column("file,n\\na.png,2", "file")
    ['a.png']
    """
    return [row.get(name) or "" for row in csv.DictReader(io.StringIO(text))]


def _quote_formula(cell: Cell) -> Cell:
    """Prefix text that begins like a formula with a quotation mark, so that a spreadsheet treats it
    as text."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def write_gif(pages: Sequence[bytes]) -> bytes:
    """Combine PNG pictures of the same size into a GIF animation that repeats forever."""
    file = io.BytesIO()
    first, *rest = map(_flatten, pages)
    pause = max(SHORTEST, min(PAUSE, LONG // len(pages)))
    durations = [pause] * len(rest) + [max(pause, LAST)]
    first.save(file, "GIF", save_all=True, append_images=rest, duration=durations, loop=0)
    return file.getvalue()


def write_script(title: str, body: str, *, uploaded: bool = False) -> bytes:
    """Return a script that begins with its title and, if the images were uploaded, explains how to
    read them."""
    quiet = title.replace("\\", "/").replace('"', "'")
    return ((UPLOADED if uploaded else "") + HEAD.format(title=quiet) + body).encode()


def _flatten(png: bytes) -> Image.Image:
    """Draw a picture on white, because GIF has no partial transparency."""
    with Image.open(io.BytesIO(png)) as picture:
        layer = picture.convert("RGBA")
    page = Image.new("RGBA", layer.size, "white")
    page.alpha_composite(layer)
    return page.convert("P", palette=Image.Palette.ADAPTIVE)


WIDTH, HEIGHT = 1200, 640
LEFT, RIGHT, TOP, BOTTOM = 90, 350, 30, 80
INK, GRID = "#1b1f24", "#d4d8de"
LETTERS: Final = 20
ACROSS, UP = 4, 5
"""Number of intervals between the ticks of each axis."""


@dataclass(frozen=True)
class Axis:
    """The title and the range of an axis of a chart."""

    title: str
    low: float
    high: float

    def share(self, value: float) -> float:
        return (value - self.low) / ((self.high - self.low) or 1)

    def at(self, share: float) -> float:
        return self.low + share * (self.high - self.low)


def draw_lines(lines: Mapping[str, Sequence[Point]], across: Axis, up: Axis) -> bytes:
    """Draw one labelled line per name on white. Lines end in dots; from line 13 on, in squares."""
    return _draw_chart(lines, across, up, _draw_line)


def draw_marks(groups: Mapping[str, Sequence[Point]], across: Axis, up: Axis) -> bytes:
    """Draw one labelled group of dots per name on white."""
    return _draw_chart(groups, across, up, _draw_dots)


def _draw_chart(
    groups: Mapping[str, Sequence[Point]],
    across: Axis,
    up: Axis,
    draw: Callable[[ImageDraw.ImageDraw, Sequence[Point], int], None],
) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(LETTERS)
    _draw_axes(pen, across, up, font)
    for k, (name, points) in enumerate(groups.items()):
        draw(pen, [(_x(across.share(x)), _y(up.share(y))) for x, y in points], k)
        x, y = WIDTH - RIGHT + 20, TOP + k * 36
        draw(pen, [(x, y + 12), (x + 34, y + 12)], k)
        pen.text((x + 48, y), name, INK, font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _draw_line(pen: ImageDraw.ImageDraw, places: Sequence[Point], k: int) -> None:
    if len(places) > 1:
        pen.line(list(places), POINT_COLOURS[k % len(POINT_COLOURS)], 4, joint="curve")
    _draw_dots(pen, (places[0], places[-1]) if places else (), k)


def _draw_dots(pen: ImageDraw.ImageDraw, places: Sequence[Point], k: int) -> None:
    mark = pen.rectangle if k >= len(POINT_COLOURS) else pen.ellipse
    for x, y in places:
        mark((x - 6, y - 6, x + 6, y + 6), POINT_COLOURS[k % len(POINT_COLOURS)])


def _draw_axes(
    pen: ImageDraw.ImageDraw,
    across: Axis,
    up: Axis,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
) -> None:
    for x, value in ((_x(k / ACROSS), across.at(k / ACROSS)) for k in range(ACROSS + 1)):
        pen.line([(x, _y(0)), (x, _y(1))], GRID)
        pen.text((x, _y(0) + 8), f"{value:.3g}", INK, font, "ma")
    for y, value in ((_y(k / UP), up.at(k / UP)) for k in range(UP + 1)):
        pen.line([(_x(0), y), (_x(1), y)], GRID)
        pen.text((_x(0) - 8, y), f"{value:.3g}", INK, font, "rm")
    pen.text(((_x(0) + _x(1)) / 2, HEIGHT - 12), across.title, INK, font, "ms")
    pen.text((LEFT - 60, 2), up.title, INK, font)


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
