"""Files to keep of networks: what they answered at every angle, and how they learned."""

from collections.abc import Mapping

import streamlit as st

from ia_engine.equivariant.orbit import Orbit
from ia_engine.equivariant.race import Race
from ia_engine.figures.equivariance.export import (
    draw_answers_file,
    draw_race_file,
    write_answers,
    write_race,
    write_race_python,
)
from pages._ui.panels import download


def show_race_files(race: Race, title: str) -> None:
    """Buttons that make a file when they are pressed."""
    with st.container(horizontal=True):
        download("Curves, CSV", "race.csv", lambda: write_race(race), "text/csv")
        download("Curves, PNG", "race.png", lambda: draw_race_file(race), "image/png")
        download("Python", "race.py", lambda: write_race_python(title, race), "text/x-python")


def show_answers_files(orbits: Mapping[str, Orbit], label: int) -> None:
    """The same of the answers, by the networks' names in the catalogue."""
    with st.container(horizontal=True):
        download("Answers, CSV", "answers.csv", lambda: write_answers(orbits), "text/csv")
        download(
            "Answers, PNG", "answers.png", lambda: draw_answers_file(orbits, label), "image/png"
        )
