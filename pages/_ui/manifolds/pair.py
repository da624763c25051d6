"""Choose the two images, and all distances between the chosen images."""

from typing import Final

import streamlit as st

from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.attention.manifolds.turning import Matrices, make_sevens, measure_all
from ia_engine.attention.weights import weigh
from ia_engine.figures.matrices import draw_matrices, draw_table
from ia_engine.figures.mosaic import draw_mosaic
from ia_engine.shapes import Images, Matrix
from pages._ui.components.drawing import show_drawing
from pages._ui.components.tiles import send_tile_sheet, show_tiles
from pages._ui.lessons.weights import SIXES_NINES
from pages._ui.panels import misleads, plain, shown
from pages._ui.state.dataset import choose
from pages._ui.state.selection import place_of, select_pair, selected
from pages._ui.wording import number

COLUMNS: Final = 10
SIDE: Final = 56
FIRST: Final = {"i": 1, "j": 2}
TELLING: Final = {"i": 18, "j": 13}
"""Of Experiment 1: descent rests in a wrong basin unless both are blurred."""
TITLES: Final = {"i": "Move **vᵢ**", "j": "onto **vⱼ**"}


def pick_pair(few: ImageSample, telling: bool) -> tuple[int, int]:
    """The places of vᵢ and vⱼ among the images; at first a telling pair, where one is known."""
    pair = {name: _place(few, name, telling=telling) for name in FIRST}
    for name, at in pair.items():
        with st.container(gap="xsmall"):
            st.markdown(f"{TITLES[name]}: {few.numbers[at]}, {plain(few.names[at])}")
            _show(few, name, pair)
    with st.container(gap=None):
        send_tile_sheet(_draw(few.digest, few), f"pair sheet {few.digest}")
    return pair["i"], pair["j"]


def _show(few: ImageSample, name: str, pair: dict[str, int]) -> None:
    labels = few.labels or [0] * len(few.names)
    classes = few.classes if few.labels else ("Images",)
    show_tiles(
        [
            (str(k), f"{few.numbers[k]}: {few.names[k]}", str(label))
            for k, label in enumerate(labels)
        ],
        {str(label): classes[label] for label in sorted(set(labels))},
        COLUMNS,
        key=f"pair {name}",
        chosen=[str(pair[name])],
        on_toggle=lambda chosen: _choose(few, pair | {name: int(chosen)}),
        small=True,
    )


def _choose(few: ImageSample, pair: dict[str, int]) -> None:
    select_pair(few.rows, (pair["i"], pair["j"]))


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


def show_matrix(few: ImageSample, i: int, j: int) -> Matrices:
    """Both matrices side by side; what they were drawn from."""
    st.subheader("All distances")
    st.markdown(
        "The distance d of every image to every other, up to turns and shifts and, beside it, "
        "pixel by pixel. The frame marks the pair: click a cell to choose another."
    )
    known = _measure(few.digest, few)
    show_drawing(
        draw_matrices(known, few.labels, i, j, few.numbers),
        "distances",
        lambda row, column: select_pair(few.rows, (row, column)),
    )
    if few.labels:
        counted = [f"{plain(name)}: {few.labels.count(k)}" for k, name in enumerate(few.classes)]
        st.caption("In the order of the classes: " + " · ".join(counted))
    shown(len(few.names), few.total, "images")
    misleads(
        "Both halves share one scale, which ends at the largest Euclidean distance. Turns make 6 "
        "and 9 one class: a small d is what the group says, not what a reader would say. The "
        "button chooses six of each.",
        key="misleads classes",
        show=lambda: choose(SIXES_NINES),
    )
    return known


def show_example() -> None:
    """Seven, seven with a bar, and three, each in a pose of its own."""
    st.subheader("The example of section 2.2")
    left, right = st.columns([3, 4], gap="large")
    images, known = _example()
    with left:
        show_drawing(draw_table(images, known.ia.sqrt()), "example")
    right.markdown(
        "A 7, a 7 with a bar and a 3, each turned and shifted. Up to a pose the two 7s are nearer "
        "to each other than either is to the 3, although nothing says that they are one class."
    )
    near, far = known.ia[0, 1].sqrt(), min(known.ia[0, 2], known.ia[1, 2]).sqrt()
    one, two = right.columns(2)
    one.metric("d(7, 7 with a bar)", f"{float(near):.3f}", help="The least over turns and shifts")
    two.metric("d to the 3, the smaller", f"{float(far):.3f}", help="Of the two 7s, the nearer")
    with right:
        misleads(
            "Three images prove nothing: other hands write sevens that are nearer to a 3. What "
            "matters is the order of the distances: β and the normalisation of W do the rest.",
            key="misleads normalisation",
            draw=lambda: _draw_normalised(images, known.ia),
        )


def _draw_normalised(images: Images, d2: Matrix) -> None:
    """W of the same distances: nearly even, or nearly the identity."""
    for column, beta in zip(st.columns(2), (0.3, 100.0), strict=True):
        with column:
            drawn = draw_table(images, weigh(d2, beta), "Weights W")
            show_drawing(drawn, f"misleading example {beta}")
        column.caption(f"W with β = {number(beta)}")
    st.caption("The same distances: with a small β all three are one, with a large one none are.")


@st.cache_resource(max_entries=4, show_spinner="Comparing all pairs")
def _measure(digest: str, _few: ImageSample) -> Matrices:
    return measure_all(_few.v)


@st.cache_resource(max_entries=1, show_spinner=False)
def _example() -> tuple[Images, Matrices]:
    return make_sevens()
