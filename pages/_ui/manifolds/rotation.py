"""A rotated input and its row of W under both methods."""

from typing import Final

import streamlit as st

from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig
from ia_engine.attention.manifolds.rotation import Matrices, RotatedRow, rotate_one
from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.figures.landscape import draw_one
from ia_engine.figures.matrices import draw_row
from ia_engine.figures.svg import signed
from ia_engine.runs.job import use_one_core
from pages._ui.components.dial import dial
from pages._ui.components.drawing import show_drawing
from pages._ui.panels import Part, show_formula, show_misleading, term
from pages._ui.state.selection import Selection, select_pair, selected
from pages._ui.wording import number

LARGE_BETA: Final = 200.0


@st.fragment
def show_rotation(
    sample: ImageSample, matrices: Matrices, pair: tuple[int, int], selection: Selection
) -> None:
    """Draw the angle, the rotated image and its two rows of W; a change redraws only this part."""
    use_one_core()
    i, j = pair
    st.subheader("Rotate one input")
    st.markdown(
        "vᵢ is rotated and compared with all original images, including itself. Under "
        "**invariant attention** its row of W stays the same, except for interpolation error. "
        "Under **kernel attention** the row collapses."
    )
    about = "Positive is anticlockwise"
    angle = dial("turn", "Rotation of vᵢ", about, bounds=(-180, 180), step=5, unit="°")
    beta = AttentionConfig().beta
    before = _rotate(sample.digest, i, 0, sample, matrices)
    now = _rotate(sample.digest, i, angle, sample, matrices)
    show_formula(_write_weight(now, sample.numbers[i], sample.numbers[j], at=j), "formula of a row")
    picture, left, right = st.columns([1, 3, 3], gap="medium")
    with picture:
        show_drawing(draw_one(now.image), "turned", term="vi turn")
    for column, name, row, row_before, value in (
        (left, "Invariant attention", now.ia, before.ia, beta),
        (right, "Kernel attention", now.ka, before.ka, KERNEL_BETA),
    ):
        with column:
            st.markdown(f"**{name}**, β = {number(value)}")
            drawing = draw_row(row, row_before, sample.labels, i, j, numbers=sample.numbers)
            show_drawing(
                drawing,
                f"row, {name}",
                lambda _, at: select_pair(sample.rows, (i, at)),
                term="W",
            )
    if selected() != selection:
        st.rerun()  # a bar was clicked: the whole page shows another pair
    if angle:
        st.caption(_describe_loss(now, before, i, angle))
    st.caption(
        "Orange: the image itself. Blue: other images of its class. Grey: other classes. Frame: "
        "vⱼ. Lines: the bars at 0°. Click a bar to choose a different vⱼ."
    )
    show_misleading(
        "Each column of W adds up to 1, but the rows need not. A rotation that moves strokes off "
        "the canvas changes the image, so the invariant row changes too. With a large β kernel "
        "attention looks invariant, because every image attends only to itself.",
        key="misleads beta",
        draw=lambda: _draw_large_beta(sample, matrices, pair, angle),
    )


def _write_weight(now: RotatedRow, i: int, j: int, *, at: int) -> list[Part]:
    """Return W for the image numbers i and j with both values; vⱼ is at index `at` of the row."""
    values = f"{float(now.ia[at]):.4f} invariant, {float(now.ka[at]):.4f} kernel"
    return [
        term(f"W_{{{i},\u00a0{j}}}", "W", "W"),
        (" = ",),
        term("κ(v_i, v_j)", "kappa", "κ"),
        (" / ",),
        term("Σ_k κ(v_k, v_j)", "sum", "γ"),
        (",  ",),
        term("κ = exp(−β d²)", "kappa", "β"),
        (" :  ",),
        term(values, "W", "W"),
    ]


def _describe_loss(now: RotatedRow, before: RotatedRow, i: int, angle: float) -> str:
    """Return a sentence on the effect of the rotation on the image's own bar."""
    return (
        f"Rotated by {signed(angle)}° and back, vᵢ has d² = {now.lost:.4f} from the original: "
        "the loss due to interpolation and to strokes that leave the canvas. This loss changes "
        f"the bar of vᵢ itself under invariant attention from {float(before.ia[i]):.3f} to "
        f"{float(now.ia[i]):.3f}."
    )


def _draw_large_beta(
    sample: ImageSample, matrices: Matrices, pair: tuple[int, int], angle: float
) -> None:
    """Draw the row of kernel attention with a β so large that only the image itself has weight."""
    i, j = pair
    now, before = (
        rotate_one(sample.v, matrices, i, turn, beta=LARGE_BETA, kernel_beta=LARGE_BETA).ka
        for turn in (angle, 0)
    )
    drawing = draw_row(now, before, sample.labels, i, j, numbers=sample.numbers)
    show_drawing(drawing, "misleading row")
    st.caption(
        f"Kernel attention with β = {number(LARGE_BETA)}: the row does not change, but contains no "
        "information."
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _rotate(
    digest: str, i: int, angle: float, _sample: ImageSample, _matrices: Matrices
) -> RotatedRow:
    beta = AttentionConfig().beta
    return rotate_one(_sample.v, _matrices, i, angle, beta=beta, kernel_beta=KERNEL_BETA)
