"""The film of a clustering as one file of HTML."""

from dataclasses import asdict
from typing import Final

from ia_engine.figures.clustering.export import encode_film
from ia_engine.runs.clustering.summary import Film
from pages._ui.player_file import write_page

RUN: Final = "file"


def write_film(film: Film, title: str) -> bytes:
    """The film as one page of HTML."""
    header = {
        **asdict(film.numbers),
        "key": RUN,
        "run": RUN,
        "running": False,
        "autoplay": True,
        "chosen": 0,
    }
    return write_page(title, "prototypes", encode_film(RUN, film.pictures), header)
