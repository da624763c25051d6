"""What follows a run: a run with the new β of the player, or one from a chosen iteration."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.runs.attend import Iteration, Plan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS, same_data
from ia_engine.runs.library import Note
from pages._ui.components.player import METHOD_TITLES, forget_betas
from pages._ui.iterations.actions import (
    OFTEN,
    SMALL,
    TURNED,
    fork,
    knob,
    remember_link,
    resume_run,
    take_settings,
    title_run,
)
from pages._ui.panels import plain
from pages._ui.runs.current import current_run, show_run
from pages._ui.runs.saved import LINK, library, replace_saved
from pages._ui.runs.start import discard, start_on_standby
from pages._ui.runs.watch import CHANGED
from pages._ui.state.dataset import asked, viewer
from pages._ui.state.selection import rest_at
from pages._ui.wording import number

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


def obey_betas(
    job: Job[Iteration],
    planned: Plan,
    data: Data,
    betas: Mapping[str, float],
    *,
    p: int | None,
    player: str,
) -> None:
    """The means of a small run follow the β of the player as soon as it is let go."""
    plan = job.history[0].plan
    turned = _turned(plan, betas)
    if not turned or not _obeys(job, planned):
        stop_following()
        return
    every = {method: config.beta for method, config in plan.configs.items()}
    if follow_betas(job.id, plan, data, job.history, betas=every | turned, player=player):
        rests(job.id, p)
        st.rerun()  # the whole page waits for them
    rests(job.id, p)


def go_on(
    job: Job[Iteration],
    planned: Plan,
    data: Data,
    betas: Mapping[str, float],
    p: int | None,
    *,
    ask_beside: Callable[[], None],
) -> None:
    """Buttons for what may be wanted after a run, and what may be seen beside it.

    While the film plays there is no iteration p from which one could go on.
    """
    plan = job.history[0].plan
    same = same_data(plan, planned)
    with st.container(horizontal=True, vertical_alignment="center"):
        for method, beta in ({} if _obeys(job, planned) else _turned(plan, betas)).items():
            st.button(
                f"Take β = {number(beta)} over for {METHOD_TITLES[method].lower()}",
                key=f"take {method}",
                on_click=st.session_state.update,
                args=({knob(plan, method): beta},),
                help="Sets the knob above: the means are computed with it when you press Run",
            )
        if same and job.state != "failed" and len(job.history) < plan.moments:
            st.button(
                "Resume",
                icon=":material/resume:",
                key="resume",
                on_click=resume_run,
                args=(job, data),
                help="Computes the iterations that this run still lacks",
            )
        if same:
            st.button(
                "Run from here: pause the film" if p is None else f"Run from here, iteration {p}",
                icon=":material/fork_right:",
                key="fork",
                on_click=fork,
                args=(job, planned, data, p),
                disabled=p is None,
                help="Goes on from the images of this iteration with the settings above; the old "
                "run stays beside it. Pause the player at the iteration where it shall begin.",
            )
        ask_beside()
        if plan.configs != planned.configs:
            st.button(
                "Take this run's settings",
                icon=":material/tune:",
                key="take settings",
                on_click=take_settings,
                args=(plan,),
                help="Sets the knobs above to what this run was made with",
            )
    if plan.kept:
        st.caption(f"{plain(job.title)}: up to iteration {plan.kept} it is the run that it left.")


def tell_change(job: Job[Iteration], planned: Plan) -> str:
    """That the settings are not those of the run, and what can be pressed."""
    plan = job.history[0].plan
    if plan.configs == planned.configs:
        return ""
    return CHANGED + (" or **Run from here**" if same_data(plan, planned) else "")


def _obeys(job: Job[Iteration], planned: Plan) -> bool:
    """Whether the run is one whose means follow β at once."""
    plan = job.history[0].plan
    return job.state == "done" and plan.size <= SMALL and same_data(plan, planned)


def _turned(plan: Plan, betas: Mapping[str, float]) -> dict[str, float]:
    """The β of the player, where they are not those of the run and a run obeys them."""
    if any(config.bandwidth not in ("fixed", "topk") for config in plan.configs.values()):
        return {}
    return {method: beta for method, beta in betas.items() if beta != plan.configs[method].beta}
