"""The means follow β: computed out of sight, and shown once they are there, in the run's place.

Whoever turns β leaves one run in the list, however often it is turned: the next one replaces it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.runs.attend import attend
from ia_engine.runs.forks import begin
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.library import Note
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration
from pages._ui.chosen import asked
from pages._ui.iterations.forks import TURNED, knob, remember_link, title_run
from pages._ui.iterations.waiting import OFTEN
from pages._ui.panels import explain, plain
from pages._ui.player import forget_betas
from pages._ui.runs.current import current_run, jobs
from pages._ui.runs.open import MAX_WAIT_S
from pages._ui.runs.saved import LINK, library
from pages._ui.runs.start import Replaced, start
from pages._ui.steps import rest_at
from pages._ui.viewer import viewer

FOLLOWER: Final = "run whose means follow β"
HEIRS: Final = "runs that only β has begun"


@dataclass(frozen=True, eq=False)
class Follower:
    """A run that is not shown yet: what it leaves, and where the film of that one stands."""

    job: Job[Iteration]
    plan: Plan
    data: Data
    of: str
    """The run, or the example, whose β was turned."""
    where: tuple[str, str]
    player: str
    p: int | None = None
    """The iteration on which the reader has left it, if so."""


@dataclass(frozen=True)
class Heir:
    """A run that took another's place."""

    of: str
    root: str
    """The first of them, which nobody replaces."""
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
    """Compute the means of this β, unless that is under way; say whether it was begun now."""
    known = _known(of)
    if known is not None and _betas(known.plan) == betas:
        return False
    stop_following()
    configs = {m: replace(config, beta=betas[m]) for m, config in plan.configs.items()}
    new = replace(plan, configs=configs)
    work = partial(attend, new, data, partial(begin, new, history))
    try:
        job = jobs().submit(viewer(), title_run(new, data), work, new.moments)
    except EngineError as error:
        explain(error)
        return False
    st.session_state[FOLLOWER] = Follower(job, new, data, of, _where(), player)
    return True


def rests(of: str, p: int | None) -> None:
    """The reader has left the film there: it goes on from there."""
    if (known := _known(of)) is not None:
        st.session_state[FOLLOWER] = replace(known, p=p)


def is_awaited(of: str) -> bool:
    """Whether new means are on their way."""
    known = _known(of)
    return known is not None and not known.job.finished


def stop_following() -> None:
    """Nobody waits for them any more."""
    known: Follower | None = st.session_state.pop(FOLLOWER, None)
    if known is not None:
        known.job.cancel()


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
    else:
        st.fragment(_look, run_every=OFTEN)(known.job)


def heir_of(job: Job[Iteration]) -> Heir | None:
    """Whose place this run took."""
    return _heirs().get(job.id)


def _look(job: Job[Iteration]) -> None:
    if job.finished:
        st.rerun()


def _show(known: Follower) -> None:
    root = _heirs()[known.of].root if known.of in _heirs() else known.of
    last = [name for name, heir in _heirs().items() if heir.root == root and not _is_named(name)]
    replaced = Replaced(last[-1], known.plan.moments) if last else None
    title, work = title_run(known.plan, known.data), partial(iter, known.job.history)
    start(ITERATIONS, title, known.plan, known.data, replaced=replaced, work=work)
    remember_link()
    name = st.query_params[LINK]
    job = jobs().get(viewer(), name)
    if job is None:  # too many runs wait
        return
    job.wait(MAX_WAIT_S)
    forget_betas(known.player)
    job.started = known.job.started  # what is written now was computed since then
    for former in last:
        del _heirs()[former]
    _heirs()[name] = Heir(known.of, root, known.p or 0)
    st.session_state[TURNED] = {knob(known.plan, m): x for m, x in _betas(known.plan).items()}
    if known.p is not None:
        rest_at(name, known.p)


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
