"""TI and DTI clustering: prototypes that are transformed onto their images, for a whole budget."""

from collections.abc import Iterator
from typing import Final

from ia_engine.clock import cpu_seconds
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import read
from ia_engine.clustering.training import train
from ia_engine.runs.comparison.task import Best, Method, Task, choose_k, note_k

GREY: Final = "affine"
COLOUR: Final = "color,projective"
"""No more modules: each wants thousands of steps before the next begins, which are not there."""
RATES: Final = {"dti-gmm": 1e-3}
"""Mixtures of few images diverge at the rate that suits the others."""
TRAINING: Final = 0.8
"""The share of the budget that prototypes are trained for; reading the result takes the rest."""
LOOKS: Final = 3
"""So often the result is read on the way."""
BATCH: Final = 64


def learn(model: str) -> Method:
    """The training is made for the budget, so it uses all of it; it starts from K-means."""

    def solve(task: Task) -> Iterator[Best]:
        started, k = cpu_seconds(), choose_k(task)
        sequence = COLOUR if task.images.shape[1] == 3 else GREY
        rate = RATES.get(model, ClusterConfig.rate)
        config = ClusterConfig(model, k, sequence=sequence, batch=BATCH, rate=rate, start="kmeans")
        budget = max(0.01, TRAINING * (task.budget - (cpu_seconds() - started)))
        due = 0.0
        for step in train(config, task.images, task.seed, budget, budget / LOOKS):
            if step.progress.share >= due:
                found = read(step.state, task.images, step.state.rows).assignments
                yield Best(found, step.progress.prototypes.clamp(0, 1), note_k(task, k))
                due = 1.0 if step.progress.share > 1 - 1 / LOOKS else due + 1 / LOOKS

    return solve
