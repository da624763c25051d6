"""Files of a run: prototypes, animation, arrays, assignments, and a script."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.figures.clustering.export import (
    draw_film,
    draw_prototypes,
    pack_arrays,
    pack_film,
    write_assignments,
    write_python,
)
from ia_engine.runs.clustering.run import Snapshot
from ia_engine.runs.kinds.clusterings import summarise
from pages._ui.components.html_files import write_film
from pages._ui.panels import download
from pages._ui.state.clustering import RunView
from pages._ui.state.dataset import UPLOAD, source_of

BINARY: Final = "application/octet-stream"


def show_files(run: RunView) -> None:
    """Draw buttons that make a file when they are pressed."""
    state, result, data = run.state, run.result, run.data
    snapshots, title = run.job.history, run.job.title
    complete = len(result.rows) == len(data.images)
    assignments = result.assignments if complete else None
    with st.container(horizontal=True):
        download(
            "Animation, HTML",
            "clustering.html",
            lambda: write_film(summarise(snapshots), title),
            "text/html",
        )
        download(
            "Animation, GIF",
            "clustering.gif",
            lambda: draw_film(summarise(snapshots).pictures),
            "image/gif",
        )
        download("Animation, npz", "film.npz", lambda: _pack_film(snapshots), BINARY)
        download(
            "Prototypes, PNG",
            "prototypes.png",
            lambda: draw_prototypes(state.prototypes),
            "image/png",
        )
        download(
            "Prototypes, npz",
            "prototypes.npz",
            lambda: pack_arrays(state.prototypes, assignments),
            BINARY,
        )
        download("Assignments, CSV", "assignments.csv", lambda: _write_assignments(run), "text/csv")
        download(
            "Python", "clustering.py", lambda: _write_python(snapshots, title), "text/x-python"
        )
    st.caption(
        f"The CSV file has {len(result.rows):,} of {len(data.images):,} images, one line each. The "
        "animation opens in any browser, needs no network and sends no data."
    )
    if not complete:
        st.caption(
            "Only part of the images had been read when the run stopped. Resume the run to read "
            "all of them."
        )


def _pack_film(snapshots: Sequence[Snapshot]) -> bytes:
    film = summarise(snapshots)
    return pack_film(film.pictures, film.numbers.seconds[: len(film.pictures)])


def _write_python(snapshots: Sequence[Snapshot], title: str) -> bytes:
    plan = snapshots[-1].plan
    return write_python(
        title,
        plan.recipe,
        plan.config.to_json(),
        plan.seed,
        plan.budget,
        origin=plan.origin,
        uploaded=source_of(plan.recipe) == UPLOAD,
    )


def _write_assignments(run: RunView) -> bytes:
    data, result = run.data, run.result
    classes = (
        [data.classes[label] for label in data.labels.tolist()] if data.labels is not None else []
    )
    return write_assignments(result.rows, data.names, result.assignments, result.error, classes)
