"""Range sliders for a distortion, made from what its transform says of its coordinates."""

import math
from typing import Final

import streamlit as st

from ia_engine.datasets.distortions import Distortion
from ia_engine.params import Range
from ia_engine.transforms import TRANSFORMS
from ia_engine.transforms.base import Coordinates
from pages._ui.controls import grid, label_of, places

START: Final = 0.35
"""How much of its range a coordinate of a new distortion takes."""
FEW: Final = 8
"""So many single coordinates can have sliders of their own."""
FINE: Final = 400
"""Maximum number of steps of a range slider, which is wide: angles are set in degrees."""
EXACT: Final = 4
"""Decimals of a bound in radians; more would only make the address long."""

Bounds = tuple[float, float]


def new_distortion(transform: str, size: int) -> Distortion:
    """A distortion of this kind that is clearly seen and leaves the picture recognisable."""
    parts = TRANSFORMS[transform].coordinates(1)
    bounds = [_start(part, size) for part in parts]
    return Distortion(transform, tuple(low for low, _ in bounds), tuple(high for _, high in bounds))


def ask_ranges(distortion: Distortion, size: int, key: str) -> Distortion:
    """A slider with two handles for every part, or for every single coordinate if so wished."""
    parts = TRANSFORMS[distortion.transform].coordinates(1)
    singles = distortion.bounds(1)
    apart = len(distortion.low) != len(parts)
    if len(parts) < len(singles) <= FEW:
        asked = st.toggle("Bounds for every single coordinate", apart, key=f"{key} apart")
        if asked != apart:
            distortion, apart = _spread(distortion, asked), asked
    owners = [part for part, _, _ in distortion.bounds(1)] if apart else list(parts)
    bounds = [
        _ask(part, f"{part.name}{_number(owners, place)}", bound, size, f"{key} {apart} {place}")
        for place, (part, bound) in enumerate(
            zip(owners, zip(distortion.low, distortion.high, strict=True), strict=True)
        )
    ]
    low, high = tuple(low for low, _ in bounds), tuple(high for _, high in bounds)
    return Distortion(distortion.transform, low, high)


def _ask(part: Coordinates, name: str, bound: Bounds, size: int, key: str) -> Bounds:
    """The bounds; one that is not moved stays exactly what it was."""
    about = _on_screen(part, size)
    if about.symbol == "seed":
        return bound
    factor = math.degrees(1) if part.range.unit == "rad" else 1.0
    low, high, step = grid(about, about.low, FINE)
    shown = (_fit(bound[0] * factor, step), _fit(bound[1] * factor, step))
    low, high = min(low, shown[0]), max(high, shown[1])
    # Its ends are in the key: a slider of another canvas begins anew.
    moved = st.slider(
        label_of(name, about),
        low,
        high,
        shown,
        step,
        places(step),
        f"{key} {low:g} {high:g}",
        f"{about.about}; every copy gets a value between the two handles",
    )
    return _take(bound, shown, moved, factor)


def _take(bound: Bounds, shown: Bounds, moved: Bounds, factor: float) -> Bounds:
    low, high = (
        old if new == seen else round(new / factor, EXACT)
        for old, seen, new in zip(bound, shown, moved, strict=True)
    )
    return low, high


def _start(part: Coordinates, size: int) -> Bounds:
    about = _on_screen(part, size)
    if about.symbol == "seed":
        return about.low, about.high
    factor = math.degrees(1) if part.range.unit == "rad" else 1.0
    step = grid(about, about.low, FINE)[2]
    low, high = (_fit(START * end, step) / factor for end in (about.low, about.high))
    return round(low, EXACT), round(high, EXACT)


def _on_screen(part: Coordinates, size: int) -> Range:
    """The range as a person wants it: angles in degrees, shifts no wider than the canvas."""
    about = part.range
    if about.unit == "rad":
        low, high = math.degrees(about.low), math.degrees(about.high)
        return Range(about.symbol, low, high, about.about, "°")
    if about.unit == "px":
        low, high = max(about.low, -size / 2), min(about.high, size / 2)
        return Range(about.symbol, low, high, about.about, "px")
    return about


def _spread(distortion: Distortion, apart: bool) -> Distortion:
    """The same bounds for every coordinate of a part, or the widest of them for the part."""
    singles = distortion.bounds(1)
    if apart:
        groups = [[bound] for bound in singles]
    else:
        parts = TRANSFORMS[distortion.transform].coordinates(1)
        groups = [[bound for bound in singles if bound[0] == part] for part in parts]
    low = tuple(min(bound[1] for bound in group) for group in groups)
    high = tuple(max(bound[2] for bound in group) for group in groups)
    return Distortion(distortion.transform, low, high)


def _number(owners: list[Coordinates], place: int) -> str:
    """Which of several coordinates of one part; nothing where it is the only one."""
    if owners.count(owners[place]) == 1:
        return ""
    return f" {owners[: place + 1].count(owners[place])}"


def _fit(value: float, step: float) -> float:
    """The nearest stop of a slider."""
    return round(round(value / step) * step, 6)
