"""Checks Theorems 3.1 and 4.1 numerically on the images of both experiments."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch

from ia_engine.attention.clusters.measures import NEAR
from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.attention.theory.contraction import contract, find_failure
from ia_engine.attention.theory.uniqueness import uniqueness
from ia_engine.datasets.experiments import (
    EXPERIMENT_1,
    Experiment2Config,
    make_experiment_1,
    make_experiment_2,
)
from ia_engine.images import Images, blur
from tests.benchmarks.clock import one_thread
from tests.benchmarks.results import Found

CONSTANTS = (0.5, 2.0, 4.0)
STEPS = 3
SEEDS = 5
STARTS = 5
BAND = 1.5
FLOORS, SHARE = 1.3, 0.02


def drawings(seed: int) -> Images:
    """Experiment 1: all three classes."""
    return normalise(make_experiment_1(replace(EXPERIMENT_1, seed=seed)).images)


def threes(seed: int, copies: int = 10) -> Images:
    """Experiment 2 with scikit-learn's digits, which need no files."""
    recipe = Experiment2Config(source="digits", seed=seed, copies=copies)
    return normalise(make_experiment_2(recipe).images)


@dataclass(frozen=True)
class Contracting:
    """The largest ratio d(p+1)/d(p) at β = c′/R², and the β at which it first reaches 1."""

    what: str
    draw: Callable[[int], Images]
    seeds: int = SEEDS

    @property
    def name(self) -> str:
        return f"theorem 4.1 on {self.what}"

    def measure(self) -> Found:
        method = AttentionConfig().build()
        with one_thread():
            largest = {c: max(self._ratios(c)) for c in CONSTANTS}
            failures = [find_failure(method, self.draw(seed), 4) for seed in range(self.seeds)]
        failing = [f"c′ = {f.fails.constant:.3g}, β = {f.fails.beta:.3g}" for f in failures
                   if f.fails]  # fmt: skip
        return Found(
            {
                **{f"largest ratio at c′ = {c:g}": round(x, 4) for c, x in largest.items()},
                "first failure for each seed": failing,
            },
            {
                f"every pair above {NEAR:.0%} of R contracts at c′ = {c:g}": x < 1
                for c, x in largest.items()
            }
            | {"a β is found at which it fails": len(failing) == self.seeds},
            f"0-{self.seeds - 1}, {STEPS} iterations",
        )

    def _ratios(self, constant: float) -> Iterator[float]:
        method = AttentionConfig().build()
        for seed in range(self.seeds):
            for step in contract(method, self.draw(seed), constant, STEPS):
                yield step.largest or 0.0


@dataclass(frozen=True)
class Uniqueness:
    """The residual of Theorem 3.1 from five starts, compared with the interpolation error."""

    dtype: torch.dtype
    copies: int = 10
    seeds: int = 2

    @property
    def name(self) -> str:
        return f"theorem 3.1 on {self.copies} 3s, {str(self.dtype).removeprefix('torch.')}"

    def measure(self) -> Found:
        with one_thread():
            found = [s for seed in range(self.seeds) for s in self._solve(seed)]
        floors = [residual / floor for residual, floor in found]
        return Found(
            {
                "starts": len(found),
                "largest residual, relative to the floor": round(max(floors), 3),
                "largest residual, relative to R": round(max(residual for residual, _ in found), 5),
                "floor, relative to R": round(max(floor for _, floor in found), 5),
            },
            {
                f"residual at most {FLOORS:g} times the floor": max(floors) <= FLOORS,
                f"residual at most {SHARE:.0%} of R": max(r for r, _ in found) <= SHARE,
            },
            f"0-{self.seeds - 1}, {STARTS} starts each, images blurred by {BAND:g} px",
        )

    def _solve(self, seed: int) -> Iterator[tuple[float, float]]:
        v = normalise(blur(threes(seed, self.copies), BAND)).to(self.dtype)
        generator = torch.Generator().manual_seed(seed)
        weights = torch.ones(len(v), dtype=self.dtype)
        for solution in uniqueness(v, weights, STARTS, generator).solutions:
            yield solution.residual, solution.floor


THEOREMS = (
    Contracting("ten 3s", threes),
    Contracting("Experiment 1", drawings),
    Uniqueness(torch.float32),
    Uniqueness(torch.float64),
    Uniqueness(torch.float32, copies=3, seeds=4),
)
