"""Going on from where a run is: as it was, with another setting, or changed by hand."""

from collections.abc import Sequence
from dataclasses import replace

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.editing import FIXED, fork
from ia_engine.clustering.state import State
from ia_engine.errors import EngineError
from ia_engine.runs.clustering.drive import Start
from ia_engine.runs.clustering.look import Look
from ia_engine.runs.clustering.plan import ClusterPlan


def resume_run(looks: Sequence[Look]) -> tuple[ClusterPlan, Start]:
    """What is left of the budget."""
    state = last_state(looks)
    return replace(looks[-1].plan, done=state.counters.seconds), Start(looks, state)


def extend(
    looks: Sequence[Look], state: State, more: float, what: str
) -> tuple[ClusterPlan, Start]:
    """So many CPU seconds more from this state, which may have been changed by hand."""
    done = state.counters.seconds
    plan = replace(looks[-1].plan, config=state.config, budget=done + more, done=done, origin=what)
    # A run that was over had cooled down: at a tenth of the rate a change would lead nowhere.
    return plan, Start(looks, replace(state, pace=replace(state.pace, cooling=False)))


def refork(looks: Sequence[Look], config: ClusterConfig) -> State:
    """The newest state under another config."""
    return fork(last_state(looks), config)


def fixed_differences(looks: Sequence[Look], config: ClusterConfig) -> list[str]:
    """What a fork cannot change and is nevertheless other than in this run."""
    mine = last_state(looks).config
    return [name for name in FIXED if getattr(mine, name) != getattr(config, name)]


def last_state(looks: Sequence[Look]) -> State:
    state = looks[-1].newest.state if looks else None
    if state is None:
        raise EngineError("This run has no state to go on from: press Run")
    return state
