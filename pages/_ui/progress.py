"""The row above a long run: how far it is, pause and cancel; and the way on once it was stopped."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ia_engine.runs.job import Job


@dataclass(frozen=True)
class Stops:
    """What the buttons say of themselves."""

    pause: str
    cancel: str


def show_progress(
    job: Job[Any], share: float, words: str, stops: Stops, *, pausable: bool = True
) -> None:
    """The bar with both buttons, of a run that is under way or waits."""
    bar, pause, cancel = st.columns([6, 1, 1], vertical_alignment="center")
    bar.progress(share, "Waiting for a free core" if job.state == "queued" else words)
    pause.button(
        "Pause",
        key=f"pause {job.id}",
        icon=":material/pause:",
        on_click=job.pause,
        disabled=job.cancelling or not pausable,
        width="stretch",
        help=stops.pause,
    )
    cancel.button(
        "Stopping…" if job.cancelling else "Cancel",
        key=f"cancel {job.id}",
        on_click=job.cancel,
        disabled=job.cancelling,
        width="stretch",
        help=stops.cancel,
    )


def show_stopped(
    job: Job[Any], words: str, resume: Callable[[], None], about: str, *, disabled: bool = False
) -> None:
    """How far it came, and the button that goes on."""
    told, button = st.columns([6, 2], vertical_alignment="center")
    told.warning(f"{'Paused' if job.paused else 'Cancelled'}{words}")
    button.button(
        "Resume" if job.paused else "Go on",
        key=f"resume {job.id}",
        icon=":material/resume:",
        on_click=resume,
        disabled=disabled,
        width="stretch",
        help=about,
    )
