"""Curves of several networks: their training errors, and their predictions during a full rotation
(polar)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ia_engine.equivariant.networks import NETWORKS
from ia_engine.equivariant.orbit import Orbit
from ia_engine.equivariant.race import Race, RacePoint
from ia_engine.figures.equivariance.turning import INKS, ink
from ia_engine.figures.svg import (
    QUIET,
    Point,
    draw,
    label,
    legend,
    line,
    path,
    series,
    side_by_side,
    write,
)

WIDTH, HEIGHT = 820, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 190, 34, 46


def draw_race(race: Race) -> str:
    """Draw the validation error against the iterations; labels state the error at the end and the
    test error."""
    top = max([0.2, *(point.error for curve in race.curves.values() for point in curve)])
    parts = [*_axes(race.config.iterations, top)]
    ends = _apart({name: _y(curve[-1].error, top) for name, curve in race.curves.items() if curve})
    for name, curve in race.curves.items():
        k = rank_networks([_name(name)])[0]
        if not curve:
            continue
        points = [(_x(p.iteration, race.config.iterations), _y(p.error, top)) for p in curve]
        parts.append(path(points, f'{ink(k)} stroke-width="3"'))
        named = f"{_name(name)}: validation error against the iteration"
        parts.append(series(named, [p.iteration for p in curve], [p.error for p in curve]))
        x, y = points[-1]
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{INKS[k % len(INKS)]}"/>')
        parts += _words(name, curve[-1], ends[name], k)
    about = ", ".join(
        f"{_name(name)} {100 * curve[-1].error:.1f} % after {curve[-1].iteration} iterations"
        for name, curve in race.curves.items()
        if curve
    )
    title = "Validation error during training"
    return draw(WIDTH, HEIGHT, f"Validation errors: {about}", parts, title=title)


def _x(iteration: int, last: int) -> float:
    return LEFT + iteration / last * (WIDTH - LEFT - RIGHT)


def _y(error: float, top: float) -> float:
    return TOP + (1 - error / top) * (HEIGHT - TOP - BOTTOM)


def _axes(last: int, top: float) -> Iterator[str]:
    bottom = HEIGHT - BOTTOM
    step = 0.05 if top <= 0.3 else 0.2
    for k in range(int(top / step + 1e-6) + 1):
        y = _y(k * step, top)
        yield line((LEFT, y), (WIDTH - RIGHT, y), QUIET)
        yield write(LEFT - 8, y + 5, f"{100 * k * step:.0f} %", "end")
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield write(_x(round(share * last), last), bottom + 20, f"{round(share * last)}", "middle")
    yield label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "iteration", "middle")
    yield label(4, 16, "validation error [%]", more='font-weight="650"')


def _words(name: str, point: RacePoint, y: float, k: int) -> Iterator[str]:
    x = WIDTH - RIGHT + 14
    yield line((x, y), (x + 26, y), f'{ink(k)} stroke-width="4"')
    error = f"{_name(name)}: {100 * point.error:.1f} %"
    yield legend(x + 34, y + 5, error, more='font-weight="650"')
    if point.test is not None:
        yield write(x + 34, y + 23, f"test {100 * point.test:.1f} %")


def _apart(wanted: Mapping[str, float]) -> dict[str, float]:
    """Return the y of each label. Labels are moved apart where the ends of lines are close to each
    other."""
    found: dict[str, float] = {}
    floor = 0.0
    for name, y in sorted(wanted.items(), key=lambda item: item[1]):
        floor = found[name] = max(y, floor)
        floor += 44
    over = max(0.0, max(found.values(), default=0.0) - (HEIGHT - BOTTOM))
    return {name: y - over for name, y in found.items()}


def rank_networks(titles: Sequence[str]) -> list[int]:
    """Return the places of networks in the catalogue, which determine their colours and dashes.

    If two of them are the same network, such as one with and one without training, their places
    in the plot are returned.

    >>> rank_networks(["p4-CNN", "Z²-CNN"])
    [1, 0]
    """
    names = {one.title.replace("_", ""): k for k, one in enumerate(NETWORKS.values())}
    plain = [title.replace("_", "") for title in titles]
    found = [
        max([name for name in names if title.startswith(name)], key=len, default="")
        for title in plain
    ]
    ranks = [names.get(name, 0) for name in found]
    return ranks if len(set(ranks)) == len(ranks) else list(range(len(ranks)))


def _name(curve: str) -> str:
    """Return the title of a network as plain text, without subscripts."""
    return NETWORKS[curve].title.replace("_", "")


SIDE: Final = 520
RADIUS: Final = 196
WORDS: Final = 330
"""Width of the legend, and height of the entry of a network in it."""
LINE: Final = 78


def draw_answers(orbits: Mapping[str, Orbit], number: int) -> str:
    """Draw the probability of a class (radius) against the rotation of the picture (angle, with 0°
    at the top)."""
    parts, words = [*_rings(), *_spokes()], list[str]()
    ranks = rank_networks(list(orbits))
    for at, (title, orbit) in enumerate(orbits.items()):
        share = orbit.probabilities[:, number].tolist()
        points = [_place(value, turn / len(share)) for turn, value in enumerate(share)]
        parts.append(path([*points, points[0]], f'{ink(ranks[at])} stroke-width="2.5"'))
        named = f"{title}: probability against the rotation [°]"
        parts.append(series(named, (360 * turn / len(share) for turn in range(len(share))), share))
        words += _legend(at, ranks[at], title, orbit, number)
    about = "; ".join(
        f"{title} predicts {number} at {100 * _share(orbit, number):.0f} % of the angles"
        for title, orbit in orbits.items()
    )
    parts.append(
        label(0, SIDE + 8, "radius: probability [no unit], angle: rotation of the picture [°]")
    )
    about = f"Probability of {number} against the rotation. {about}"
    title = f"Probability of {number} while the picture rotates"
    plot = draw(SIDE, SIDE + 14, about, parts, title=title)
    names = draw(WORDS, _height(len(orbits)), "Legend of the networks", words, title=None)
    return side_by_side((plot, names), WORDS)


def _legend(at: int, rank: int, title: str, orbit: Orbit, number: int) -> Iterator[str]:
    """Yield the legend of a network: its line, how often it predicts the class, and its predictions
    in 90° steps."""
    y = _height(at) + 14
    yield line((4, y), (58, y), f'{ink(rank)} stroke-width="4"')
    yield legend(70, y + 5, title, more='font-weight="650" font-size="16"')
    share = f"predicts {number} at {100 * _share(orbit, number):.0f} % of the angles"
    yield write(70, y + 26, share)
    said = " ".join(_said(orbit, quarters) for quarters in range(4))
    yield write(70, y + 46, f"at 0°, 90°, 180°, 270°: {said}")


def _height(k: int) -> float:
    """Return the y of the entry of network k in the legend."""
    return 30 + LINE * k


def _said(orbit: Orbit, quarters: int) -> str:
    """Return the most probable class after the given number of 90° rotations."""
    return str(int(orbit.probabilities[len(orbit.probabilities) * quarters // 4].argmax()))


def _share(orbit: Orbit, number: int) -> float:
    return float((orbit.probabilities.argmax(1) == number).double().mean())


def _place(value: float, turns: float) -> Point:
    """Return the position of a value. The angle increases anticlockwise from the top, like the
    rotation of the picture."""
    angle = 2 * math.pi * turns
    reach = RADIUS * value
    return SIDE / 2 - reach * math.sin(angle), SIDE / 2 - reach * math.cos(angle)


def _rings() -> Iterator[str]:
    for value in (0.25, 0.5, 0.75, 1.0):
        yield (
            f'<circle cx="{SIDE / 2}" cy="{SIDE / 2}" r="{RADIUS * value}" fill="none" {QUIET}/>'
        )
        x, y = _place(value, 1 / 24)
        yield write(x - 4, y - 3, f"{value:g}", "end", 'opacity="0.8"')


def _spokes() -> Iterator[str]:
    for degrees in range(0, 360, 30):
        exact = degrees % 90 == 0
        more = 'stroke="currentColor" stroke-width="1.5"' if exact else QUIET
        yield line(_place(0, 0), _place(1, degrees / 360), more)
        x, y = _place(1.13, degrees / 360)
        weight = 'font-weight="700"' if exact else 'opacity="0.8"'
        yield write(x, y + 5, f"{degrees}°", "middle", weight)
