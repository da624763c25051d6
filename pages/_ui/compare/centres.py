"""Each method's centres, side by side."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.figures.mosaic import draw_row
from ia_engine.runs.comparison.config import TITLES
from ia_engine.runs.comparison.result import Result
from pages._ui.compare.marked import mark, marked
from pages._ui.panels import shown

FEWEST: Final = 5
ROOM: Final = 12
"""So many centres of each method are shown."""


def show_centres(results: Sequence[Result], key: str) -> None:
    """The centres of every method that found any, two methods in a row."""
    found = [result for result in results if len(result.centres)]
    if not found:
        return
    st.markdown("#### Centres")
    most = max(len(result.centres) for result in found)
    columns = max(FEWEST, min(ROOM, most))
    for at in range(0, len(found), 2):
        pair = found[at : at + 2]
        for cell, result in zip(st.columns(2, gap="medium"), pair, strict=False):
            with cell:
                _show(result, _draw(f"{key} {result.method}", columns, result))
    if most > ROOM:
        shown(ROOM, most, "centres of a method at most")
    st.caption(
        "Means of each cluster's images: of invariant attention in the pose of the most central "
        "one, of TI and DTI the prototypes that were learned, of the others pixel by pixel."
    )


def _show(result: Result, picture: bytes) -> None:
    name = TITLES[result.method]
    ari = f", ARI {result.measures.ari:.2f}".replace("-", "−") if result.measures else ""
    with st.container(gap="xsmall"):
        own = result.method == marked()
        st.button(
            f":orange-background[**{name}**{ari}]" if own else f"**{name}**{ari}",
            key=f"mark {result.method}",
            type="tertiary",
            on_click=mark,
            args=(result.method,),
            help="Highlights this method in the table and in the plot, or removes the highlight",
        )
        st.image(
            picture, width="stretch", alt=f"{name}: the centres of {len(result.centres)} clusters"
        )


@st.cache_resource(max_entries=64, show_spinner=False)
def _draw(key: str, columns: int, _result: Result) -> bytes:
    return draw_row(_result.centres.clamp(0, 1), columns)
