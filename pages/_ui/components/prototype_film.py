"""The film of a clustering: its pictures are sent as bytes, once, and played in the browser."""

from dataclasses import asdict

import streamlit as st

from ia_engine.figures.clustering.export import encode_film, pack_newest
from ia_engine.runs.clustering.run import Picture
from ia_engine.runs.clustering.summary import Film
from pages._ui.components.bundles import component
from pages._ui.state.selection import select_cluster, selected

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
    """Show the film and return the chosen prototype, the first one by default."""
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
                "chosen": _chosen(film.numbers.k),
            },
            on_chosen_change=lambda: _choose(key, run),
        )
        for at, piece in enumerate(encode_film(run, film.pictures)):
            _feed(key=f"{key} {at}", data=piece, height=1)
        if newest is not None:
            _feed(key=f"{key} newest", data=pack_newest(run, newest), height=1)
    return _chosen(film.numbers.k)


def _choose(key: str, run: str) -> None:
    answer = st.session_state[key].get("chosen")
    if answer is not None and answer[1] == run:
        select_cluster(int(answer[0]))


def _chosen(k: int) -> int:
    """The selected cluster; the first if there is no such prototype."""
    cluster = selected().cluster
    return cluster if cluster is not None and cluster < k else 0
