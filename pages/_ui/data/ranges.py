"""Range sliders for a distortion, built from the coordinates that its transform declares."""

import math
from typing import Final

import streamlit as st

from ia_engine.datasets.distortions import Distortion
from ia_engine.params import Range
from ia_engine.transforms import TRANSFORMS
from ia_engine.transforms.base import Coordinates
from pages._ui.controls import grid, label_of, places

MAX_SINGLE_SLIDERS: Final = 8
"""A distortion with more coordinates has one slider for each group of them only."""
MAX_STEPS: Final = 400
"""Of a range slider, which is wide: angles are set in degrees."""
DECIMALS: Final = 4
"""Of a bound; more would only make the URL long."""

Bounds = tuple[float, float]


def new_distortion(transform: str, size: int) -> Distortion:
    """A distortion of this kind that is clearly visible and leaves images recognisable."""
    parts = TRANSFORMS[transform].coordinates(1)
    bounds = [_start(part, size) for part in parts]
    return Distortion(transform, tuple(low for low, _ in bounds), tuple(high for _, high in bounds))


def ask_ranges(distortion: Distortion, size: int, key: str) -> Distortion:
    """A slider with two handles for each group of coordinates, or for each single coordinate."""
    parts = TRANSFORMS[distortion.transform].coordinates(1)
    singles = distortion.bounds(1)
    apart = len(distortion.low) != len(parts)
    if len(parts) < len(singles) <= MAX_SINGLE_SLIDERS:
        asked = st.toggle("Separate bounds for each coordinate", apart, key=f"{key} apart")
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
    """The bounds; a handle that is not moved leaves its bound exactly as it was."""
    about = _on_screen(part, size)
    if about.symbol == "seed":
        return bound
    factor = math.degrees(1) if part.range.unit == "rad" else 1.0
    low, high, step = grid(about, about.low, MAX_STEPS)
    shown = (_fit(bound[0] * factor, step), _fit(bound[1] * factor, step))
    low, high = min(low, shown[0]), max(high, shown[1])
    # The ends are part of the key: another canvas size gets a new slider.
    moved = st.slider(
        label_of(name, about),
        low,
        high,
        shown,
        step,
        places(step),
        f"{key} {low:g} {high:g}",
        f"{about.about}; each copy gets a random value between the two handles",
    )
    low, high = (
        old if new == seen else _to_bound(new / factor, part)
        for old, seen, new in zip(bound, shown, moved, strict=True)
    )
    return low, high


def _start(part: Coordinates, size: int) -> Bounds:
    about = _on_screen(part, size)
    if about.symbol == "seed":
        return about.low, about.high
    factor = math.degrees(1) if part.range.unit == "rad" else 1.0
    step = grid(about, about.low, MAX_STEPS)[2]
    low, high = (_fit(part.typical * end, step) / factor for end in (about.low, about.high))
    return _to_bound(low, part), _to_bound(high, part)


def _to_bound(value: float, part: Coordinates) -> float:
    """A rounded value within the range: 180° rounds to 3.1416, which is more than π."""
    return min(max(round(value, DECIMALS), part.range.low), part.range.high)


def _on_screen(part: Coordinates, size: int) -> Range:
    """The range as it is displayed: angles in degrees, lengths no larger than the canvas."""
    about = part.range
    if about.unit == "rad":
        low, high = math.degrees(about.low), math.degrees(about.high)
        return Range(about.symbol, low, high, about.about, "°")
    if about.unit == "px":
        low, high = max(about.low, -size / 2), min(about.high, size / 2)
        return Range(about.symbol, low, high, about.about, "px")
    return about


def _spread(distortion: Distortion, apart: bool) -> Distortion:
    """The same bounds for each coordinate of a group, or the widest of them for the group."""
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
    """The number of a coordinate in its group; empty for a group of one."""
    if owners.count(owners[place]) == 1:
        return ""
    return f" {owners[: place + 1].count(owners[place])}"


def _fit(value: float, step: float) -> float:
    """The nearest value of a slider."""
    return round(round(value / step) * step, 6)
