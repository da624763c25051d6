"""Between a session and its runs: start one, watch it come, stop it, find it again."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.job import Job, Jobs, spare_cores
from pages._ui.numbers import duration
from pages._ui.panels import explain, plain, shown
from pages._ui.shelf import LINK, deleted, is_kept, title_of
from pages._ui.viewer import remember, viewer

POLL: Final = 0.4
PATIENCE: Final = 0.12
LISTED: Final = 8
WORKERS: Final = 4
ALMOST: Final = 0.97
"""What is not over does not look as if it were."""
BEGUN: Final = "runs begun"
"""Counted within links, so that a link that is followed again after a run was started is new."""
OPENED: Final = "run opened last"
CHANGED: Final = ":material/info: The settings above have changed since this run: press **Run**"


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The runs of all viewers: one pool for the whole process."""
    return Jobs(min(WORKERS, spare_cores()))


def start(
    place: str, title: str, work: Callable[[], Iterator[Any]], expected: int, *, name: str = ""
) -> None:
    """Begin a run of the page at `place` ("pages/iterations.py"); meant as a button's on_click."""
    try:
        job = jobs().submit(viewer(), title, work, expected, place, name=name)
    except EngineError as error:
        explain(error)
    else:
        st.session_state[_chosen(place)] = job.id
        st.session_state[BEGUN] = st.session_state.get(BEGUN, 0) + 1


def show_again(job: Job[Any]) -> None:
    """Show a run that is there as if it had been begun now."""
    st.session_state[_chosen(job.place)] = job.id
    st.session_state[BEGUN] = st.session_state.get(BEGUN, 0) + 1


def current(place: str) -> Job[Any] | None:
    """The run that was started or opened here last, or else the viewer's newest of this page."""
    opened = st.query_params.get(LINK, "")
    if opened and opened != st.session_state.get(OPENED):  # it stays there when a run is started
        st.session_state[OPENED] = opened
        st.session_state[_chosen(place)] = opened.partition(".")[0]
    own = [job for job in own_runs() if job.place == place]
    chosen = [job for job in own if job.id == st.session_state.get(_chosen(place))]
    found = chosen or own
    return found[-1] if found else None


def own_runs() -> tuple[Job[Any], ...]:
    """The viewer's runs, oldest first, but for those that were deleted."""
    gone = deleted()
    return tuple(job for job in jobs().list(viewer()) if job.place and job.id not in gone)


def name_shown(job: Job[Any]) -> None:
    """Let the address name the run that is shown, so that a copy of it opens this run.

    Where it asks for one that is not here, it goes on doing so.
    """
    asked = st.query_params.get(LINK, "").partition(".")[0]
    other = asked and asked not in {run.id for run in own_runs()}
    if asked != job.id and not other and is_kept(job.id):
        st.query_params[LINK] = st.session_state[OPENED] = job.id


def watch(
    job: Job[Any] | None,
    show: Callable[[Job[Any]], None],
    every: float = POLL,
    unit: str = "iteration",
    *,
    changed: Callable[[Job[Any]], str] = lambda _: "",
) -> None:
    """Show a run while it comes; `show` draws job.history, quickly where nothing has changed.

    The unit is what the run counts: its history has one more, which comes first. Where the settings
    are not those of a run that is over, `changed` says so.
    """
    if job is None:
        st.info("Nothing has run yet: choose the settings and press Run.")
        return
    follow(job, lambda: _watch(job, show, unit, changed), every)


def follow(job: Job[Any], draw: Callable[[], None], every: float = POLL) -> None:
    """Draw a run again and again while it comes, and at rest when it is over.

    At rest it is a fragment of another name: Streamlit forgets what has not been sent of a fragment
    when that is run again, but for what the browser has in store, and a page that gets only this
    breaks. A last call of the clock, on its way while the page was drawn, then finds no fragment.
    """
    if job is current(job.place):
        name_shown(job)

    def drawn() -> None:
        if job.unsaved:
            st.error(plain(job.unsaved), icon=":material/error:")
        draw()

    if not job.finished and not job.history:
        job.wait(PATIENCE)  # what is over at once is shown at once
    if job.finished:
        st.fragment(_rest)(drawn)
    else:
        st.fragment(_come, run_every=every)(job, drawn)


def job_list() -> None:
    """The viewer's runs, in the sidebar; it asks for news only while something runs."""
    with st.sidebar:
        remember()
        going = _going()
        st.fragment(_list, run_every=2 * POLL if going else None)(going)


def _come(job: Job[Any], draw: Callable[[], None]) -> None:
    if job.finished:
        st.rerun()
    draw()


def _rest(draw: Callable[[], None]) -> None:
    draw()


def _watch(
    job: Job[Any],
    show: Callable[[Job[Any]], None],
    unit: str,
    changed: Callable[[Job[Any]], str],
) -> None:
    if current(job.place) is not job:
        st.rerun()  # a button inside has begun another run
    over = job.finished and bool(job.history)
    _status(job, unit, changed(job) if over else "")
    if job.history:
        show(job)


def _list(going: frozenset[str]) -> None:
    own = own_runs()
    if not own:
        return
    st.subheader("Runs")
    for job in reversed(own[-LISTED:]):
        _row(job)
    if len(own) > LISTED:
        shown(LISTED, len(own), "runs")
    if going - _going():
        st.rerun()


def _row(job: Job[Any]) -> None:
    with st.container(border=True, gap="xsmall"):
        # A link, since st.switch_page refuses to leave a page whose widgets own the address.
        address = f"{job.id}.{st.session_state.get(BEGUN, 0)}"
        label = plain(title_of(job))
        st.page_link(job.place, label=label, help=label, query_params={"job": address})
        if job.finished:
            st.caption(_ended(job))
        else:
            st.progress(min(job.progress, ALMOST), text=_left(job))
            _cancel(job, f"cancel {job.id} in the list")


def _ended(job: Job[Any]) -> str:
    state = "Paused" if job.paused and job.state == "cancelled" else job.state.capitalize()
    return f"{state}, not saved" if job.unsaved else state


def _status(job: Job[Any], unit: str, changed: str) -> None:
    """How the run stands, and what can be done next."""
    kept = f"{_count(job, unit)} kept"
    if job.state == "failed":
        st.error(f"{plain(job.error)}  \n{kept}: change the settings and press Run again.")
    elif job.state == "cancelled":
        st.warning(f"Cancelled; {kept}. Press Run to start again.  \n{changed}")
    elif job.state == "done":
        say_done(f"{_count(job, unit)}, {time_taken(job)}", changed)
    else:
        bar, button = st.columns([5, 1], vertical_alignment="center")
        bar.progress(job.progress, text=_pace(job, unit))
        with button:
            _cancel(job, f"cancel {job.id}")


def say_done(done: str, changed: str) -> None:
    """That a run is over, and beside it, that something else is asked for by now."""
    if changed:
        st.markdown(f":small[:gray[Done: {done}] &nbsp; {changed}]")
    else:
        st.caption(f"Done: {done}")


def time_taken(job: Job[Any]) -> str:
    """How long a run took, unless it was only read again."""
    if job.reopened or not (job.started and job.ended):
        return "saved run"
    return f"took {duration((job.ended - job.started).total_seconds())}"


def _cancel(job: Job[Any], key: str) -> None:
    label = "Stopping…" if job.cancelling else "Cancel"
    about = f"Stops “{job.title}” after the step that is under way; finished ones are kept"
    st.button(label, key=key, help=plain(about), on_click=job.cancel, disabled=job.cancelling)


def _pace(job: Job[Any], unit: str) -> str:
    if job.state == "queued":
        return _left(job)
    return f"{_finished(job)} of {job.expected - 1} {unit}s, {_left(job)}"


def _left(job: Job[Any]) -> str:
    if job.state == "queued":
        return "waiting for its turn"
    if job.cancelling:
        return "stopping"
    if len(job.history) > job.expected:
        return "longer than foreseen"
    left = job.time_left()
    return "the first step is under way" if left is None else f"{duration(left)} left"


def _finished(job: Job[Any]) -> int:
    """How many are finished: what comes first is the data."""
    return max(0, len(job.history) - 1)


def _count(job: Job[Any], unit: str) -> str:
    done = _finished(job)
    return f"1 {unit}" if done == 1 else f"{done} {unit}s"


def _chosen(place: str) -> str:
    return f"run shown on {place}"


def _going() -> frozenset[str]:
    return frozenset(job.id for job in own_runs() if not job.finished)
