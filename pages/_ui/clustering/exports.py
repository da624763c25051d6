"""Files to keep: the prototypes and their film, arrays, the assignments, and the script."""

from collections.abc import Sequence

import streamlit as st

from ia_engine.figures.clustering.export import (
    draw_film,
    draw_prototypes,
    pack_arrays,
    pack_film,
    write_assignments,
    write_python,
)
from ia_engine.runs.clustering.run import Look
from ia_engine.runs.clustering.summary import summarise
from pages._ui.components.html_files import write_film
from pages._ui.panels import download, shown
from pages._ui.state.clustering import Seen
from pages._ui.state.dataset import UPLOAD, source_of

BINARY = "application/octet-stream"


def show_files(seen: Seen) -> None:
    """Buttons that make a file when they are pressed."""
    state, result, data = seen.state, seen.result, seen.data
    looks, title = seen.job.history, seen.job.title
    whole = len(result.rows) == len(data.images)
    found = result.assignments if whole else None
    with st.container(horizontal=True):
        download(
            "Film, HTML",
            "clustering.html",
            lambda: write_film(summarise(looks), title),
            "text/html",
        )
        download(
            "Film, GIF",
            "clustering.gif",
            lambda: draw_film(summarise(looks).pictures),
            "image/gif",
        )
        download("Film, npz", "film.npz", lambda: _pack_film(looks), BINARY)
        download(
            "Prototypes, PNG",
            "prototypes.png",
            lambda: draw_prototypes(state.prototypes),
            "image/png",
        )
        download(
            "Prototypes, npz",
            "prototypes.npz",
            lambda: pack_arrays(state.prototypes, found),
            BINARY,
        )
        download("Assignments, CSV", "assignments.csv", lambda: _write(seen), "text/csv")
        download("Python", "clustering.py", lambda: _write_python(looks, title), "text/x-python")
    shown(len(result.rows), len(data.images), "images, one line each; those of the CSV file are")
    if not whole:
        st.caption("A run that was stopped is read in part: resume it for all images.")
    st.caption("The film opens in any browser without a network; it sends nothing anywhere.")


def _pack_film(looks: Sequence[Look]) -> bytes:
    film = summarise(looks)
    return pack_film(film.pictures, film.numbers.seconds[: len(film.pictures)])


def _write_python(looks: Sequence[Look], title: str) -> bytes:
    plan = looks[-1].plan
    return write_python(
        title,
        plan.recipe,
        plan.config.to_json(),
        plan.seed,
        plan.budget,
        origin=plan.origin,
        uploaded=source_of(plan.recipe) == UPLOAD,
    )


def _write(seen: Seen) -> bytes:
    data, result = seen.data, seen.result
    classes = (
        [data.classes[label] for label in data.labels.tolist()] if data.labels is not None else []
    )
    return write_assignments(result.rows, data.names, result.assignments, result.error, classes)
