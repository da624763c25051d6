"""What was found, drawn; an exercise keeps its answers until one has looked."""

import streamlit as st

from ia_engine.figures.papers.drawing import draw_diagram, draw_pictures
from ia_engine.figures.papers.panels import Panel
from ia_engine.figures.papers.plots import plot_curves, plot_points
from ia_engine.runs.papers.entry import Outcome
from pages._ui.drawing import show_drawing
from pages._ui.panels import plain
from pages._ui.plots import show_plot
from pages._ui.theme_colours import theme_colour_map


def show_drawings(outcome: Outcome, key: str, result: str) -> None:
    """Panel by panel; `result` names the run that found them."""
    panels = outcome.panels
    if outcome.answers:
        _show(panels[0], f"{key} 0", result)
        if not _ask(outcome.answers, key):
            return
        panels = panels[1:]
    for at, panel in enumerate(panels):
        _show(panel, f"{key} {at + 1}", result)


def _ask(answers: tuple[bool, ...], key: str) -> bool:
    """The exercise; whether the rest may be seen."""
    chosen = st.pills(
        "Which of them are faces?", [k + 1 for k in range(len(answers))],
        selection_mode="multi", key=f"answers {key}",
    )  # fmt: skip
    if not st.toggle("Show what the network says", key=f"solved {key}"):
        return False
    right = sum((k + 1 in chosen) == answer for k, answer in enumerate(answers))
    faces = ", ".join(str(k + 1) for k, answer in enumerate(answers) if answer)
    st.success(f"You are right about {right} of {len(answers)}: the faces are {faces}.")
    return True


def _show(panel: Panel, key: str, result: str) -> None:
    st.markdown(f"**{plain(panel.title)}**")
    if hasattr(panel, "moments"):
        show_plot(plot_points(panel), key, result)
    elif hasattr(panel, "y_title"):
        show_plot(plot_curves(panel), key, result)
    elif hasattr(panel, "edges"):
        show_drawing(draw_diagram(panel, theme_colour_map()), key)
    else:
        show_drawing(draw_pictures(panel, theme_colour_map()), key)
