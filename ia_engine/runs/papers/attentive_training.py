"""Trains a network within a budget and measures its test error."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

from torch import nn

from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.equivariant.splits import Splits
from ia_engine.equivariant.training import train
from ia_engine.runs.papers.entry import Progress

MOST: Final = 1_000_000
EVERY: Final = 100
"""Iterations between two validations; a validation costs as much as many iterations."""
TOLD: Final = 4
"""Iterations between two reports."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """A network at the end of its training."""

    network: nn.Module
    error: float
    """On the test images, from 0 to 1."""
    iterations: int


def train_for(
    config: TrainingConfig,
    data: Splits,
    seed: int,
    budget: float | None = None,
) -> Generator[Progress, None, Learnt]:
    """Train for a budget of CPU seconds, or for the config's iterations if there is none."""
    whole = config.iterations if budget is None else MOST
    own = replace(config, iterations=whole, every=min(EVERY, whole))
    for step in train(own, data, seed, budget=budget):
        if step.iteration % TOLD == 1:
            yield Progress(f"{config.network}, iteration {step.iteration}")
    assert step.test_error is not None
    return Learnt(step.network, step.test_error, step.iteration)
