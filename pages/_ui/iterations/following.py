"""A new β in the player starts a run, which takes the place of the shown one when it is done.

However often β is changed, one such run stays in the list: the next one replaces it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.library import Note
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration
from pages._ui.chosen import asked
from pages._ui.iterations.forks import TURNED, knob, remember_link, title_run
from pages._ui.iterations.waiting import OFTEN
from pages._ui.panels import plain
from pages._ui.player import forget_betas
from pages._ui.runs.current import current_run, show_run
from pages._ui.runs.saved import LINK, library, replace_saved
from pages._ui.runs.start import discard, start_on_standby
from pages._ui.steps import rest_at
from pages._ui.viewer import viewer

FOLLOWER: Final = "run whose means follow β"
HEIRS: Final = "runs that only β has begun"


@dataclass(frozen=True, eq=False)
class Follower:
    """A run that is not shown yet, and the run whose place it takes."""

    job: Job[Iteration]
    plan: Plan
    of: str
    """The run, or the example, whose β was changed."""
    where: tuple[str, str]
    player: str
    p: int | None = None
    """The iteration at which the viewer stopped the player; None if it plays."""


@dataclass(frozen=True)
class Heir:
    """A run that took the place of another one."""

    of: str
    root: str
    """The first of them, which is never replaced."""
    p: int


def follow_betas(
    of: str,
    plan: Plan,
    data: Data,
    history: Sequence[Iteration],
    *,
    betas: Mapping[str, float],
    player: str,
) -> bool:
    """Start a run with these β unless it is under way; True if it was started now."""
    known = _known(of)
    if known is not None and _betas(known.plan) == betas:
        return False
    stop_following()
    configs = {m: replace(config, beta=betas[m]) for m, config in plan.configs.items()}
    new = replace(plan, configs=configs)
    job = start_on_standby(ITERATIONS, title_run(new, data), new, data, history)
    if job is None:
        return False
    st.session_state[FOLLOWER] = Follower(job, new, of, _where(), player)
    return True


def rests(of: str, p: int | None) -> None:
    """The viewer stopped the player there: the next run is shown from there."""
    if (known := _known(of)) is not None:
        st.session_state[FOLLOWER] = replace(known, p=p)


def is_awaited(of: str) -> bool:
    """Whether new means are on their way."""
    known = _known(of)
    return known is not None and not known.job.finished


def stop_following() -> None:
    """Nobody waits for the run any more: it is discarded unless it was opened meanwhile."""
    known: Follower | None = st.session_state.pop(FOLLOWER, None)
    if known is not None and known.job.standby:
        discard(known.job)


def take_place() -> None:
    """First of all on the page: means that are there are shown, with their β on the knobs."""
    known: Follower | None = st.session_state.get(FOLLOWER)
    if known is None or known.where != _where():
        stop_following()
    elif known.job.state == "done":
        del st.session_state[FOLLOWER]
        _show(known)


def await_means(of: str) -> None:
    """Last of all on the page: look whether they are there, without drawing anything."""
    known = _known(of)
    if known is None:
        stop_following()
    elif known.job.state == "failed":
        st.error(f"No means with the new β: {plain(known.job.error)}")
    elif known.job.state != "cancelled":  # by its button in the sidebar
        st.fragment(_look, run_every=OFTEN)(known.job)


def heir_of(job: Job[Iteration]) -> Heir | None:
    """Whose place this run took."""
    return _heirs().get(job.id)


def _look(job: Job[Iteration]) -> None:
    if job.finished:
        st.rerun()


def _show(known: Follower) -> None:
    """Show the finished run; it replaces the last one that was started in this way."""
    job = known.job
    root = _heirs()[known.of].root if known.of in _heirs() else known.of
    former = [name for name, heir in _heirs().items() if heir.root == root and not _is_named(name)]
    show_run(job)
    st.query_params[LINK] = job.id
    remember_link()
    for name in former:
        if not job.unsaved:
            replace_saved(name, job.id, viewer())
        del _heirs()[name]
    forget_betas(known.player)
    _heirs()[job.id] = Heir(known.of, root, known.p or 0)
    st.session_state[TURNED] = {knob(known.plan, m): x for m, x in _betas(known.plan).items()}
    if known.p is not None:
        rest_at(job.id, known.p)


def _betas(plan: Plan) -> dict[str, float]:
    return {method: config.beta for method, config in plan.configs.items()}


def _known(of: str) -> Follower | None:
    known: Follower | None = st.session_state.get(FOLLOWER)
    return known if known is not None and known.of == of else None


def _heirs() -> dict[str, Heir]:
    known: dict[str, Heir] = st.session_state.setdefault(HEIRS, {})
    return known


def _is_named(name: str) -> bool:
    """Whether its owner has written on it: such a run is kept."""
    try:
        kept = library().find(name)
    except EngineError:
        return False
    return kept is not None and kept.note != Note()


def _where() -> tuple[str, str]:
    """The run and the data that are on the page."""
    job = current_run(ITERATIONS.id)
    return (job.id if job else "", asked())
