"""The list of distortions of generated or uploaded images, and the ranges of each."""

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
from pages._ui.controls import label_of, linear_steps, number_format

MAX_SINGLE_SLIDERS: Final = 8
"""A distortion with more coordinates than this has one slider per group of coordinates."""
MAX_STEPS: Final = 400
"""Maximum number of steps of a range slider, which is wide enough for angles in degrees."""
DECIMALS: Final = 4
"""Number of decimals of a bound; additional decimals would only make the URL longer."""

OFFERED: Final = (
    ("Add a distortion", "similarity", "add distortion"),
    ("Mirror images", "mirror", "add mirrors"),
    ("Noise", "noise", "add noise"),
)
"""Buttons that add a distortion: label, initial transform and key."""
NAMES: Final = {
    "translation": "Translation",
    "rotation": "Rotation",
    "se2": "Rotation + translation, SE(2)",
    "similarity": "Similarity: SE(2) + scale",
    "affine": "Affine map",
    "projective": "Projective map",
    "mirror": "Mirror image",
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

Bounds = tuple[float, float]
Row = tuple[Distortion, ...]
Change = Callable[[Row], Row]
Apply = Callable[[Change], None]


def edit_distortions(row: Row, size: int, key: str, change: Apply) -> Row:
    """Draw the controls and return their distortions; `change` adds, removes or moves one."""
    st.subheader("Distortions of each copy")
    edited = tuple(_edit(row, place, size, f"{key} {place}", change) for place in range(len(row)))
    if not row:
        st.caption("No distortions: all copies of an image are identical.")
    with st.container(horizontal=True, key="add distortions"):
        for label, transform, name in OFFERED:
            st.button(
                label,
                on_click=change,
                args=(partial(_add, transform, size),),
                disabled=len(row) >= MOST_DISTORTIONS,
                icon=":material/add:",
                key=name,
            )
    return edited


def _add(transform: str, size: int, row: Row) -> Row:
    return (*row, _new_distortion(transform, size))


def _edit(row: Row, place: int, size: int, key: str, change: Apply) -> Distortion:
    distortion, options = row[place], list(TRANSFORMS)
    with st.container(border=True):
        with st.container(horizontal=True, wrap=False, gap="xsmall", vertical_alignment="bottom"):
            transform = st.selectbox(
                f"Distortion {place + 1}",
                options,
                options.index(distortion.transform),
                format_func=lambda name: NAMES.get(name, name.capitalize()),
                key=f"transform {key}",
                help="Distortions are applied one after another, in this order",
            )
            _draw_buttons(place, len(row), change)
        if transform != distortion.transform:
            distortion = _new_distortion(transform, size)
        return _ask_ranges(distortion, size, f"{key} {transform}")


def _draw_buttons(place: int, count: int, change: Apply) -> None:
    which = f"distortion {place + 1}"
    for way, target in (("up", place - 1), ("down", place + 1)):
        swap = partial(_swap, place, target)
        _button(f"arrow_{way}ward", f"Move {which} {way}", change, swap, 0 <= target < count)
    _button("delete", f"Remove {which}", change, partial(_remove, place))


def _button(icon: str, label: str, change: Apply, edit: Change, enabled: bool = True) -> None:
    st.button(
        f":material/{icon}:",
        key=label,
        help=label,
        on_click=change,
        args=(edit,),
        disabled=not enabled,
    )


def _swap(a: int, b: int, row: Row) -> Row:
    return tuple(row[b] if i == a else row[a] if i == b else part for i, part in enumerate(row))


def _remove(place: int, row: Row) -> Row:
    return row[:place] + row[place + 1 :]


def _new_distortion(transform: str, size: int) -> Distortion:
    """Return a distortion of this kind that is clearly visible but leaves images recognisable."""
    parts = TRANSFORMS[transform].coordinates(1)
    bounds = [_default_bounds(part, size) for part in parts]
    return Distortion(transform, tuple(low for low, _ in bounds), tuple(high for _, high in bounds))


def _ask_ranges(distortion: Distortion, size: int, key: str) -> Distortion:
    """Draw a slider with two handles for each group of coordinates, or for each coordinate."""
    parts = TRANSFORMS[distortion.transform].coordinates(1)
    singles = distortion.bounds(1)
    apart = len(distortion.low) != len(parts)
    if len(parts) < len(singles) <= MAX_SINGLE_SLIDERS:
        separate = st.toggle("Separate bounds for each coordinate", apart, key=f"{key} apart")
        if separate != apart:
            distortion, apart = _regroup(distortion, separate), separate
    owners = [part for part, _, _ in distortion.bounds(1)] if apart else list(parts)
    known = list(zip(distortion.low, distortion.high, strict=True))
    both = [low == -high for part, (low, high) in zip(owners, known, strict=True) if _is_even(part)]
    even = bool(both) and st.toggle(
        "Same limit in both directions", all(both), key=f"{key} {apart} even"
    )
    bounds = [
        (_ask_limit if even and _is_even(part) else _ask_range)(
            part, _name(owners, at), bound, size, f"{key} {apart} {at}"
        )
        for at, (part, bound) in enumerate(zip(owners, known, strict=True))
    ]
    low, high = tuple(low for low, _ in bounds), tuple(high for _, high in bounds)
    return Distortion(distortion.transform, low, high)


def _is_even(part: Coordinates) -> bool:
    """Return True if the range of the coordinate extends equally far in both directions."""
    return part.range.low == -part.range.high


def _ask_limit(part: Coordinates, name: str, bound: Bounds, size: int, key: str) -> Bounds:
    """Draw one slider for a limit in both directions; if it is not moved, the bounds are kept."""
    about = _display_range(part, size)
    factor = math.degrees(1) if part.range.unit == "rad" else 1.0
    step = linear_steps(about, about.low, MAX_STEPS)[2]
    limit = max(abs(end) for end in bound)
    shown = _round_to(limit * factor, step)
    most = float(max(about.high, shown))
    moved = st.slider(
        f"± {label_of(name, about)}",
        0.0,
        most,
        shown,
        step,
        number_format(step),
        f"{key} limit {most:g}",
        f"{about.about}; every copy gets a random value from −limit to +limit",
    )
    limit = limit if moved == shown else _to_bound(moved / factor, part)
    return -limit, limit


def _ask_range(part: Coordinates, name: str, bound: Bounds, size: int, key: str) -> Bounds:
    """Draw one slider and return its bounds; a handle that is not moved keeps its bound."""
    about = _display_range(part, size)
    if about.symbol == "seed":
        return bound
    factor = math.degrees(1) if part.range.unit == "rad" else 1.0
    low, high, step = linear_steps(about, about.low, MAX_STEPS)
    shown = (_round_to(bound[0] * factor, step), _round_to(bound[1] * factor, step))
    low, high = min(low, shown[0]), max(high, shown[1])
    # The ends are part of the key, so that another canvas size gets a new slider.
    moved = st.slider(
        label_of(name, about),
        low,
        high,
        shown,
        step,
        number_format(step),
        f"{key} {low:g} {high:g}",
        f"{about.about}; every copy gets a random value between the two handles",
    )
    low, high = (
        old if new == before else _to_bound(new / factor, part)
        for old, before, new in zip(bound, shown, moved, strict=True)
    )
    return low, high


def _default_bounds(part: Coordinates, size: int) -> Bounds:
    about = _display_range(part, size)
    if about.symbol == "seed":
        return about.low, about.high
    factor = math.degrees(1) if part.range.unit == "rad" else 1.0
    step = linear_steps(about, about.low, MAX_STEPS)[2]
    low, high = (_round_to(part.typical * end, step) / factor for end in (about.low, about.high))
    return _to_bound(low, part), _to_bound(high, part)


def _to_bound(value: float, part: Coordinates) -> float:
    """Return a rounded value within the range: 180° would round to 3.1416, which is more than π."""
    return min(max(round(value, DECIMALS), part.range.low), part.range.high)


def _display_range(part: Coordinates, size: int) -> Range:
    """Return the range as displayed: angles in degrees, lengths no larger than the canvas."""
    about = part.range
    if about.unit == "rad":
        low, high = math.degrees(about.low), math.degrees(about.high)
        return Range(about.symbol, low, high, about.about, "°")
    if about.unit == "px":
        low, high = max(about.low, -size / 2), min(about.high, size / 2)
        return Range(about.symbol, low, high, about.about, "px")
    return about


def _regroup(distortion: Distortion, apart: bool) -> Distortion:
    """Give each coordinate of a group the same bounds, or the group the widest of their bounds."""
    singles = distortion.bounds(1)
    if apart:
        groups = [[bound] for bound in singles]
    else:
        parts = TRANSFORMS[distortion.transform].coordinates(1)
        groups = [[bound for bound in singles if bound[0] == part] for part in parts]
    low = tuple(min(bound[1] for bound in group) for group in groups)
    high = tuple(max(bound[2] for bound in group) for group in groups)
    return Distortion(distortion.transform, low, high)


def _name(owners: list[Coordinates], at: int) -> str:
    """Return the name of a coordinate's group, with a number if the group has several."""
    number = f" {owners[: at + 1].count(owners[at])}" if owners.count(owners[at]) > 1 else ""
    return f"{owners[at].name}{number}"


def _round_to(value: float, step: float) -> float:
    """Return the nearest value of a slider."""
    return round(round(value / step) * step, 6)
