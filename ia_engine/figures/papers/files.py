"""Draws the panels of a result as PNG files, with Pillow and on white."""

import io
import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ia_engine.figures.formats import INK, LETTERS, Axis, draw_lines, draw_marks
from ia_engine.figures.papers.drawing import CELL, GAP, colour_picture
from ia_engine.figures.papers.panels import Array, Curves, Diagram, Panel, Pictures, Points, Seeds
from ia_engine.figures.svg import RAMP, Pixels

LATIN: Final = str.maketrans({
    "α": "alpha", "β": "beta", "σ": "sigma", "τ": "tau", "μ": "mu", "θ": "theta", "⁻": "-",
    "⁺": "+", "²": "2", "−": "-", "ℤ": "Z", "ψ": "psi", "⋆": "*", "→": "to",
})  # fmt: skip
"""Latin replacements of Greek letters, which Pillow's default font does not have."""
ZOOM: Final = 2


def draw_png(panel: Panel) -> bytes:
    """Draw a panel and return the content of a PNG file.

    >>> draw_png(Curves("loss", "x", "y", ("a",), np.arange(2.0), np.ones((1, 2))))[1:4]
    b'PNG'
    """
    if isinstance(panel, Pictures):
        pixels = [colour_picture(panel, values, RAMP) for values in panel.values]
        return _draw_grid(panel.title, pixels, panel.captions, panel.columns)
    if isinstance(panel, Diagram):
        captions = [
            f"{name}\n{words}" for name, words in zip(panel.names, panel.words, strict=True)
        ]
        return _draw_grid(panel.title, [RAMP[values] for values in panel.values], captions, 3)
    if isinstance(panel, Curves):
        return _draw_curves(panel)
    return _draw_seeds(panel) if isinstance(panel, Seeds) else _draw_points(panel)


def _draw_grid(
    title: str, pixels: Sequence[Pixels], captions: Sequence[str], columns: int
) -> bytes:
    """Draw pictures in rows, each with its caption below it."""
    font = ImageFont.load_default(LETTERS)
    lines = max((caption.count("\n") + 1 for caption in captions), default=0)
    width = ZOOM * CELL
    height = round(width * pixels[0].shape[0] / pixels[0].shape[1])
    step = (width + 2 * GAP, height + 2 * GAP + lines * (LETTERS + 6))
    rows = -(-len(pixels) // columns)
    head = LETTERS + 20
    image = Image.new("RGB", (columns * step[0] + GAP, head + rows * step[1]), "white")
    pen = ImageDraw.Draw(image)
    pen.text((GAP, 6), title.translate(LATIN), INK, font)
    for at, values in enumerate(pixels):
        row, column = divmod(at, columns)
        x, y = GAP + column * step[0], head + row * step[1]
        small = Image.fromarray(np.ascontiguousarray(values, np.uint8))
        image.paste(small.resize((width, height), Image.Resampling.NEAREST), (x, y))
        if at < len(captions):
            pen.text((x, y + height + 4), captions[at].translate(LATIN), INK, font)
    return _write(image)


def _draw_curves(panel: Curves) -> bytes:
    y, title = panel.y.astype(float), panel.y_title
    if panel.y_scale == "log":
        y, title = np.log10(np.where(y > 0, y, np.nan)), f"log10 of {title}"
    lines = {
        name.translate(LATIN): [(float(a), float(b)) for a, b in zip(panel.x, own, strict=True)
                                if np.isfinite(b)]
        for name, own in zip(panel.names, y, strict=True)
    }  # fmt: skip
    return draw_lines(lines, _range(panel.x_title, panel.x), _range(title, y))


def _draw_seeds(panel: Seeds) -> bytes:
    """Draw each method in its own column: its seeds, followed by the paper's mean with its
    spread."""
    marks: dict[str, list[tuple[float, float]]] = {}
    shown: list[tuple[float, float]] = []

    def height(y: float) -> float:
        return math.log10(y) if panel.y_scale == "log" else y

    for at, (name, own) in enumerate(zip(panel.names, panel.values, strict=True)):
        marks[name.translate(LATIN)] = [(at, height(float(y))) for y in own if np.isfinite(y)]
        mean, spread = panel.means[at], panel.spreads[at]
        if mean is not None:
            ends = dict.fromkeys((mean - spread, mean, mean + spread))
            shown += [(at + 0.25, height(y)) for y in ends]
    if shown:
        marks["the paper: mean, ± spread"] = shown
    heights = np.array([y for points in marks.values() for _, y in points])
    across = Axis("method", -0.5, len(panel.names) - 0.5)
    title = f"log10 of {panel.y_title}" if panel.y_scale == "log" else panel.y_title
    return draw_marks(marks, across, _range(title, heights))


def _draw_points(panel: Points) -> bytes:
    """Draw all moments below one another, with the same axes. Every group has its own colour."""
    labels = np.array(panel.labels)
    up = _range("y", panel.points[..., 1].astype(float))
    charts = []
    for moment, points in zip(panel.moments, panel.points.astype(float), strict=True):
        marks = {
            str(group + 1): [(float(x), float(y)) for x, y in points[labels == group]]
            for group in sorted(set(panel.labels))
        }
        across = _range(f"x, {moment}", panel.points[..., 0].astype(float))
        charts.append(Image.open(io.BytesIO(draw_marks(marks, across, up))))
    height = charts[0].height
    image = Image.new("RGB", (charts[0].width, height * len(charts)), "white")
    for at, chart in enumerate(charts):
        image.paste(chart, (0, at * height))
    return _write(image)


def _write(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _range(title: str, values: Array) -> Axis:
    """Return an axis whose range includes all finite values."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return Axis(title.translate(LATIN), 0.0, 1.0)
    return Axis(title.translate(LATIN), float(finite.min()), float(finite.max()))
