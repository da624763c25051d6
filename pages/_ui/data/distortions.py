"""The list of distortions: add, remove and reorder them, and set the ranges of each."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import MOST_DISTORTIONS
from ia_engine.transforms import TRANSFORMS
from pages._ui.data.ranges import ask_ranges, new_distortion

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
