"""The row above a comparison or a sweep: how far it is, and how it is paused and resumed."""

from collections.abc import Callable, Sequence
from typing import Any

from ia_engine.runs.job import Job
from pages._ui.runs.watch import Pausing, Progress, Status


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
