"""The list of distortions, and the ranges of each."""

import math
from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import MOST_DISTORTIONS
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


Row = tuple[Distortion, ...]
Change = Callable[[Row], Row]

ADDED: Final = "similarity"
NAMES: Final = {
    "translation": "Translation",
    "rotation": "Rotation",
    "se2": "Rotation + translation, SE(2)",
    "similarity": "Similarity: SE(2) + scale",
    "affine": "Affine map",
    "projective": "Projective map",
    "tps": "Thin plate spline",
    "elastic": "Elastic deformation",
    "color": "Colour and brightness",
    "morphology": "Dilation and erosion",
    "noise": "Gaussian noise",
    "salt-and-pepper": "Salt-and-pepper noise",
    "erasing": "Erased rectangle",
    "lens": "Lens distortion",
    "motion-blur": "Motion blur",
    "illumination": "Uneven illumination",
    "shadow": "Shadow",
    "jpeg": "JPEG compression",
}


def edit_distortions(row: Row, size: int, key: str, change: Callable[[Change], None]) -> Row:
    """The distortions as the sliders show them; `change` adds, removes or moves one."""
    st.subheader("Distortions of each copy")
    edited = tuple(_edit(row, place, size, f"{key} {place}", change) for place in range(len(row)))
    if not row:
        st.caption("None: all copies of an image are equal.")
    st.button(
        "Add a distortion",
        on_click=change,
        args=(lambda row: (*row, new_distortion(ADDED, size)),),
        disabled=len(row) >= MOST_DISTORTIONS,
        icon=":material/add:",
        key="add distortion",
    )
    return edited


def _edit(
    row: Row, place: int, size: int, key: str, change: Callable[[Change], None]
) -> Distortion:
    distortion, options = row[place], list(TRANSFORMS)
    with st.container(border=True):
        with st.container(horizontal=True, wrap=False, gap="xsmall", vertical_alignment="bottom"):
            transform = st.selectbox(
                f"Distortion {place + 1}",
                options,
                options.index(distortion.transform),
                format_func=lambda name: NAMES.get(name, name),
                key=f"transform {key}",
                help="Distortions act one after another, in this order",
            )
            _buttons(place, len(row), change)
        if transform != distortion.transform:
            distortion = new_distortion(transform, size)
        return ask_ranges(distortion, size, f"{key} {transform}")


def _buttons(place: int, count: int, change: Callable[[Change], None]) -> None:
    which = f"distortion {place + 1}"
    moves = (("arrow_upward", "up", place - 1), ("arrow_downward", "down", place + 1))
    for icon, way, target in moves:
        _button(
            icon, f"Move {which} {way}", change, partial(_swap, place, target), 0 <= target < count
        )
    _button("delete", f"Remove {which}", change, partial(_drop, place))


def _button(
    icon: str,
    label: str,
    change: Callable[[Change], None],
    act: Change,
    possible: bool = True,
) -> None:
    st.button(
        f":material/{icon}:",
        key=label,
        help=label,
        on_click=change,
        args=(act,),
        disabled=not possible,
    )


def _swap(a: int, b: int, row: Row) -> Row:
    return tuple(row[b] if i == a else row[a] if i == b else part for i, part in enumerate(row))


def _drop(place: int, row: Row) -> Row:
    return row[:place] + row[place + 1 :]
