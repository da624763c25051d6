"""The choice of two images, the distances between all pairs, and the example of section 2.2."""

from typing import Final

import streamlit as st

from ia_engine.attention.manifolds.rotation import Matrices, make_sevens, measure_all
from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.attention.weights import weigh
from ia_engine.figures.matrices import draw_matrices, draw_table
from ia_engine.figures.mosaic import draw_mosaic
from ia_engine.images import Images, Matrix
from pages._ui.components.drawing import show_drawing
from pages._ui.components.tiles import send_tile_sheet, show_tiles
from pages._ui.lessons.captions_weights import SIXES_NINES
from pages._ui.panels import escape, show_count, show_misleading
from pages._ui.state.dataset import choose_data
from pages._ui.state.selection import place_of, select_pair, selected
from pages._ui.wording import number

COLUMNS: Final = 10
TILE_WIDTH: Final = 56
FIRST_PAIR: Final = {"i": 1, "j": 2}
EXPERIMENT_PAIR: Final = {"i": 18, "j": 13}
"""A pair of Experiment 1: descent stops in a wrong basin unless both images are smoothed."""
TITLES: Final = {"i": "Move **vᵢ**", "j": "onto **vⱼ**"}


def pick_pair(sample: ImageSample, *, is_experiment: bool) -> tuple[int, int]:
    """Ask for vᵢ and vⱼ; return their indices in the sample. The first pair shows a wrong basin."""
    first = EXPERIMENT_PAIR if is_experiment else FIRST_PAIR
    pair = {name: _find_selected(sample, name, first[name]) for name in first}
    for name, at in pair.items():
        with st.container(gap="xsmall"):
            st.markdown(f"{TITLES[name]}: {sample.numbers[at]}, {escape(sample.names[at])}")
            _show_tiles(sample, name, pair)
    with st.container(gap=None):
        send_tile_sheet(_draw_sheet(sample.digest, sample), f"pair sheet {sample.digest}")
    return pair["i"], pair["j"]


def show_matrix(sample: ImageSample, i: int, j: int) -> Matrices:
    """Draw the invariant and Euclidean distances between all pairs, and return them."""
    st.subheader("All distances")
    st.markdown(
        "The distance d between every pair of images: up to rotation and translation and, "
        "beside that, pixel by pixel. The frame marks the chosen pair. Click a cell to choose a "
        "different pair."
    )
    matrices = _measure(sample.digest, sample)
    show_drawing(
        draw_matrices(matrices, sample.labels, i, j, sample.numbers),
        "distances",
        lambda row, column: select_pair(sample.rows, (row, column)),
    )
    if sample.labels:
        counts = [
            f"{escape(name)}: {sample.labels.count(k)}" for k, name in enumerate(sample.classes)
        ]
        st.caption("Ordered by class: " + " · ".join(counts))
    show_count(len(sample.names), sample.total, "images")
    show_misleading(
        "Both halves share one scale, which ends at the largest Euclidean distance. Up to "
        "rotation, 6 and 9 are the same class: d is small because of the group, although a reader "
        "can distinguish them. The button chooses six of each.",
        key="misleads classes",
        show=lambda: choose_data(SIXES_NINES),
    )
    return matrices


def show_example() -> None:
    """Show the example: a seven, a seven with a bar and a three, each in its own pose."""
    st.subheader("The example of section 2.2")
    left, right = st.columns([3, 4], gap="large")
    images, matrices = _make_example()
    with left:
        show_drawing(draw_table(images, matrices.ia.sqrt()), "example")
    right.markdown(
        "The images are a 7, a 7 with a bar and a 3, each rotated and translated. Up to a pose, "
        "the two 7s are closer to each other than to the 3, although no labels are used."
    )
    near, far = matrices.ia[0, 1].sqrt(), min(matrices.ia[0, 2], matrices.ia[1, 2]).sqrt()
    one, two = right.columns(2)
    about = "The minimum over rotations and translations"
    one.metric("d(7, 7 with a bar)", f"{float(near):.3f}", help=about)
    two.metric(
        "d to the 3, the smaller",
        f"{float(far):.3f}",
        help="The distance between the 3 and the nearer 7",
    )
    with right:
        show_misleading(
            "Three images prove nothing: in someone else's handwriting, a 7 can be closer to a 3 "
            "than to another 7. Only the order of the distances matters, since the weights also "
            "depend on β and on the normalisation of W.",
            key="misleads normalisation",
            draw=lambda: _draw_normalised(images, matrices.ia),
        )


def _find_selected(sample: ImageSample, name: str, first: int) -> int:
    """Return the index of the selected image, or of image number `first` if the sample lacks it."""
    row = getattr(selected(), name)
    place = place_of(row, sample.rows)
    if row is not None and place is None:
        st.caption(
            f"The selected image {row + 1} is not one of the {len(sample.rows)} images shown here."
        )
    return min(first, len(sample.rows)) - 1 if place is None else place


def _show_tiles(sample: ImageSample, name: str, pair: dict[str, int]) -> None:
    labels = sample.labels or [0] * len(sample.names)
    classes = sample.classes if sample.labels else ("Images",)

    def select(index: str) -> None:
        both = pair | {name: int(index)}
        select_pair(sample.rows, (both["i"], both["j"]))

    show_tiles(
        [
            (str(k), f"{sample.numbers[k]}: {sample.names[k]}", str(label))
            for k, label in enumerate(labels)
        ],
        {str(label): classes[label] for label in sorted(set(labels))},
        COLUMNS,
        key=f"pair {name}",
        chosen=[str(pair[name])],
        on_toggle=select,
        small=True,
    )


@st.cache_resource(max_entries=4, show_spinner=False)
def _draw_sheet(digest: str, _sample: ImageSample) -> bytes:
    places = [divmod(k, COLUMNS) for k in range(len(_sample.names))]
    return draw_mosaic(_sample.images, places, COLUMNS, gap=0, width=COLUMNS * TILE_WIDTH)


@st.cache_resource(max_entries=4, show_spinner="Comparing all pairs")
def _measure(digest: str, _sample: ImageSample) -> Matrices:
    return measure_all(_sample.v)


@st.cache_resource(max_entries=1, show_spinner=False)
def _make_example() -> tuple[Images, Matrices]:
    return make_sevens()


def _draw_normalised(images: Images, d2: Matrix) -> None:
    """Draw W of the same distances: nearly uniform, or nearly the identity."""
    for column, beta in zip(st.columns(2), (0.3, 100.0), strict=True):
        with column:
            drawing = draw_table(images, weigh(d2, beta), "Weights W")
            show_drawing(drawing, f"misleading example {beta}")
        column.caption(f"W with β = {number(beta)}")
    st.caption(
        "The same distances. With a small β all images count as similar, and with a large β none "
        "do."
    )
