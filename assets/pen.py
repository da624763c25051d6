"""A pen for filled and shaded drawings in grey levels on a large black sheet, to be reduced."""

from collections.abc import Sequence
from math import cos, radians, sin

import numpy as np
from PIL import Image, ImageDraw

Point = tuple[float, float]

PAPER = 1536
"""Side of the paper [px]; its coordinates (x, y), y downwards, go from -1.2 to 1.2."""
UNIT = PAPER / 2.4
DETAIL = 80
"""Number of straight segments of the curve between two points."""


class Pen:
    """Draws on black paper. An ink is a grey level from 0 (the paper) to 255."""

    def __init__(self) -> None:
        self.paper = Image.new("L", (PAPER, PAPER))
        self._draw = ImageDraw.Draw(self.paper)

    def polygon(self, points: Sequence[Point], ink: int) -> None:
        """Draw a filled shape with straight sides."""
        self._draw.polygon([_place(point) for point in points], fill=ink)

    def blob(self, points: Sequence[Point], ink: int) -> None:
        """Draw a filled shape whose smooth outline passes through the points."""
        closed = [points[-1], *points, *points[:2]]
        self.polygon([(x, y) for x, y in curve(np.array(closed))], ink)

    def oval(self, centre: Point, radii: Point, ink: int, turn: float = 0.0) -> None:
        """Draw a filled ellipse, rotated clockwise by `turn` degrees."""
        c, s = cos(radians(turn)), sin(radians(turn))
        outline = [(radii[0] * cos(a), radii[1] * sin(a)) for a in map(radians, range(0, 360, 3))]
        x, y = centre
        self.polygon([(x + c * p - s * q, y + s * p + c * q) for p, q in outline], ink)

    def stroke(
        self, points: Sequence[Point], widths: Sequence[float], inks: int | tuple[int, int]
    ) -> None:
        """Draw a smooth line with round ends; its width and its ink vary along the points."""
        path = curve(np.array([points[0], *points, points[-1]]))
        along = np.linspace(0, 1, len(path))
        width = np.interp(along, np.linspace(0, 1, len(widths)), widths)
        ink = np.interp(along, (0, 1), inks if isinstance(inks, tuple) else (inks, inks))
        for (x, y), w, level in zip(path, width, ink, strict=True):
            self._dot((x, y), w / 2, round(level))

    def _dot(self, centre: Point, radius: float, ink: int) -> None:
        x, y = _place(centre)
        r = radius * UNIT
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill=ink)


def curve(points: np.ndarray) -> np.ndarray:
    """Return the Catmull-Rom curve through all points but the first and the last.

    The first and the last point determine only the direction of its ends.
    """
    t = np.linspace(0, 1, DETAIL, endpoint=False)[:, None]
    pieces = [
        b + (t * (c - a) + t**2 * (2 * a - 5 * b + 4 * c - d) + t**3 * (3 * b - a - 3 * c + d)) / 2
        for a, b, c, d in zip(points, points[1:], points[2:], points[3:], strict=False)
    ]
    return np.concatenate([*pieces, points[-2:-1]])


def _place(point: Point) -> Point:
    return PAPER / 2 + UNIT * point[0], PAPER / 2 + UNIT * point[1]
