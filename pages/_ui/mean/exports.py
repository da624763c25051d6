"""Downloads of a mean: the animation as HTML, pictures, arrays, numbers and a Python script."""

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
from ia_engine.figures.page import write_page
from ia_engine.figures.player import encode_step
from pages._ui.components.mean_film import header_of, summarise_step
from pages._ui.panels import download
from pages._ui.state.dataset import UPLOAD, source_of

RUN: Final = "file"
"""The name of the run inside the HTML file."""


def show_files(film: MeanFilm, title: str) -> None:
    """Draw a button for each file, which is made when the button is pressed."""

    def write_script() -> bytes:
        return write_mean_python(title, film, uploaded=source_of(film.plan.recipe) == UPLOAD)

    with (
        st.expander("Files of this run", icon=":material/download:"),
        st.container(horizontal=True),
    ):
        download("Animation, HTML", "mean.html", lambda: write_film(film, title), "text/html")
        download("Animation, GIF", "mean.gif", lambda: draw_mean_film(film), "image/gif")
        download("Mean, PNG", "mean.png", lambda: draw_mean(film), "image/png")
        download("Arrays, npz", "mean.npz", lambda: pack_mean(film), "application/octet-stream")
        download("Numbers, CSV", "mean.csv", lambda: write_mean(film), "text/csv")
        download("Python", "mean.py", write_script, "text/x-python")
        st.caption("The animation opens in any browser, needs no network and sends no data.")


def write_film(film: MeanFilm, title: str) -> bytes:
    """Return the animation as one HTML file."""
    packed = [
        encode_step(f"{RUN}.plain", film.plain),
        *(
            encode_step(RUN, step.frame, summarise_step(at, step))
            for at, step in enumerate(film.steps)
        ),
    ]
    return write_page(title, "mean_film", packed, header_of(film, RUN))
