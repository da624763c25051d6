"""Training with every model, one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import torch

from ia_engine.clustering.training import train
from ia_engine.datasets.data import ImageSet
from ia_engine.metrics import Agreement
from ia_engine.runs.clustering.result import SMALL, Picture, draw, fit, read_result, spread
from ia_engine.runs.clustering.run import ClusterPlan

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
