"""Compares ways to find the mean of Experiment 2: five steps from pairwise poses, random restarts,
and descent.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import torch

from ia_engine.attention.iteration import normalise
from ia_engine.attention.means.algorithm1 import MeanConfig, find_mean
from ia_engine.datasets.named import read_split
from ia_engine.datasets.published import MNIST
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.images import Images
from tests.benchmarks.clock import one_thread
from tests.benchmarks.results import Found

RESTARTS = 20
CONVERGED = 1e-4
"""A restart ends when a step lowers the objective by less than this share."""
LIMIT, SECONDS = 1.01, 1.0


@dataclass(frozen=True)
class Compared:
    """The objectives of the three methods on one draw of ten digits, and the first one's time."""

    warm: float
    restarts: float
    descent: float
    seconds: float


def draw_threes(source: str, seed: int) -> Images:
    """Ten 3s; if MNIST is requested but not available, the error lists the missing file."""
    if source == "mnist":
        read_split(MNIST, "train")
    recipe = RECIPES["experiment-2"]
    config = replace(recipe.config, source=source, seed=seed)
    return normalise(make(replace(recipe, config=config)).images)


def compare(v: Images, seed: int, restarts: int = RESTARTS) -> Compared:
    """Objectives after five steps of the warm start, of the best restart, and after fifty descent
    steps.
    """
    generator = torch.Generator().manual_seed(seed)
    warm = list(find_mean(MeanConfig(steps=5), v, _even(v)))
    descent = list(find_mean(MeanConfig(start="identity", steps=50), v, _even(v)))
    return Compared(
        warm=warm[-1].objective,
        restarts=min(_restart(v, generator) for _ in range(restarts)),
        descent=descent[-1].objective,
        seconds=sum(step.seconds for step in warm),
    )


def compare_draws(source: str, draws: int) -> Iterator[Compared]:
    with one_thread():
        for seed in range(draws):
            yield compare(draw_threes(source, seed), seed)


def describe(found: list[Compared]) -> str:
    """A line with the means over all draws."""
    warm, restarts, descent, seconds = np.mean(
        [(one.warm, one.restarts, one.descent, one.seconds) for one in found], axis=0
    )
    return (
        f"objective over {len(found)} draws: {warm:.4f} after 5 steps from pairwise poses "
        f"({seconds:.2f} s), {restarts:.4f} at the best of {RESTARTS} restarts, "
        f"{descent:.4f} after 50 steps of the descent"
    )


@dataclass(frozen=True)
class MeanBenchmark:
    """The objectives of the warm start, the best restart and the descent for each draw."""

    name: str
    source: str
    draws: int = 20

    def measure(self) -> Found:
        found = list(compare_draws(self.source, self.draws))
        restarts = [one.warm / one.restarts for one in found]
        descent = [one.warm / one.descent for one in found]
        return Found(
            {
                "means over all draws": describe(found),
                "5 steps from pairwise poses, relative to the best restart": [
                    round(x, 3) for x in restarts
                ],
                "5 steps from pairwise poses, relative to 50 steps of the descent": [
                    round(x, 3) for x in descent
                ],
                "draws with an objective over 1.01 times as high after the descent": sum(
                    x < 1 / LIMIT for x in descent
                ),
            },
            {
                f"at most {LIMIT:g} times the best of {RESTARTS} restarts": max(restarts) <= LIMIT,
                f"five steps take less than {SECONDS:g} s": max(x.seconds for x in found) < SECONDS,
            },
            f"0-{self.draws - 1}",
        )


def _even(v: Images) -> torch.Tensor:
    return torch.full((len(v),), 1 / len(v))


def _restart(v: Images, generator: torch.Generator) -> float:
    """The objective to which second-order steps from random poses converge."""
    steps = find_mean(MeanConfig(start="random", steps=200), v, _even(v), generator)
    for before, after in pairwise(steps):
        if before.objective - after.objective < CONVERGED * before.objective and after.k > 1:
            break
    return after.objective


MEANS = (
    MeanBenchmark("invariant mean of ten 3s", "digits"),
    MeanBenchmark("invariant mean of ten 3s of MNIST", "mnist"),
)
