"""What can be done next with a run: compute with another β, or go on from an iteration."""

from collections.abc import Callable, Mapping

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.runs.forks import same_data
from ia_engine.runs.job import Job
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration
from pages._ui.iterations.following import follow_betas, rests, stop_following
from pages._ui.iterations.forks import fork, knob, resume_run
from pages._ui.iterations.settings import take_settings
from pages._ui.iterations.waiting import SMALL
from pages._ui.numbers import number
from pages._ui.panels import plain
from pages._ui.player import METHOD_TITLES
from pages._ui.runs.watch import CHANGED


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
