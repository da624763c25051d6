"""Training continued from a run, as it is or changed by hand."""

from collections.abc import Sequence
from dataclasses import replace

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.editing import FIXED, fork
from ia_engine.clustering.state import State
from ia_engine.errors import EngineError
from ia_engine.runs.clustering.run import ClusterPlan, Look, Start


def resume_run(looks: Sequence[Look]) -> tuple[ClusterPlan, Start]:
    """The plan and the start of a run that spends what is left of the budget."""
    state = last_state(looks)
    return replace(looks[-1].plan, done=state.counters.seconds), Start(looks, state)


def extend(
    looks: Sequence[Look], state: State, more: float, what: str
) -> tuple[ClusterPlan, Start]:
    """A run that trains this state, which may be changed by hand, for `more` CPU seconds."""
    done = state.counters.seconds
    plan = replace(looks[-1].plan, config=state.config, budget=done + more, done=done, origin=what)
    # A finished run has cooled down: at a tenth of the rate a change would have no effect.
    return plan, Start(looks, replace(state, pace=replace(state.pace, cooling=False)))


def refork(looks: Sequence[Look], config: ClusterConfig) -> State:
    """The last state under another config."""
    return fork(last_state(looks), config)


def fixed_differences(looks: Sequence[Look], config: ClusterConfig) -> list[str]:
    """The names of settings that differ from the run's and that a fork cannot change."""
    mine = last_state(looks).config
    return [name for name in FIXED if getattr(mine, name) != getattr(config, name)]


def last_state(looks: Sequence[Look]) -> State:
    """The state after the last step; an error if the run has none."""
    state = looks[-1].newest.state if looks else None
    if state is None:
        raise EngineError("This run has no state to continue from: press Run")
    return state
