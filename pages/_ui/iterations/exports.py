"""Files to keep of a run: a film that plays anywhere, pictures, arrays, numbers, and its script."""

from collections.abc import Mapping, Sequence

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
from ia_engine.runs.attend import Plan
from pages._ui.components.html_files import write_player
from pages._ui.components.player import PlayedRun, PlayerHeader
from pages._ui.panels import download
from pages._ui.state.dataset import UPLOAD, source_of
from pages._ui.state.iterations import Seen


def show_files(seen: Seen, runs: Sequence[PlayedRun], header: PlayerHeader, title: str) -> None:
    """Buttons that make a file when they are pressed."""
    plan, steps = seen.plan, seen.runs
    frames = {method: [step.frame for step in shown] for method, shown in steps.items()}
    numbers = {method: [step.numbers for step in shown] for method, shown in steps.items()}
    first = next(iter(frames))
    with (
        st.expander("Files of this run", icon=":material/download:"),
        st.container(horizontal=True),
    ):
        download("Player, HTML", "run.html", lambda: write_player(title, runs, header), "text/html")
        if steps[first][0].mu.ndim == 4:
            download("Film, GIF", "run.gif", lambda: draw_film(frames[first]), "image/gif")
            last = frames[first][-1]
            download("Last means, PNG", "means.png", lambda: draw_moment(last), "image/png")
        download("Arrays, npz", "run.npz", lambda: _pack(plan, frames), "application/octet-stream")
        download("Numbers, CSV", "run.csv", lambda: write_history(numbers), "text/csv")
        download(
            "Assignments, CSV", "run-assignments.csv", lambda: _write_clusters(seen), "text/csv"
        )
        download("Python", "run.py", lambda: _write_python(plan, title), "text/x-python")
        st.caption("The player opens in any browser without a network; it sends nothing anywhere.")


def _pack(plan: Plan, frames: Mapping[str, Sequence[bytes]]) -> bytes:
    return pack_history(frames, plan.names, plan.labels, plan.classes)


def _write_clusters(seen: Seen) -> bytes:
    plan = seen.plan
    last = {method: steps[-1] for method, steps in seen.numbers.items()}
    classes = name_classes(plan.labels, plan.classes, plan.size)
    return write_clusters(last, seen.rows, plan.names, classes)


def _write_python(plan: Plan, title: str) -> bytes:
    uploaded = source_of(plan.recipe) == UPLOAD
    return write_python(title, plan.recipe, [*plan.configs.values()], plan.size, uploaded=uploaded)
