"""A run of attention: all methods side by side, from the data to the last means."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from torch import Tensor

from ia_engine.attention.beta import nominal
from ia_engine.attention.clusters.measures import measure
from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.iteration import AttentionConfig, Step, iterate, normalise, weigh_images
from ia_engine.clock import cpu_seconds
from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.data import Data, thin
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Iteration, Shown, choose_white, keep, recall_all
from ia_engine.shapes import Labels


@dataclass(frozen=True, eq=False)
class Start:
    """Where a method begins: at the data, or after what is kept of another run."""

    data: Tensor
    kept: Sequence[Shown] = ()
    known: Alignment | None = None
    """The distances of the first new images, where they are those that the config asks for."""

    @property
    def v(self) -> Tensor:
        """The first new images."""
        return self.kept[-1].mu if self.kept else self.data


Begin = Callable[[Tensor], Mapping[str, Start]]
"""From the data [n c h w] or [n d] to where each method begins, if not there."""


def attend(plan: Plan, data: Data, begin: Begin | None = None) -> Iterator[Iteration]:
    """Run the methods from the data, or from where each is told to begin."""
    part = thin(data, plan.size)
    v = part.points if isinstance(part, PointSet) else normalise(part.images)
    v = v.to(plan.device)
    labels = None if part.labels is None else part.labels.to(plan.device)
    starts = begin(v) if begin else {}
    known = [start.kept[0].white for start in starts.values() if start.kept]
    white = known[0] if known else choose_white(v)
    lanes = [
        _show(plan, config, starts.get(method, Start(v)), labels, white)
        for method, config in plan.configs.items()
    ]
    for moment in zip(*lanes, strict=False):
        yield Iteration(plan, dict(zip(plan.configs, moment, strict=True)))


def walk(
    config: AttentionConfig, v: Tensor, known: Alignment | None = None, done: int = 0
) -> Iterator[Step]:
    """The steps of the loop, and the last means with their weights, whose means nobody asks for."""
    for step in iterate(config, v, known, done):
        yield step
        v = step.mu
    started = cpu_seconds()
    found = config.build(len(v)).distance.align(v)
    W, beta = weigh_images(config, v, found.d2, found.rough)
    seconds = cpu_seconds() - started
    yield Step(step.k + 1, v, found.d2, found.tau, W, beta, v[:0], seconds, found.rough)


def _show(
    plan: Plan, config: AttentionConfig, start: Start, labels: Labels | None, white: float
) -> Iterator[Shown]:
    """One method: what is kept, and as much more as the plan asks for."""
    kept = recall_all(start.kept, start.data)
    left = replace(config, steps=max(1, plan.moments - 1 - len(start.kept)))
    new = walk(left, start.v.to(plan.device), start.known, done=len(start.kept))
    beta: float | None = None
    for at, measured in enumerate(measure(islice(chain(kept, new), plan.moments), labels)):
        old = start.kept[at] if at < len(start.kept) else None
        beta = beta or nominal(measured.step, config)
        if old and old.beta == beta:
            yield old
        else:
            yield keep(measured, old.config if old else config, beta, white)
