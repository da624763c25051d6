"""The precomputed comparison, and how runs of Compare are paused and resumed."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

from ia_engine.files import find_shipped
from ia_engine.runs.comparison.store import Kept, unpack_kept
from ia_engine.runs.example import load_run
from ia_engine.runs.job import Job
from pages._ui.runs.watch import Pausing, Progress, Status

NAME: Final = "runs/comparison.safetensors"


@st.cache_resource(max_entries=1, show_spinner=False)
def example() -> Kept:
    """What is in the assets."""
    return unpack_kept(load_run(find_shipped(NAME))[1])


def status_of(
    progress: Callable[[Sequence[Any]], Progress], resume: Callable[[Job[Any]], None]
) -> Status:
    """The status of runs whose progress [share, "done; under way"] is a function of their items."""
    pausing = Pausing(
        progress=lambda _, history: progress(history) if history else Progress(0.0, "Beginning"),
        stopped=lambda history: f": {progress(history).words.partition(';')[0]}; they are kept.",
        nothing="Cancelled before the first method: press Run to start again.",
        resume=resume,
        pause_help="Stops at once; the method under way begins again when it goes on",
        cancel_help="Stops at once; finished methods are kept",
        resume_help="Runs the methods that are left, on the same images",
    )
    return Status(done=lambda _: "", pausing=pausing)
