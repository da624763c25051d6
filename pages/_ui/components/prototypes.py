"""The animation of a clustering run, and tables of pictures, both drawn in the browser."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import streamlit as st

from ia_engine.figures.frames import encode_film, pack_newest, pack_pixels
from ia_engine.runs.clustering.result import Picture
from ia_engine.runs.kinds.clusterings import Film
from pages._ui.panels import component
from pages._ui.state.fields import read_answer
from pages._ui.state.selection import select_cluster, select_pair, selected

_feed = component("ia_clusters_feed", "prototypes_feeder", styled=False)
_film = component("ia_clusters", "prototypes")


def show_film(
    film: Film,
    run: str,
    *,
    newest: Picture | None = None,
    running: bool = False,
    play: bool = False,
) -> int:
    """Show the animation and return the number of the selected prototype, 0 by default."""
    key = f"clusters {run}"
    with st.container(gap=None):
        _film(
            key=key,
            data={
                **asdict(film.numbers),
                "key": key,
                "run": run,
                "running": running,
                "autoplay": play,
                "chosen": _prototype_shown(film.numbers.k),
            },
            on_chosen_change=lambda: _select(key, run),
        )
        for at, piece in enumerate(encode_film(run, film.pictures)):
            _feed(key=f"{key} {at}", data=piece, height=1)
        if newest is not None:
            _feed(key=f"{key} newest", data=pack_newest(run, newest), height=1)
    return _prototype_shown(film.numbers.k)


def _select(key: str, run: str) -> None:
    answer = read_answer(key, "chosen")
    if answer is not None and answer[1] == run:
        select_cluster(int(answer[0]))


def _prototype_shown(k: int) -> int:
    """Return the selected cluster, or the first if the selected cluster does not exist."""
    cluster = selected().cluster
    return cluster if cluster is not None and cluster < k else 0


_table = component("ia_pictures", "picture_table")


@dataclass(frozen=True)
class TableTexts:
    """The labels around the pictures, and the number of columns."""

    columns: int
    size: int = 96
    """Maximum width of a picture [px]."""
    heads: Sequence[str] = ()
    sides: Sequence[str] = ()
    captions: Sequence[str] = ()
    about: Sequence[str] = ()
    """A description of each picture."""
    marked: Sequence[int] = ()
    terms: Mapping[int, str] = field(default_factory=dict)
    """The term of a formula that is highlighted with a picture, by the picture's number."""
    picks: Mapping[int, int] = field(default_factory=dict)
    """The image that a click selects, by the picture's number."""


def show_pictures(pixels: Picture, words: TableTexts, key: str) -> None:
    """Show pictures [n h w c]; a click on one in `picks` selects its image."""
    header = {
        "key": key,
        "columns": words.columns,
        "size": words.size,
        "heads": list(words.heads),
        "sides": list(words.sides),
        "captions": list(words.captions),
        "about": list(words.about),
        "marked": list(words.marked),
        "terms": {str(at): name for at, name in words.terms.items()},
        "picks": {str(at): pick for at, pick in words.picks.items()},
    }
    _table(key=key, data=pack_pixels(header, pixels), on_picked_change=lambda: _pick(key))


def _pick(key: str) -> None:
    answer = read_answer(key, "picked")
    if answer is not None and answer[1] == key:
        select_pair((int(answer[0]),), (0, 0))
