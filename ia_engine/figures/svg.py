"""SVG elements: text and lines in the colours of the page, and arrays as embedded pictures.

A drawing inherits the text colour of the page, so it fits both themes, and it can be replaced
without flicker. It never contains text from users.

A drawing is either a figure, whose positions, lengths or colours stand for numbers, or a picture,
which shows images as they are. A figure has a title, and its axes and colour bars are named by
`label` with a unit; `legend` marks the names of its colours and symbols.
"""

import base64
import io
import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

Point = tuple[float, float]
Pixels = NDArray[np.uint8]

ORANGE: Final = (255, 148, 38)
BLUE: Final = (0, 107, 217)
"""ORANGE and BLUE add up to white, and differ for every kind of colour vision."""
DESCENT: Final = "#c2570c"
GLOBAL: Final = "#2a78c8"
"""Colours that are dark enough on white and light enough on black."""
TITLED: Final = 'class="title" font-weight="600" font-size="{:g}"'
LETTER: Final = 0.56
"""Average width of a letter of a title, as a share of its font size."""
QUIET: Final = 'stroke="currentColor" stroke-opacity="0.35"'


def draw(
    width: float,
    height: float,
    about: str,
    parts: Iterable[str],
    *,
    letters: float = 14,
    title: str | None,
) -> str:
    """Return a drawing that fills the width of its container, with a description for screen
    readers.

    The title of a figure is written above it, in lines that fit its width. The title of a picture,
    and of a figure that writes its own, is None.
    """
    size = 1.1 * letters
    lines = textwrap.wrap(title or "", max(12, int(width / (LETTER * size))))
    head = 1.35 * size * len(lines) + (0.5 * size if lines else 0)
    above = [
        write(0, 1.35 * size * k + size - head, words, more=TITLED.format(size))
        for k, words in enumerate(lines)
    ]
    return (
        f'<svg viewBox="0 {-head:g} {width:g} {height + head:g}" role="img" aria-label="{about}" '
        f'fill="currentColor" font-size="{letters:g}" '
        f'style="width:100%;max-width:{1.25 * width:g}px;height:auto;display:block">'
        + "".join((*above, *parts))
        + "</svg>"
    )


def side_by_side(parts: Iterable[str], least: float) -> str:
    """Return drawings in a row, which wraps if they would be narrower than `least` [px]."""
    return f'<div class="row" style="--least:{least:g}px">' + "".join(parts) + "</div>"


def write(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    """Return a line of text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{words}</text>'


def label(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    """Return the name of an axis or of a colour bar, with its unit in brackets."""
    return write(x, y, words, anchor, f'class="quantity" {more}')


def legend(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    """Return the name of a colour or of a symbol, or an end of a colour bar."""
    return write(x, y, words, anchor, f'class="legend" {more}')


def line(a: Point, b: Point, more: str = QUIET) -> str:
    return f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" {more}/>'


def path(points: Sequence[Point], more: str) -> str:
    """Return a polyline."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke-linejoin="round" {more}/>'


def box(x: float, y: float, width: float, height: float, more: str, *, words: str = "") -> str:
    """Return a rectangle with an optional tooltip."""
    title = f"<title>{words}</title>" if words else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" '
        f'height="{max(height, 0):.1f}" {more}>{title}</rect>'
    )


def read(
    frame: tuple[float, float, float, float],
    values: Sequence[str],
    across: int,
    words: str,
    *,
    origin: float = 1,
    step: float = 1,
    numbers: Sequence[int] = (),
    pick: bool = False,
) -> str:
    """Return an area, with frame (x, y, width, height), whose tooltip shows the value at the
    pointer. `values` are in row order, and `across` is the number of columns.

    `words` is the text, which may contain {value}, {row} and {column}. Rows and columns are counted
    from `origin` in steps of `step`, or named by `numbers`.
    """
    called = f' data-numbers="{" ".join(map(str, numbers))}"' if numbers else ""
    return (
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" '.format(*frame)
        + f'class="read" fill-opacity="0" data-values="{" ".join(values)}" data-across="{across}" '
        f'data-words="{words}" data-origin="{origin:g}" data-step="{step:g}"{called}'
        + (' data-pick="yes"/>' if pick else "/>")
    )


def read_map(
    values: Tensor | NDArray[Any], frame: tuple[float, float, float, float], words: str = "{value}"
) -> str:
    """Return an area over the picture of a map [h w], whose tooltip shows the value at the pixel;
    these values are also the data of the figure."""
    rows = values.tolist()
    texts = [f"{value:.3g}" for row in rows for value in row]
    return read(frame, texts, len(rows[0]), words)


def series(name: str, x: Iterable[float], y: Iterable[float]) -> str:
    """Return the data of a curve, which the downloaded data of the figure contain."""
    across, up = (" ".join(f"{value:.5g}" for value in values) for values in (x, y))
    return f'<g class="series" data-name="{name}" data-x="{across}" data-y="{up}"/>'


def mark(at: Point, kind: str, colour: str, words: str) -> str:
    """Return a symbol with a tooltip; symbols differ in shape and colour."""
    x, y = at
    forms = {
        "ring": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="none"',
        "square": f'<rect x="{x - 6:.1f}" y="{y - 6:.1f}" width="12" height="12" fill="{colour}"',
        "diamond": f'<path d="M{x:.1f} {y - 9:.1f}l9 9l-9 9l-9 -9z" fill="{colour}"',
    }
    edge = colour if kind == "ring" else "#fff"
    tag = forms[kind].split()[0][1:]
    return f'{forms[kind]} stroke="{edge}" stroke-width="2"><title>{words}</title></{tag}>'


def picture(pixels: Pixels, x: float, y: float, width: float, height: float) -> str:
    """Return an array [h w 3] as a picture with sharp pixels."""
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG", compress_level=1)
    data = base64.b64encode(file.getvalue()).decode()
    return (
        f'<image x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        'preserveAspectRatio="none" style="image-rendering:pixelated" '
        f'href="data:image/png;base64,{data}"/>'
    )


def shade(values: Tensor, top: float, ramp: Pixels | None = None) -> Pixels:
    """Colour numbers [h w] from 0 to top according to a ramp; by default, from dark blue to pale
    yellow."""
    share = values.detach().cpu().double().numpy() / max(top, 1e-12)
    return (RAMP if ramp is None else ramp)[np.rint(share.clip(0, 1) * 255).astype(int)]


def scale_bar(x: float, y: float, width: float, top: float, words: str) -> list[str]:
    """Return a bar with the colours of `shade`, both end values, and a label."""
    return colour_bar(RAMP, (x, y, width), (0, top), words)


def colour_bar(
    ramp: Pixels, place: tuple[float, float, float], ends: tuple[float, float], words: str
) -> list[str]:
    """Return a bar with the colours of a ramp, the values at both ends, and a label.

    `place` is (x, y, width).
    """
    x, y, width = place
    low, high = (f"{end:.3g}".replace("-", "−") for end in ends)
    return [
        picture(ramp[None], x, y, width, 10),
        legend(x, y + 26, low),
        legend(x + width, y + 26, high, "end"),
        label(x + width / 2, y + 26, words, "middle") if words else "",
    ]


def signed(value: float, places: int = 0) -> str:
    """Format a number with a proper minus sign, and 0 without a sign."""
    return f"{value:z.{places}f}".replace("-", "−")


def ticks(top: float, about: int = 4) -> list[float]:
    """Return round numbers from 0 to top, for the ticks of an axis."""
    rough = max(top, 1e-9) / about
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    return [step * k for k in range(int(top / step + 1e-6) + 1)]


def _ramp() -> Pixels:
    """Return 256 colours with even steps in lightness (OKLCH), which can be distinguished without
    seeing red or green."""
    t = np.linspace(0, 1, 256)
    lightness, angle = 0.22 + 0.72 * t, np.radians(285 - 185 * t)
    chroma = 0.03 + 0.1 * np.sin(np.pi * (0.12 + 0.76 * t))
    a, b = chroma * np.cos(angle), chroma * np.sin(angle)
    mix: NDArray[Any] = np.array(
        [
            [1, 0.3963377774, 0.2158037573],
            [1, -0.1055613458, -0.0638541728],
            [1, -0.0894841775, -1.291485548],
        ]
    )
    cones = (mix @ np.stack([lightness, a, b])) ** 3
    back = [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.707614701],
    ]
    linear = (np.array(back) @ cones).T.clip(0, 1)
    gamma = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.rint(255 * gamma).astype(np.uint8)


RAMP: Final = _ramp()
