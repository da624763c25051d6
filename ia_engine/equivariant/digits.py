"""Ten bundled drawings of digits, and digits that a user draws or uploads, as pictures with a side
of 28 px."""

import base64
import binascii
from itertools import pairwise
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import Images, resize

SIDE: Final = 28
BOX: Final = 20
"""Longer side of a digit [px], as in the sets on which the networks were trained."""
PAPER: Final = 280
WIDTH: Final = 27
"""Width of a stroke in the drawing [px]."""
FAINT: Final = 0.02

Stroke = tuple[tuple[float, float], ...]
"""Points (x, y) on a smooth line, with coordinates from -1 to 1 and y downwards."""

HAND: Final[tuple[tuple[Stroke, ...], ...]] = (
    (((0.1, -0.95), (-0.5, -0.5), (-0.55, 0.4), (0, 0.95), (0.52, 0.4), (0.5, -0.5),
      (0.1, -0.95)),),
    (((-0.3, -0.6), (0.12, -0.95)), ((0.12, -0.95), (0.02, 0.95))),
    (
        ((-0.55, -0.5), (-0.2, -0.92), (0.4, -0.8), (0.45, -0.25), (-0.6, 0.9)),
        ((-0.6, 0.9), (0, 0.82), (0.65, 0.9)),
    ),
    (
        ((-0.5, -0.7), (0, -0.95), (0.48, -0.6), (0.3, -0.15), (-0.1, -0.05)),
        ((-0.1, -0.05), (0.45, 0.1), (0.5, 0.6), (0, 0.95), (-0.55, 0.75)),
    ),
    (((-0.3, -0.9), (-0.6, 0.15)), ((-0.6, 0.15), (0.65, 0.1)), ((0.3, -0.5), (0.2, 0.95))),
    (
        ((0.5, -0.9), (-0.35, -0.85)),
        ((-0.35, -0.85), (-0.42, -0.15)),
        ((-0.42, -0.15), (0.2, -0.25), (0.55, 0.3), (0.2, 0.85), (-0.5, 0.8)),
    ),
    (
        ((0.4, -0.95), (-0.2, -0.4), (-0.5, 0.35), (-0.1, 0.92), (0.42, 0.6), (0.3, 0.15),
         (-0.1, 0.1), (-0.45, 0.4)),
    ),
    (((-0.55, -0.85), (0.55, -0.85)), ((0.55, -0.85), (0.1, 0), (-0.12, 0.95))),
    (
        ((0.42, -0.7), (0, -0.95), (-0.42, -0.6), (0, -0.1), (0.5, 0.45), (0.1, 0.95),
         (-0.45, 0.55), (0, -0.1), (0.42, -0.7)),
    ),
    (
        ((0.45, -0.45), (0.1, -0.92), (-0.42, -0.6), (-0.3, -0.1), (0.2, -0.1), (0.45, -0.45)),
        ((0.45, -0.45), (0.4, 0.2), (0.15, 0.95)),
    ),
)  # fmt: skip
"""The strokes of the digits 0 to 9."""
SCRIBBLED: Final[tuple[Stroke, ...]] = (
    ((-0.4, -0.46), (0.07, -0.83), (0.46, -0.59), (0.42, -0.24), (-0.17, -0.07)),
    ((-0.17, -0.07), (0.62, -0.1), (0.37, 0.72), (-0.36, 1.0), (-0.61, 0.99)),
)
"""A 3 that the plain network recognises when it is upright, but not when it is rotated."""


def draw_digit(digit: int) -> Images:
    """Return one of the ten bundled digits, [1 1 28 28]."""
    return draw_strokes(HAND[digit])


def draw_strokes(strokes: tuple[Stroke, ...]) -> Images:
    """Draw strokes and return the picture, [1 1 28 28]."""
    paper = Image.new("L", (PAPER, PAPER))
    pen = ImageDraw.Draw(paper)
    for stroke in strokes:
        points = [(PAPER / 2 + 95 * x, PAPER / 2 + 95 * y) for x, y in _smooth(stroke)]
        for a, b in pairwise(points):
            pen.line((*a, *b), 255, WIDTH)
        for x, y in points:
            pen.ellipse((x - WIDTH / 2, y - WIDTH / 2, x + WIDTH / 2, y + WIDTH / 2), 255)
    return fit(_read(paper))


def read_pad(text: str) -> Images:
    """Decode a drawing from the drawing pad: the bytes of a square picture in base64."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise EngineError(
            "expected a drawing as bytes in base64; got another string. Draw again."
        ) from error
    side = int(len(content) ** 0.5)
    if not content or side * side != len(content):
        raise EngineError(f"a drawing must be square; got {len(content)} bytes: draw again")
    grey = torch.frombuffer(bytearray(content), dtype=torch.uint8).float() / 255
    return fit(grey.view(1, 1, side, side))


def fit(v: Images) -> Images:
    """Crop a picture to its ink, scale it to 20 px, and centre its mass, as in the data sets of
    digits."""
    grey = v.mean(1, keepdim=True)
    ink = (grey[0, 0] > FAINT * max(float(grey.max()), FAINT)).nonzero()
    if not len(ink):
        raise EngineError("The picture is empty. Draw a digit, or upload a picture of one.")
    (top, left), (bottom, right) = ink.amin(0).tolist(), (ink.amax(0) + 1).tolist()
    part = grey[..., top:bottom, left:right]
    scale = BOX / max(part.shape[-2:])
    small = resize(part, *(max(1, round(scale * side)) for side in part.shape[-2:]))
    return _centre(small / small.max()).clamp(0, 1)


def _centre(small: Tensor) -> Images:
    """Place a digit on a canvas of 28 px, with its centre of mass as close to the middle as
    possible."""
    canvas = small.new_zeros(1, 1, SIDE, SIDE)
    height, width = small.shape[-2:]
    weight = small[0, 0] / small.sum()
    p = float((weight.sum(1) * torch.arange(height, device=small.device)).sum())
    q = float((weight.sum(0) * torch.arange(width, device=small.device)).sum())
    top = min(max(round((SIDE - 1) / 2 - p), 0), SIDE - height)
    left = min(max(round((SIDE - 1) / 2 - q), 0), SIDE - width)
    canvas[..., top : top + height, left : left + width] = small
    return canvas


def _smooth(stroke: Stroke) -> NDArray[np.float64]:
    """Return the Catmull-Rom curve through the points of a stroke."""
    points = np.array([stroke[0], *stroke, stroke[-1]], float)
    t = np.linspace(0, 1, 24)[:, None]
    pieces = []
    for a, b, c, d in zip(points, points[1:], points[2:], points[3:], strict=False):
        cubic = (3 * b - a - 3 * c + d) * t**3 + (2 * a - 5 * b + 4 * c - d) * t**2
        pieces.append((cubic + (c - a) * t) / 2 + b)
    return np.concatenate(pieces)


def _read(paper: Image.Image) -> Images:
    return torch.from_numpy(np.array(paper, np.float32) / 255)[None, None]
