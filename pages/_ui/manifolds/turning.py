"""Invariance by hand: turn one input and watch its row of W under both methods."""

from typing import Final

import streamlit as st

from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig
from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.attention.manifolds.turning import Matrices, RotatedRow, turn_one
from ia_engine.figures.landscape import draw_one
from ia_engine.figures.matrices import draw_row
from ia_engine.figures.svg import signed
from ia_engine.runs.job import compute_alone
from pages._ui.components.dial import dial
from pages._ui.components.drawing import show_drawing
from pages._ui.formulas import Part, show_formula, term
from pages._ui.panels import misleads
from pages._ui.state.selection import Selection, select_pair, selected
from pages._ui.wording import number

SHARP: Final = 200.0


@st.fragment
def show_turning(few: ImageSample, known: Matrices, pair: tuple[int, int], seen: Selection) -> None:
    """The slider, the turned image and two rows of bars."""
    compute_alone()
    i, j = pair
    st.subheader("Turn one input")
    st.markdown(
        "vᵢ is turned, and attends to all images as they were, itself included. Under "
        "**invariant attention** its row of W stays, except for what interpolation loses; "
        "under **kernel attention** it collapses."
    )
    about = "Positive is anticlockwise"
    angle = dial("turn", "Turn of vᵢ", about, bounds=(-180, 180), step=5, unit="°")
    beta = AttentionConfig().beta
    still = _turn(few.digest, i, 0, few, known)
    now = _turn(few.digest, i, angle, few, known)
    show_formula(_write(now, few.numbers[i], few.numbers[j], j), "formula of a row")
    picture, left, right = st.columns([1, 3, 3], gap="medium")
    with picture:
        show_drawing(draw_one(now.image), "turned", term="vi turn")
    for column, name, row, before, value in (
        (left, "Invariant attention", now.ia, still.ia, beta),
        (right, "Kernel attention", now.ka, still.ka, KERNEL_BETA),
    ):
        with column:
            st.markdown(f"**{name}**, β = {number(value)}")
            drawn = draw_row(row, before, few.labels, i, j, numbers=few.numbers)
            key = f"row, {name}"
            show_drawing(drawn, key, lambda _, at: select_pair(few.rows, (i, at)), term="W")
    if selected() != seen:
        st.rerun()  # a bar was clicked: the whole page looks at another pair
    if angle:
        st.caption(_tell_loss(now, still, i, angle))
    st.caption(
        "Orange: the image itself. Blue: others of its class. Grey: other classes. Framed: vⱼ; "
        "click a bar to choose another. The lines mark where each bar stood at 0°."
    )
    misleads(
        "Each column of W adds up to 1, a row does not. A turn that pushes ink out of the canvas "
        "changes the image, and then the invariant row moves too. At a large β kernel attention "
        "looks faithful, because every image attends to itself alone.",
        key="misleads beta",
        draw=lambda: _draw_sharp(few, known, pair, angle),
    )


def _write(now: RotatedRow, i: int, j: int, at: int) -> list[Part]:
    """W of the pair with these numbers, with its two values now; vⱼ stands at this place."""
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


def _tell_loss(now: RotatedRow, still: RotatedRow, i: int, angle: float) -> str:
    """What a turn costs the image's own bar, which knows no other difference than that."""
    bar, before = float(now.ia[i]), float(still.ia[i])
    return (
        f"Turned by {signed(angle)}° and back, vᵢ is d² = {now.lost:.4f} from what it was: so much "
        "is lost by reading it between its pixels, and of what the turn pushes off the canvas. By "
        f"this its own bar under invariant attention goes from {before:.3f} to {bar:.3f}."
    )


def _draw_sharp(few: ImageSample, known: Matrices, pair: tuple[int, int], angle: float) -> None:
    """Kernel attention's row with a β so large that only the image itself is left of it."""
    i, j = pair
    rows = [
        turn_one(few.v, known, i, turned, beta=SHARP, kernel_beta=SHARP).ka for turned in (angle, 0)
    ]
    drawn = draw_row(rows[0], rows[1], few.labels, i, j, numbers=few.numbers)
    show_drawing(drawn, "misleading row")
    st.caption(
        f"Kernel attention with β = {number(SHARP)}: the row does not move, and says nothing."
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _turn(digest: str, i: int, angle: float, _few: ImageSample, _known: Matrices) -> RotatedRow:
    return turn_one(_few.v, _known, i, angle, beta=AttentionConfig().beta, kernel_beta=KERNEL_BETA)
