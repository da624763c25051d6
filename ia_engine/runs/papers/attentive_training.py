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
"""Number of iterations between two validations, which are expensive."""
TOLD: Final = 4
"""Number of iterations between two reports."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """A trained network and its errors."""

    network: nn.Module
    error: float
    """Test error, from 0 to 1."""
    iterations: int


def train_for(
    config: TrainingConfig,
    data: Splits,
    seed: int,
    budget: float | None = None,
) -> Generator[Progress, None, Learnt]:
    """Train within a budget of CPU seconds or, without one, for the iterations of the config."""
    whole = config.iterations if budget is None else MOST
    own = replace(config, iterations=whole, every=min(EVERY, whole))
    for step in train(own, data, seed, budget=budget):
        if step.iteration % TOLD == 1:
            yield Progress(f"{config.network}, iteration {step.iteration}")
    assert step.test_error is not None
    return Learnt(step.network, step.test_error, step.iteration)
