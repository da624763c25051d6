"""Three networks that learn side by side."""

from random import Random
from typing import Final

import streamlit as st

from ia_engine.equivariant.networks import NETWORKS
from ia_engine.equivariant.race import Race, RaceConfig
from ia_engine.figures.equivariance.curves import draw_race
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.races import RACES
from pages._ui.components.drawing import show_drawing
from pages._ui.controls import edit
from pages._ui.equivariance.exports import show_race_files
from pages._ui.equivariance.networks import MARK, flat, take
from pages._ui.panels import misleads, plain
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import resume, start
from pages._ui.runs.watch import Status, watch

LOTS: Final = 5
VALIDATED: Final = 300
TRUE_ERROR: Final = 0.05


def show_training() -> None:
    """Knobs, Run, and the curves as they come."""
    st.markdown(
        "**Z²**, **p4** and **αF** learn the same turned digits in turns, one batch size, one "
        "recipe. Weights that are shared among the turns need fewer examples."
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
    misleads(
        "A few hundred digits to validate on: two networks that differ by one percent differ by a "
        "handful of digits, and another seed may turn the order round. Equal iterations are not "
        "equal time either: αF takes longer over each of them, as the CPU seconds tell.",
        key="misleads race",
        draw=_draw_lots,
    )


def _draw_lots() -> None:
    """One network's error, measured again and again on other digits."""
    chance = Random(0)
    for at, column in enumerate(st.columns(LOTS), start=1):
        wrong = sum(chance.random() < TRUE_ERROR for _ in range(VALIDATED))
        column.metric(f"Network {at}", f"{100 * wrong / VALIDATED:.1f} %")
    st.caption(
        f"{LOTS} times the same network, wrong at {100 * TRUE_ERROR:.0f} % of all digits, each "
        f"time on {VALIDATED} others. If they were {LOTS} networks, one would seem to be the best."
    )


def _show(job: Job[Race]) -> None:
    race = job.history[-1]
    show_drawing(draw_race(race), "race")
    seconds = [
        f"{flat(NETWORKS[name].title)} {lane[-1].seconds:.0f} s"
        for name, lane in race.curves.items()
        if lane
    ]
    st.caption(plain(f"{race.about}. CPU time so far: {', '.join(seconds)}."))
    if job.finished:
        show_race_files(race, job.title)
        _offer_rest(job)
        _offer(job)


def _offer_rest(job: Job[Race]) -> None:
    """The button that resumes a race that was stopped."""
    if job.state == "done" or not job.history[-1].checkpoints:
        return
    st.button(
        "Resume",
        key=f"resume {job.id}",
        icon=":material/resume:",
        on_click=resume,
        args=(RACES, job),
        help="Ends with the very weights that it would have had",
    )
    st.caption(
        "With other settings it has to begin again: how fast it learns depends on how long it is "
        "going to."
    )


def _offer(job: Job[Race]) -> None:
    """What has been trained can be turned."""
    names = [name for name in job.history[-1].networks if name != "z2"]
    for column, name in zip(st.columns(len(names) + 1), names, strict=False):
        whole = f"{name}{MARK}{job.id}"
        pressed = column.button(
            f"Turn the {flat(NETWORKS[name].title)}",
            key=f"take {whole}",
            icon=":material/rotate_left:",
            width="stretch",
            help="Shows it above, beside the Z²-CNN of this run; Answers compares all three",
            on_click=take,
            args=(whole,),
        )
        if pressed:
            st.rerun()  # the whole page: what is turned stands above
