"""What several networks say of one picture at every angle: one polar plot."""

import math
from collections.abc import Iterator, Mapping
from typing import Final

from ia_engine.equivariant.orbit import Orbit
from ia_engine.figures.equivariance.colours import ink
from ia_engine.figures.svg import QUIET, Point, draw, line, path, side_by_side, write

SIDE: Final = 520
RADIUS: Final = 196
WORDS: Final = 330
"""Width of the legend, and the height of what it says on one network."""
LINE: Final = 78


def draw_answers(orbits: Mapping[str, Orbit], label: int) -> str:
    """The probability of a class outwards, the turn of the picture around, 0° at the top."""
    parts, words = [*_rings(), *_spokes()], list[str]()
    for k, (title, orbit) in enumerate(orbits.items()):
        share = orbit.probabilities[:, label].tolist()
        points = [_place(value, at / len(share)) for at, value in enumerate(share)]
        parts.append(path([*points, points[0]], f'{ink(k)} stroke-width="2.5"'))
        words += _legend(k, title, orbit, label)
    about = "; ".join(
        f"{title} says {label} at {100 * _share(orbit, label):.0f} % of the angles"
        for title, orbit in orbits.items()
    )
    plot = draw(SIDE, SIDE, f"Probability of {label} against the turn. {about}", parts)
    legend = draw(WORDS, _height(len(orbits)), "What the lines stand for", words)
    return side_by_side((plot, legend), WORDS)


def _legend(k: int, title: str, orbit: Orbit, label: int) -> Iterator[str]:
    """The line of a network, how often it says the class, and what it says at quarter turns."""
    y = _height(k) + 14
    yield line((4, y), (58, y), f'{ink(k)} stroke-width="4"')
    yield write(70, y + 5, title, more='font-weight="650" font-size="16"')
    share = f"says {label} at {100 * _share(orbit, label):.0f} % of the angles"
    yield write(70, y + 26, share)
    said = " ".join(_said(orbit, quarters) for quarters in range(4))
    yield write(70, y + 46, f"at 0°, 90°, 180°, 270°: {said}")


def _height(k: int) -> float:
    """Where the words on the k-th network begin."""
    return 30 + LINE * k


def _said(orbit: Orbit, quarters: int) -> str:
    """The most probable class at a quarter turn."""
    return str(int(orbit.probabilities[len(orbit.probabilities) * quarters // 4].argmax()))


def _share(orbit: Orbit, label: int) -> float:
    return float((orbit.probabilities.argmax(1) == label).double().mean())


def _place(value: float, turns: float) -> Point:
    """Anticlockwise from the top, as the picture turns."""
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
