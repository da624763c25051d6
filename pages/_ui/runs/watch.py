"""Showing a run while it computes: its progress, and buttons to pause, cancel and resume it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from ia_engine.describe import Description, describe_saved
from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.job import Job
from pages._ui.panels import download, escape, explaining, section
from pages._ui.runs.current import current_run, find_saved, name_in_address, shown_run
from pages._ui.wording import duration

POLL_S: Final = 0.4
MAX_WAIT_S: Final = 0.12
CHANGED: Final = ":material/info: The settings above have changed since this run. Press **Run**"


@dataclass(frozen=True)
class Progress:
    """The finished share of a run, from 0 to 1, and its description."""

    share: float
    words: str


@dataclass(frozen=True)
class Pausing:
    """Functions that pause and resume runs of a kind, and the text of buttons and messages."""

    progress: Callable[[Job[Any], Sequence[Any]], Progress]
    stopped: Callable[[Sequence[Any]], str]
    """The text after "Paused" or "Cancelled"."""
    nothing: str
    """The message for a run that was cancelled before its first item."""
    resume: Callable[[Job[Any]], None]
    pause_help: str
    cancel_help: str
    resume_help: str
    pausable: Callable[[Sequence[Any]], bool] = lambda _: True
    resumable: Callable[[Sequence[Any]], bool] = lambda _: True


@dataclass(frozen=True)
class Status:
    """The text of the row above a run, for one kind of run."""

    unit: str = "iteration"
    """The unit of the run's items. The first item of its history, the data, is not counted."""
    changed: Callable[[Job[Any]], str] = lambda _: ""
    """Returns the notice that the settings have changed since a finished run, or "" if not."""
    done: Callable[[Sequence[Any]], str] | None = None
    """Describes the result of a finished run; if None, the number of units is shown."""
    pausing: Pausing | None = None
    """None if runs of this kind cannot be paused."""


DEFAULT_STATUS: Final = Status()


def watch(
    job: Job[Any] | None,
    show: Callable[[Job[Any]], None],
    status: Status = DEFAULT_STATUS,
    every_s: float = POLL_S,
) -> None:
    """Show a run while it computes; `show` draws job.history, quickly if nothing has changed."""
    if job is None:
        st.info("There is no run yet. Choose the settings and press Run.")
        return
    follow(job, lambda: _draw(job, show, status), every_s)


def follow(job: Job[Any], draw: Callable[[], None], every_s: float = POLL_S) -> None:
    """Draw a run repeatedly while it computes, and once when it has finished.

    A finished run is drawn by a second fragment. When a fragment runs again, Streamlit drops its
    unsent messages, except those that the browser has cached; the page breaks if it receives only
    cached messages. With a second fragment, a late timer event of the first fragment has no effect.
    """
    if job is current_run(job.kind):
        name_in_address(job)

    def drawn() -> None:
        if job.unsaved:
            st.error(escape(job.unsaved), icon=":material/error:")
        draw()
        show_methods(job)

    if not job.finished and not job.history:
        job.wait(MAX_WAIT_S)  # a very short run is shown at once
    if job.finished:
        st.fragment(_show_finished)(drawn)
    else:
        st.fragment(_show_running, run_every=every_s)(job, drawn)


def show_methods(job: Job[Any]) -> None:
    """Offer the methods paragraph of a finished run that is saved, with its files.

    If the files of the run are damaged, the page has already reported this.
    """
    kind = RUN_KINDS.get(job.kind)
    if not (job.finished and job.history and kind and kind.statement):
        return
    kept = None
    with suppress(EngineError):
        kept = find_saved(job.id)
    if kept is None:
        return
    name = f"methods-{job.kind}"
    with section("Methods paragraph", ":material/description:", name) as is_open:
        if is_open:
            with explaining():
                _show_description(describe_saved(kept), name)


def _show_description(found: Description, name: str) -> None:
    st.code(found.to_text(), language=None, wrap_lines=True)
    with st.container(horizontal=True):
        download("Markdown", f"{name}.md", found.to_markdown().encode, "text/markdown")
        download("Text", f"{name}.txt", found.to_text().encode, "text/plain")
        download("BibTeX", f"{name}.bib", found.to_bibtex().encode, "text/x-bibtex")


def format_time(job: Job[Any]) -> str:
    """Return how long a run took, or that it was read from a file."""
    if job.reopened or not (job.started and job.ended):
        return "saved run"
    return f"took {duration((job.ended - job.started).total_seconds())}"


def format_left(job: Job[Any]) -> str:
    """Return the remaining time of a run as text."""
    if job.state == "queued":
        return "waiting for other runs"
    if job.cancelling:
        return "stopping"
    if len(job.history) > job.expected:
        return "longer than expected"
    left = job.time_left()
    return "computing the first step" if left is None else f"{duration(left)} left"


def show_cancel(job: Job[Any], key: str) -> None:
    """Draw the button that cancels a run."""
    label = "Stopping…" if job.cancelling else "Cancel"
    about = escape(f"Stops “{job.title}” after the current step and keeps the finished steps")
    st.button(label, key=key, help=about, on_click=job.cancel, disabled=job.cancelling)


def _show_running(job: Job[Any], draw: Callable[[], None]) -> None:
    if job.finished:
        st.rerun()
    draw()


def _show_finished(draw: Callable[[], None]) -> None:
    draw()


def _draw(job: Job[Any], show: Callable[[Job[Any]], None], status: Status) -> None:
    if shown_run(job.kind) is not job:
        st.rerun()  # a button in this fragment has started another run
    finished, history = (
        job.finished,
        job.history,
    )  # read once, so that all parts show the same state
    if finished:
        _show_end(job, history, status, status.changed(job) if history else "")
    else:
        _show_progress(job, history, status)
    if history:
        show(job)


def _show_progress(job: Job[Any], history: Sequence[Any], status: Status) -> None:
    if status.pausing is not None:
        _show_pausable(job, history, status.pausing)
        return
    bar, button = st.columns([5, 1], vertical_alignment="center")
    count = f"{_count(history)} of {job.expected - 1} {status.unit}s, "
    bar.progress(job.progress, ("" if job.state == "queued" else count) + format_left(job))
    with button:
        show_cancel(job, f"cancel {job.id}")


def _show_pausable(job: Job[Any], history: Sequence[Any], pausing: Pausing) -> None:
    bar, pause, cancel = st.columns([6, 1, 1], vertical_alignment="center")
    progress = pausing.progress(job, history)
    text = "Waiting for a free core" if job.state == "queued" else progress.words
    bar.progress(progress.share, text)
    pause.button(
        "Pause",
        key=f"pause {job.id}",
        icon=":material/pause:",
        on_click=job.pause,
        disabled=job.cancelling or not pausing.pausable(history),
        width="stretch",
        help=pausing.pause_help,
    )
    cancel.button(
        "Stopping…" if job.cancelling else "Cancel",
        key=f"cancel {job.id}",
        on_click=job.cancel,
        disabled=job.cancelling,
        width="stretch",
        help=pausing.cancel_help,
    )


def _show_end(job: Job[Any], history: Sequence[Any], status: Status, changed: str) -> None:
    """Show how the run ended, and what the viewer can do next."""
    pausing, count = status.pausing, _format_count(history, status.unit)
    if job.state == "failed":
        what = "Change" if pausing else f"{count} kept. Change"
        st.error(f"{escape(job.error)}  \n{what} the settings and press Run again.")
    elif job.state == "done":
        if history or not pausing:
            done = status.done(history) if status.done else count
            _show_done(", ".join(filter(None, (done, format_time(job)))), changed)
    elif pausing is None:
        st.warning(f"Cancelled; {count} kept. Press Run to start again.  \n{changed}")
    elif history:
        _show_stopped(job, history, pausing, changed)
    else:
        st.warning(pausing.nothing)


def _show_stopped(job: Job[Any], history: Sequence[Any], pausing: Pausing, changed: str) -> None:
    message, button = st.columns([6, 2], vertical_alignment="center")
    stopped = f"{'Paused' if job.paused else 'Cancelled'}{pausing.stopped(history)}"
    message.warning(f"{stopped}  \n{changed}" if changed else stopped)
    button.button(
        "Resume" if job.paused else "Continue",
        key=f"resume {job.id}",
        icon=":material/resume:",
        on_click=pausing.resume,
        args=(job,),
        disabled=not pausing.resumable(history),
        width="stretch",
        help=pausing.resume_help,
    )


def _show_done(done: str, changed: str) -> None:
    """Show the result of a finished run, and the notice that the settings have changed."""
    if changed:
        st.markdown(f":small[:gray[Done: {done}] &nbsp; {changed}]")
    else:
        st.caption(f"Done: {done}")


def _count(history: Sequence[Any]) -> int:
    """Return the number of finished units; the first item is the data."""
    return max(0, len(history) - 1)


def _format_count(history: Sequence[Any], unit: str) -> str:
    done = _count(history)
    return f"1 {unit}" if done == 1 else f"{done} {unit}s"
