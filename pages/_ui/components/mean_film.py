"""The animation of a mean: every step is sent as bytes, once, and played in the browser."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ia_engine.figures.mean import FilmedMean, MeanFilm
from ia_engine.figures.player import encode_step
from ia_engine.figures.style import POINT_COLOURS
from pages._ui.panels import component
from pages._ui.state.fields import read_answer
from pages._ui.state.selection import note_stop, select_pair, selected, start_step

_feed = component("ia_film_feed", "mean_film_feeder", styled=False)
_film = component("ia_film", "mean_film")


def show_film(film: MeanFilm, run: str, rows: Sequence[int], *, running: bool = False) -> None:
    """Show the pictures, the curves and the paths of the steps so far.

    `rows` are the indices of its images in the chosen data; () if the run used different data.
    """
    plain, key = f"{run}.plain", f"film {run}"
    rest = start_step(run)

    def picked() -> None:
        at = read_answer(key, "picked")
        if at is not None and int(at) < len(rows):
            select_pair(rows, (int(at), int(at)))

    with st.container(gap=None):
        _film(
            key=key,
            data=header_of(film, run)
            | {
                "key": key,
                "running": running,
                "autoplay": rest.given is None,
                "start": rest.given,
                "jump": rest.jumps,
                "pair": selected().pair(rows),
            },
            on_picked_change=picked,
            on_step_change=lambda: None,  # without a callback a component's value is not kept
        )
        _feed(key=f"{key} plain", data=encode_step(plain, film.plain))
        for at, step in enumerate(film.steps):
            _feed(
                key=f"{key} {step.k}",
                data=encode_step(run, step.frame, summarise_step(at, step)),
            )
    step_shown = read_answer(key, "step")
    note_stop(run, None if step_shown is None else int(step_shown))


def header_of(film: MeanFilm, run: str) -> dict[str, Any]:
    """Return the data that the browser gets in addition to the frames."""
    return {
        "key": run,
        "run": run,
        "plain": f"{run}.plain",
        "running": False,
        "autoplay": True,
        "start": None,
        "jump": 0,
        "pair": None,
        "expected": film.plan.config.steps,
        "places": len(film.plan.kept),
        "plainSharpness": film.plain_sharpness,
        "colours": POINT_COLOURS,
    }


def summarise_step(at: int, step: FilmedMean) -> dict[str, object]:
    """Return the metrics of a step."""
    return {
        "at": at,
        "k": step.k,
        "objective": step.objective,
        "sigma": step.sigma,
        "sharpness": step.sharpness,
        "poses": step.poses,
    }
