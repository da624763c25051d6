"""Training continued from a run, changed by hand, or with every model side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.editing import FIXED, fork
from ia_engine.clustering.state import State
from ia_engine.clustering.training import train
from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.metrics import Agreement
from ia_engine.runs.clustering.result import fit, read_result, spread
from ia_engine.runs.clustering.run import SMALL, ClusterPlan, Look, Picture, Start, draw


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


METHODS: Final = ("kmeans", "gmm", "ti", "dti-kmeans", "dti-gmm")
LOOKS: Final = 20
"""So many looks at each method."""
MOST: Final = 1000
"""At most so many images take part: TI keeps transformations of every one to every prototype."""


@dataclass(frozen=True, eq=False)
class Compared:
    """How far a method is."""

    plan: ClusterPlan
    share: float
    seconds: float
    loss: float
    picture: Picture
    seen: int = 0
    agreement: Agreement | None = None
    done: bool = False


def plan_methods(plan: ClusterPlan, budget: float) -> tuple[ClusterPlan, ...]:
    """The same plan for every method."""
    return tuple(
        replace(plan, config=replace(plan.config, model=model), budget=budget) for model in METHODS
    )


def compare(plans: tuple[ClusterPlan, ...], data: ImageSet) -> Iterator[Compared]:
    """Every method's looks, the last of them with its measures."""
    chosen = spread(len(data.images), MOST, data.images)
    images = fit(data.images[chosen])
    labels = None if data.labels is None else data.labels[chosen]
    rows = torch.arange(len(images), device=images.device)
    for plan in plans:
        found = None
        for step in train(plan.config, images, plan.seed, plan.budget, plan.budget / LOOKS):
            progress = step.progress
            picture = draw(progress.prototypes, SMALL)
            found = Compared(plan, progress.share, progress.seconds, progress.loss, picture)
            state = step.state
            yield found
        if found is not None:
            result = read_result(state, images, labels, rows)
            loss = float(result.error.mean())
            agreement = result.agreement
            yield replace(
                found, loss=loss, seen=len(rows), agreement=agreement, share=1.0, done=True
            )


def expected_compared(plans: tuple[ClusterPlan, ...]) -> int:
    return len(plans) * (LOOKS + 3)


def newest_of(history: tuple[Compared, ...]) -> list[Compared]:
    """The last look at each method so far, in the order in which they ran."""
    return list({look.plan.config.model: look for look in history}.values())
