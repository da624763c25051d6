"""Choose the two images: each in a picture book of its own; they are what is selected."""

from typing import Final

import streamlit as st

from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.figures.mosaic import draw_mosaic
from pages._ui.assets import component
from pages._ui.panels import plain
from pages._ui.selection import place_of, select_pair, selected

COLUMNS: Final = 10
SIDE: Final = 56
FIRST: Final = {"i": 1, "j": 2}
TELLING: Final = {"i": 18, "j": 13}
"""Of Experiment 1: descent rests in a wrong basin unless both are blurred."""
TITLES: Final = {"i": "Move **vᵢ**", "j": "onto **vⱼ**"}

_sheet = component("ia_pair_sheet", "tile_sheet", styled=False)
_book = component("ia_pair_book", "tiles")


def pick_pair(few: ImageSample, telling: bool) -> tuple[int, int]:
    """The places of vᵢ and vⱼ among the images; at first a telling pair, where one is known."""
    pair = {name: _place(few, name, telling=telling) for name in FIRST}
    for name, at in pair.items():
        with st.container(gap="xsmall"):
            st.markdown(f"{TITLES[name]}: {few.numbers[at]}, {plain(few.names[at])}")
            _show(few, name, pair)
    with st.container(gap=None):
        _sheet(key=f"pair sheet {few.digest}", data=_draw(few.digest, few), height=1)
    return pair["i"], pair["j"]


def _show(few: ImageSample, name: str, pair: dict[str, int]) -> None:
    key = f"pair {name}"
    labels = few.labels or [0] * len(few.names)
    classes = few.classes if few.labels else ("Images",)
    _book(
        key=key,
        data={
            "tiles": [
                [str(k), f"{few.numbers[k]}: {few.names[k]}", str(label)]
                for k, label in enumerate(labels)
            ],
            "families": {str(label): classes[label] for label in sorted(set(labels))},
            "columns": COLUMNS,
            "chosen": [str(pair[name])],
            "small": True,
        },
        on_toggled_change=lambda: _choose(few, name, pair, key),
    )


def _choose(few: ImageSample, name: str, pair: dict[str, int], key: str) -> None:
    """The other one stays; a click on what is chosen changes nothing."""
    chosen = st.session_state[key].get("toggled")
    if chosen is not None:
        now = pair | {name: int(chosen)}
        select_pair(few.rows, (now["i"], now["j"]))


def _place(few: ImageSample, name: str, *, telling: bool) -> int:
    """Where the selected image stands; where none is, or it is not here, that of the first."""
    row = getattr(selected(), name)
    place = place_of(row, few.rows)
    if row is not None and place is None:
        st.caption(
            f"Image {row + 1}, which is selected, is none of the {len(few.rows)} shown here."
        )
    first = (TELLING if telling else FIRST)[name]
    return min(first, len(few.rows)) - 1 if place is None else place


@st.cache_resource(max_entries=4, show_spinner=False)
def _draw(digest: str, _few: ImageSample) -> bytes:
    places = [divmod(k, COLUMNS) for k in range(len(_few.names))]
    return draw_mosaic(_few.images, places, COLUMNS, gap=0, width=COLUMNS * SIDE)
