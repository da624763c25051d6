"""Trains from several seeds and selects the run with the lowest loss (section 5)."""

from collections.abc import Iterator
from dataclasses import dataclass

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import Reading, read
from ia_engine.clustering.training import Step, train
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.images import Images


@dataclass(frozen=True, eq=False)
class SeedStep:
    """One step of a run from one seed; the last step of a run is evaluated on all images."""

    seed: int
    step: Step
    final: Reading | None
    best: bool
    """True if this is the last step of a run, and its loss on all images is the lowest so far."""


def train_seeds(
    config: ClusterConfig,
    images: Images,
    seeds: int,
    *,
    seed: int = 0,
    budget: float | None = None,
    rhythm: float = 0.25,
    ranks: Ranks = ALONE,
) -> Iterator[SeedStep]:
    """Train from seed, seed + 1, …, one run after the other; each has the full budget."""
    least = float("inf")
    for number in range(seed, seed + seeds):
        for step in train(config, images, number, budget, rhythm, ranks=ranks):
            if step.progress.share < 1:
                yield SeedStep(number, step, None, best=False)
        final = read(step.state, images, step.state.rows)
        yield SeedStep(number, step, final, best=final.loss < least)
        least = min(least, final.loss)
