"""The animation of a clustering run as a single HTML file."""

from dataclasses import asdict
from typing import Final

from ia_engine.figures.frames import encode_film
from ia_engine.figures.page import write_page
from ia_engine.runs.kinds.clusterings import Film

RUN: Final = "file"


def write_film(film: Film, title: str) -> bytes:
    """Return the animation as one HTML page."""
    header = {
        **asdict(film.numbers),
        "key": RUN,
        "run": RUN,
        "running": False,
        "autoplay": True,
        "chosen": 0,
    }
    return write_page(title, "prototypes", encode_film(RUN, film.pictures), header)
