"""Downloads of a run: the player as HTML, pictures, arrays, numbers and a Python script."""

from collections.abc import Sequence

import streamlit as st

from ia_engine.figures.export import (
    draw_film,
    draw_moment,
    name_classes,
    pack_history,
    write_clusters,
    write_history,
    write_python,
)
from ia_engine.figures.player import PlayedRun, PlayerHeader, write_player
from pages._ui.panels import download
from pages._ui.state.dataset import UPLOAD, source_of
from pages._ui.state.iterations import ShownRun


def show_files(run: ShownRun, played: Sequence[PlayedRun], header: PlayerHeader, name: str) -> None:
    """Draw a button for each file, which is made when the button is pressed."""
    plan = run.plan
    frames = {method: [step.frame for step in steps] for method, steps in run.runs.items()}
    first = next(iter(frames.values()))

    def write_assignments() -> bytes:
        last = {method: steps[-1] for method, steps in run.numbers.items()}
        classes = name_classes(plan.labels, plan.classes, plan.size)
        return write_clusters(last, run.rows, plan.names, classes)

    def write_script() -> bytes:
        uploaded, configs = source_of(plan.recipe) == UPLOAD, [*plan.configs.values()]
        return write_python(name, plan.recipe, configs, plan.size, uploaded=uploaded)

    def pack() -> bytes:
        return pack_history(frames, plan.names, plan.labels, plan.classes)

    with st.container(horizontal=True):
        download(
            "Player, HTML", "run.html", lambda: write_player(name, played, header), "text/html"
        )
        if next(iter(run.runs.values()))[0].mu.ndim == 4:
            download("Animation, GIF", "run.gif", lambda: draw_film(first), "image/gif")
            download("Last means, PNG", "means.png", lambda: draw_moment(first[-1]), "image/png")
        download("Arrays, npz", "run.npz", pack, "application/octet-stream")
        download("Numbers, CSV", "run.csv", lambda: write_history(run.numbers), "text/csv")
        download("Assignments, CSV", "run-assignments.csv", write_assignments, "text/csv")
        download("Python", "run.py", write_script, "text/x-python")
        st.caption("The player opens in any browser, needs no network and sends no data.")
