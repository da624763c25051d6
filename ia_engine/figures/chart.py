"""Lines in a PNG, drawn by Pillow: plotly would need a browser for it.

Its letters are those of Pillow's own font, which has no Greek.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from ia_engine.figures.points import COLOURS
from ia_engine.figures.svg import Point

WIDTH, HEIGHT = 1200, 640
LEFT, RIGHT, TOP, BOTTOM = 90, 350, 30, 80
INK, GRID = "#1b1f24", "#d4d8de"
LETTERS: Final = 20
ACROSS, UP = 4, 5
"""So many parts have the axes."""


@dataclass(frozen=True)
class Axis:
    """What is drawn along it, and between which values."""

    title: str
    low: float
    high: float

    def share(self, value: float) -> float:
        return (value - self.low) / ((self.high - self.low) or 1)

    def at(self, share: float) -> float:
        return self.low + share * (self.high - self.low)


def draw_lines(lines: Mapping[str, Sequence[Point]], across: Axis, up: Axis) -> bytes:
    """A line with its name for each, on white; its ends are dots, or squares from line 13 on."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(LETTERS)
    _draw_axes(pen, across, up, font)
    for k, (name, points) in enumerate(lines.items()):
        places = [(_x(across.share(x)), _y(up.share(y))) for x, y in points]
        _draw_line(pen, places, k)
        x, y = WIDTH - RIGHT + 20, TOP + k * 36
        _draw_line(pen, [(x, y + 12), (x + 34, y + 12)], k)
        pen.text((x + 48, y), name, INK, font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _draw_line(pen: ImageDraw.ImageDraw, places: Sequence[Point], k: int) -> None:
    colour, mark = COLOURS[k % len(COLOURS)], pen.rectangle if k >= len(COLOURS) else pen.ellipse
    if len(places) > 1:
        pen.line(list(places), colour, 4, joint="curve")
    for x, y in (places[0], places[-1]) if places else ():
        mark((x - 6, y - 6, x + 6, y + 6), colour)


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
