"""A race of networks as a kept run: begun, and resumed bit by bit."""

import streamlit as st

from ia_engine.equivariant.race import Race, RaceConfig, count_steps, run_race
from ia_engine.runs.job import Job
from pages._ui.equivariance.trained_here import PLACE
from pages._ui.keeping import Instead, start_kept, tell


def begin_race(config: RaceConfig, title: str, before: Job[Race] | None = None) -> None:
    """Meant as a button's on_click; a race that was begun goes on."""
    race, instead = (before.history[-1], Instead(before.id, 1)) if before else (None, None)
    work = (lambda: run_race(config, race), count_steps(config, race))
    about = tell(title, config.to_json(), None, seed=config.seed)
    start_kept(PLACE, title, *work, about, instead=instead)


def offer_rest(job: Job[Race]) -> None:
    """The way on for a race that was stopped."""
    race = job.history[-1]
    if job.state == "done" or not race.checkpoints:
        return
    st.button(
        "Resume",
        key=f"resume {job.id}",
        icon=":material/resume:",
        on_click=begin_race,
        args=(race.config, job.title, job),
        help="Ends with the very weights that it would have had",
    )
    st.caption(
        "With other settings it has to begin again: how fast it learns depends on how long it is "
        "going to."
    )
