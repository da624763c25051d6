"""All distances: the chosen images, and the three of section 2.2."""

import streamlit as st

from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.attention.manifolds.turning import Matrices, make_sevens, measure_all
from ia_engine.attention.weights import weigh
from ia_engine.figures.matrices import draw_matrices, draw_table
from ia_engine.shapes import Images, Matrix
from pages._ui.chosen import choose
from pages._ui.drawing import show_drawing
from pages._ui.lessons.data import SIXES_NINES
from pages._ui.numbers import number
from pages._ui.panels import misleads, plain, shown
from pages._ui.selection import select_pair


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
