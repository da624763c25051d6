"""Draws the distance landscape of a pair over rotations and translations, with the results of both
solvers.

The module also draws the pair, unaligned and aligned, in two colours that add up to white where
both images have ink.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

import numpy as np
from torch import Tensor

from ia_engine.attention.manifolds.landscape import Landscape
from ia_engine.attention.manifolds.pair import Route, Solved
from ia_engine.figures.svg import (
    BLUE,
    DESCENT,
    GLOBAL,
    ORANGE,
    QUIET,
    Pixels,
    Point,
    box,
    draw,
    label,
    legend,
    line,
    mark,
    path,
    picture,
    read,
    scale_bar,
    series,
    shade,
    side_by_side,
    signed,
    ticks,
    write,
)
from ia_engine.images import Images

WIDTH, HEIGHT = 560, 264
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 62, 50
MAP_SIDE: Final = 214
MAP: Final = 30
LETTERS: Final = 16
DOT: Final = f'fill="{DESCENT}" fill-opacity="0.75"'


def draw_curve(landscape: Landscape, basin: Tensor, sharp: Landscape, solved: Solved) -> str:
    """Draw the minimum d² over all translations against θ and, for comparison, the rescaled curve
    without smoothing."""
    top = max(float(landscape.height), 1e-12)
    starts = basin[:, basin.shape[1] // 2, basin.shape[2] // 2]
    parts = [*_basin(landscape, starts), *_axes(top)]
    if sharp is not landscape:
        factor = top / max(float(sharp.height), 1e-12)
        dotted = 'stroke="currentColor" stroke-opacity="0.6" stroke-dasharray="2 4"'
        parts.append(path(_line_of(sharp, top, factor), dotted))
    parts.append(path(_line_of(landscape, top), 'stroke="currentColor" stroke-width="2.5"'))
    parts += [_values(landscape), *_descent(solved.descent, top), _best(solved, top)]
    parts += _legend(sharp is not landscape)
    about = (
        f"Squared distance against the rotation. Its minimum is at {solved.best.degrees:.0f} "
        f"degrees. From {100 * float(starts.double().mean()):.0f} % of the rotations, without a "
        "translation, steepest descent reaches this minimum. "
        f"The descent ends at {solved.descent.degrees:.0f} degrees."
    )
    title = "Squared distance d² of the pair as vᵢ rotates"
    return draw(WIDTH, HEIGHT, about, parts, letters=LETTERS, title=title)


def draw_maps(landscape: Landscape, solved: Solved) -> str:
    """Draw d² over all translations, at the θ of the global search and at the θ of the descent."""
    top = float(landscape.height)
    parts = []
    for x, route, name, kind in (
        (LEFT, solved.best, "global search", "diamond"),
        (LEFT + MAP_SIDE + 60, solved.descent, "descent", "square"),
    ):
        parts.append(legend(x, 18, f"{name}, θ = {signed(route.degrees, 1)}°"))
        parts += _map(landscape.slice_at(float(route.theta[-1])), top, x, route, kind)
    parts += scale_bar(LEFT, MAP + MAP_SIDE + 32, MAP_SIDE, top, "d² [no unit]")
    about = "Squared distance over translations by rows and columns, at the results of both solvers"
    title = "Squared distance d² of the pair over all translations"
    return draw(WIDTH, MAP + MAP_SIDE + 64, about, parts, letters=LETTERS, title=title)


def _map(values: Tensor, top: float, x: float, route: Route, kind: str) -> Iterator[str]:
    rows, columns = values.shape
    scale = MAP_SIDE / max(rows, columns)
    width, height = columns * scale, rows * scale
    yield picture(shade(values, top), x, MAP, width, height)
    texts = [f"{value:.4g}" for value in values.flatten().tolist()]
    words = "d² = {value} at b = ({row}, {column}) px" if rows == columns else "d² = {value}"
    yield read((x, MAP, width, height), texts, columns, words, origin=-(rows // 2))
    yield f'<svg x="{x}" y="{MAP}" width="{width:.1f}" height="{height:.1f}">'
    way = [((q + columns / 2) * scale, (p + rows / 2) * scale) for p, q in route.shift.tolist()]
    yield path(way, 'stroke="#fff" stroke-width="3"')
    yield path(way, f'stroke="{DESCENT}" stroke-width="1.5"')
    down, right = route.shift[-1].tolist()
    words = f"b = ({signed(down, 1)}, {signed(right, 1)}) px, d² = {float(route.d2[-1]):.4f}"
    if len(way) > 1:
        yield mark(way[0], "ring", DESCENT, "start: b = (0, 0) px")
    yield mark(way[-1], kind, GLOBAL if kind == "diamond" else DESCENT, words) + "</svg>"
    yield from _shift_axes(x, width, height, rows // 2, columns // 2)


def _shift_axes(x: float, width: float, height: float, p: int, q: int) -> Iterator[str]:
    for share, b_p, b_q in ((0.0, -p, -q), (0.5, 0, 0), (1.0, p, q)):
        anchor = {0.0: "start", 0.5: "middle", 1.0: "end"}[share]
        yield write(x + share * width, MAP + height + 19, signed(b_q), anchor)
        yield write(x - 6, MAP + share * height + 12 * (1 - share), signed(b_p), "end")
    yield label(x + 0.74 * width, MAP + height + 19, "right [px]", "middle")
    place = f'transform="translate({x - 10:.1f} {MAP + 0.74 * height:.1f}) rotate(-90)"'
    yield label(0, 0, "down [px]", "middle", place)


def _x(theta: float) -> float:
    return LEFT + (theta / (2 * math.pi) + 0.5) * (WIDTH - LEFT - RIGHT)


def _y(d2: float, top: float) -> float:
    return TOP + (1 - min(d2 / top, 1.05)) * (HEIGHT - TOP - BOTTOM)


def _line_of(landscape: Landscape, top: float, factor: float = 1.0) -> list[Point]:
    """Return the points of the curve, closed at 180°."""
    curve = landscape.curve().tolist()
    angles = [*landscape.theta.tolist(), math.pi]
    return [(_x(t), _y(factor * d2, top)) for t, d2 in zip(angles, [*curve, curve[0]], strict=True)]


def _axes(top: float) -> Iterator[str]:
    bottom = HEIGHT - BOTTOM
    for value in ticks(top):
        y = _y(value, top)
        yield line((LEFT, y), (WIDTH - RIGHT, y), 'stroke="currentColor" stroke-opacity="0.15"')
        yield write(LEFT - 8, y + 5, f"{value:.3g}", "end")
    for degrees in range(-180, 181, 60):
        anchor = {-180: "start", 180: "end"}.get(degrees, "middle")
        yield write(_x(math.radians(degrees)), bottom + 20, f"{signed(degrees)}°", anchor)
    yield line((LEFT, bottom), (WIDTH - RIGHT, bottom))
    yield line((_x(0), TOP), (_x(0), bottom), f'{QUIET} stroke-dasharray="4 4"')
    yield label((LEFT + WIDTH) / 2, HEIGHT - 6, "rotation θ of vᵢ [°]", "middle")
    yield label(4, TOP - 14, "d² [no unit]")


def _basin(landscape: Landscape, starts: Tensor) -> Iterator[str]:
    """Yield boxes that tint the angles from which steepest descent reaches the minimum."""
    half = math.pi / len(landscape.theta)
    tint = f'fill="{GLOBAL}" fill-opacity="0.2"'
    turns = zip(landscape.theta.tolist(), starts.tolist(), strict=True)
    for leads, run in groupby(turns, key=itemgetter(1)):
        if leads:
            angles = [theta for theta, _ in run]
            left = max(_x(angles[0] - half), LEFT)
            yield box(left, TOP, _x(angles[-1] + half) - left, HEIGHT - TOP - BOTTOM, tint)


def _values(landscape: Landscape) -> str:
    """Return an area whose tooltip shows the value at each angle."""
    width = (WIDTH - LEFT - RIGHT) / len(landscape.theta)
    return read(
        (LEFT - width / 2, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM),
        [f"{d2:.4f}" for d2 in landscape.curve().tolist()],
        len(landscape.theta),
        "θ = {column}°, d² = {value}",
        origin=-180,
        step=360 / len(landscape.theta),
    )


def _descent(route: Route, top: float) -> Iterator[str]:
    degrees = (math.degrees(theta) for theta in route.theta.tolist())
    yield series("descent: d² against θ [°]", degrees, route.d2.tolist())
    way = [
        (_x(theta), _y(d2, top))
        for theta, d2 in zip(route.theta.tolist(), route.d2.tolist(), strict=True)
    ]
    for a, b in pairwise(way):
        if abs(a[0] - b[0]) < WIDTH / 2:  # a path that crosses 180° continues on the other side
            yield line(a, b, f'stroke="{DESCENT}" stroke-width="1.5"')
    yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" {DOT}/>' for x, y in way)
    yield mark(way[0], "ring", DESCENT, f"start: θ = 0°, d² = {float(route.d2[0]):.4f}")
    angle = signed(route.degrees, 1)
    words = f"after {len(way) - 1} steps: θ = {angle}°, d² = {float(route.d2[-1]):.4f}"
    yield mark(way[-1], "square", DESCENT, words)


def _best(solved: Solved, top: float) -> str:
    best = solved.best
    words = f"global search: θ = {signed(best.degrees, 1)}°, d² = {float(best.d2[-1]):.4f}"
    return mark((_x(float(best.theta[-1])), _y(float(best.d2[-1]), top)), "diamond", GLOBAL, words)


def _legend(compared: bool) -> Iterator[str]:
    yield mark((14, 12), "diamond", GLOBAL, "") + legend(28, 17, "global search")
    yield mark((152, 12), "ring", DESCENT, "") + line((158, 12), (182, 12), f'stroke="{DESCENT}"')
    yield mark((188, 12), "square", DESCENT, "") + legend(200, 17, "descent")
    yield box(276, 4, 20, 16, f'fill="{GLOBAL}" fill-opacity="0.25"') + legend(302, 17, "basin")
    if compared:
        dotted = 'stroke="currentColor" stroke-opacity="0.6" stroke-dasharray="2 4"'
        yield line((364, 12), (388, 12), dotted) + legend(394, 17, "σ = 0, rescaled")


PAIR_SIDE: Final = 180
LEAST: Final = 92
Tile = tuple[str, str, Pixels, str]
"""Name, method, pixels, and the term of the formula to which the tile belongs."""


def draw_pair(source: Images, target: Images, best: Images, descent: Images) -> str:
    """Draw vᵢ, vⱼ, and both overlaid: unaligned, aligned by the descent, and aligned by the global
    search."""
    white = max(float(source.max()), float(target.max()), 1e-12)
    i, j, aligned, walked = (_grey(v, white) for v in (source, target, best, descent))
    tiles = (
        ("vᵢ", "moved", _tint(i, ORANGE), "vi"),
        ("vⱼ", "fixed", _tint(j, BLUE), "vj"),
        ("vᵢ on vⱼ", "unaligned", overlay(i, j), "still"),
        ("vᵢ∘τ on vⱼ", "by descent", overlay(walked, j), "walked"),
        ("vᵢ∘τ* on vⱼ", "by global search", overlay(aligned, j), "pose"),
    )
    return side_by_side((_draw(tile) for tile in tiles), LEAST)


def draw_one(image: Images) -> str:
    """Draw a single image in its original colours."""
    shares = (image[0] / max(float(image.max()), 1e-12)).clamp(0, 1).detach().cpu().double()
    tile = np.rint(255 * shares.expand(3, -1, -1).permute(1, 2, 0).numpy()).astype(np.uint8)
    size = (PAIR_SIDE, PAIR_SIDE * tile.shape[0] / tile.shape[1])
    return draw(*size, "vᵢ, rotated", [picture(tile, 0, 0, *size)], title=None)


def overlay(a: Tensor, b: Tensor) -> Pixels:
    """Overlay two images [h w], with values in [0, 1], in orange and blue, which add up to
    white."""
    return np.minimum(_tint(a, ORANGE).astype(int) + _tint(b, BLUE), 255).astype(np.uint8)


def _draw(tile: Tile) -> str:
    name, how, pixels, term = tile
    height = PAIR_SIDE * pixels.shape[0] / pixels.shape[1]
    parts = [picture(pixels, 0, 0, PAIR_SIDE, height)]
    drawn = draw(PAIR_SIDE, height, f"{name}, {how}", parts, title=None)
    caption = f"<figcaption><b>{name}</b>{how}</figcaption>"
    return f'<figure data-term="{term}">{drawn}{caption}</figure>'


def _grey(v: Images, white: float) -> Tensor:
    return (v[0].mean(0) / white).clamp(0, 1)


def _tint(grey: Tensor, colour: Sequence[int]) -> Pixels:
    shares: Final = grey.detach().cpu().double().numpy()
    return np.rint(shares[..., None] * np.array(colour)).astype(np.uint8)
