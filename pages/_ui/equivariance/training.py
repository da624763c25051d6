"""Training of three networks side by side."""

from random import Random
from typing import Final

import streamlit as st

from ia_engine.equivariant.networks import NETWORKS
from ia_engine.equivariant.race import Race, RaceConfig
from ia_engine.figures.equivariance.curves import draw_race
from ia_engine.figures.equivariance.export import draw_race_file, write_race, write_race_python
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.races import RACES
from pages._ui.components.drawing import show_drawing
from pages._ui.controls import edit
from pages._ui.equivariance.networks import MARK, PLAIN, flat
from pages._ui.panels import download, escape, show_misleading
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import Status, watch
from pages._ui.state.equivariance import equivariance_state

SAMPLES: Final = 5
VALIDATION_DIGITS: Final = 300
TRUE_ERROR: Final = 0.05


def show_training() -> None:
    """Draw the controls and Run, and the learning curves of the run."""
    st.markdown(
        "**Z²**, **p4** and **αF** learn from the same rotated digits with the same batch size "
        "and settings, and take their steps in turn. A network that shares weights between "
        "rotations needs fewer examples."
    )
    first, second, third, last = st.columns([6, 6, 4, 3], gap="medium", vertical_alignment="bottom")
    config = RaceConfig()
    for column, name in ((first, "iterations"), (second, "digits"), (third, "seed")):
        with column:
            config = edit(config, "race", only=[name])
    title = f"Z², p4 and αF: {config.iterations} iterations on {config.digits:,} digits"
    last.button(
        "Run",
        icon=":material/play_arrow:",
        width="stretch",
        on_click=start,
        args=(RACES, title, config),
    )
    watch(shown_run(RACES.id), _show, Status("measurement"))
    show_misleading(
        "The networks are validated on a few hundred digits, so a difference of one per cent is a "
        "handful of digits, and a different seed may reverse the order. Equal numbers of "
        "iterations do not mean equal time either: αF takes longer for each iteration, as the CPU "
        "seconds show.",
        key="misleads race",
        draw=_draw_validations,
    )


def _draw_validations() -> None:
    """Draw the error of one network, measured several times on different digits."""
    generator = Random(0)
    for at, column in enumerate(st.columns(SAMPLES), start=1):
        wrong = sum(generator.random() < TRUE_ERROR for _ in range(VALIDATION_DIGITS))
        column.metric(f"Network {at}", f"{100 * wrong / VALIDATION_DIGITS:.1f} %")
    st.caption(
        f"The same network is tested {SAMPLES} times, each time on {VALIDATION_DIGITS} different "
        f"digits. It is wrong for {100 * TRUE_ERROR:.0f} % of all digits. If these were {SAMPLES} "
        "networks, one would seem to be the best."
    )


def _show(job: Job[Race]) -> None:
    race = job.history[-1]
    show_drawing(draw_race(race), "race")
    seconds = [
        f"{flat(NETWORKS[name].title)} {lane[-1].seconds:.0f} s"
        for name, lane in race.curves.items()
        if lane
    ]
    st.caption(escape(f"{race.about}. CPU time so far: {', '.join(seconds)}."))
    if job.finished:
        with st.container(horizontal=True):
            download("Curves, CSV", "race.csv", lambda: write_race(race), "text/csv")
            download("Curves, PNG", "race.png", lambda: draw_race_file(race), "image/png")
            python = "text/x-python"
            download("Python", "race.py", lambda: write_race_python(job.title, race), python)
        if job.state != "done" and race.checkpoints:
            _offer_resume(job)
        _offer_networks(job)


def _offer_resume(job: Job[Race]) -> None:
    st.button(
        "Resume",
        key=f"resume {job.id}",
        icon=":material/resume:",
        on_click=resume,
        args=(RACES, job),
        help="The run will end with exactly the same weights as without the interruption",
    )
    st.caption(
        "Different settings need a new run, because the learning rate depends on the number of "
        "iterations."
    )


def _offer_networks(job: Job[Race]) -> None:
    """Draw buttons that show a trained network in the first row."""
    names = [name for name in job.history[-1].networks if name != PLAIN]
    for column, name in zip(st.columns(len(names) + 1), names, strict=False):
        whole = f"{name}{MARK}{job.id}"
        pressed = column.button(
            f"Use the {flat(NETWORKS[name].title)}",
            key=f"take {whole}",
            icon=":material/rotate_left:",
            width="stretch",
            help="Shows it above, with the Z²-CNN of this run. The Answers view compares all three",
            on_click=equivariance_state.show_network,
            args=(whole,),
        )
        if pressed:
            st.rerun()  # rerun the whole page: the dial is above
