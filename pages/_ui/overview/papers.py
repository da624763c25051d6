"""The three papers: a picture and a line each, from what was computed beforehand."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from ia_engine.figures.papers.drawing import draw_pictures
from pages._ui.drawing import show_drawing
from pages._ui.papers.results import explain_shipped, shipped
from pages._ui.theme_colours import theme_colour_map


@dataclass(frozen=True)
class Shown:
    """A picture of the page Papers, and what the paper says in a line."""

    entry: str
    panel: int
    name: str
    line: str


PICTURES: Final = (
    Shown(
        "ia-figure-4",
        0,
        "Invariant Attention",
        "Compare images after turning and shifting them, and their averages stay sharp.",
    ),
    Shown(
        "dti-figure-1b",
        0,
        "Deep Transformation-Invariant Clustering",
        "Let every prototype learn how to be moved and bent onto an image; the best fit wins.",
    ),
    Shown(
        "gcnn-figure-1",
        2,
        "Attentive Group Convolutions",
        "Let attention rotate with the picture: what it looks at does not depend on orientation.",
    ),
)


def show_papers() -> None:
    """Side by side."""
    st.subheader("Three papers", anchor=False)
    explain_shipped()
    for column, shown in zip(st.columns(len(PICTURES), gap="medium"), PICTURES, strict=True):
        with column:
            kept = shipped().get(shown.entry)
            panels = kept.outcome.panels if kept else ()
            if shown.panel < len(panels):
                drawn = draw_pictures(panels[shown.panel], theme_colour_map())
                show_drawing(drawn, f"paper {shown.entry}")
            st.page_link(
                "pages/papers.py", label=f"**{shown.name}**", query_params={"entry": shown.entry}
            )
            st.caption(shown.line)
