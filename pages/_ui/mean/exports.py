"""Files to keep of a mean: a film that plays anywhere, pictures, arrays, a table, its script."""

from typing import Final

import streamlit as st

from ia_engine.figures.mean import MeanFilm
from ia_engine.figures.mean_figures import (
    draw_mean,
    draw_mean_film,
    pack_mean,
    write_mean,
    write_mean_python,
)
from pages._ui.components.html_files import write_page
from pages._ui.components.mean_film import header_of, summarise_step
from pages._ui.components.player import address
from pages._ui.panels import download
from pages._ui.state.dataset import UPLOAD, source_of

RUN: Final = "file"


def show_files(film: MeanFilm, title: str) -> None:
    """Buttons that make a file when they are pressed."""
    with (
        st.expander("Files of this run", icon=":material/download:"),
        st.container(horizontal=True),
    ):
        download("Film, HTML", "mean.html", lambda: write_film(film, title), "text/html")
        download("Film, GIF", "mean.gif", lambda: draw_mean_film(film), "image/gif")
        download("Mean, PNG", "mean.png", lambda: draw_mean(film), "image/png")
        download("Arrays, npz", "mean.npz", lambda: pack_mean(film), "application/octet-stream")
        download("Numbers, CSV", "mean.csv", lambda: write_mean(film), "text/csv")
        download("Python", "mean.py", lambda: _write_python(film, title), "text/x-python")
        st.caption("The film opens in any browser without a network; it sends nothing anywhere.")


def write_film(film: MeanFilm, title: str) -> bytes:
    """The film of the page, in one page of its own."""
    plain = f"{RUN}.plain"
    packed = [
        address(plain, film.plain),
        *(address(RUN, step.frame, summarise_step(at, step)) for at, step in enumerate(film.steps)),
    ]
    return write_page(title, "mean_film", packed, header_of(film, RUN))


def _write_python(film: MeanFilm, title: str) -> bytes:
    return write_mean_python(title, film, uploaded=source_of(film.plan.recipe) == UPLOAD)
