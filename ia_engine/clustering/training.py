"""Training (4.2) as a generator of immutable steps, with a curriculum, reassignment of clusters,
and a drop of the learning rate."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Generator, Tensor

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.learner import DtiLearner, Learner, check_images, draw_prototypes
from ia_engine.clustering.plain import PlainLearner
from ia_engine.clustering.state import Counters, State, Usage, advance, begin_pace, end_period
from ia_engine.clustering.ti import TiLearner
from ia_engine.devices import cpu_seconds
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.images import Images

DROP = 0.1
"""Factor by which the learning rate is multiplied towards the end of the run."""

SELDOM = 20
"""Minimum ratio of the time between two yielded steps to the time that creating one takes, because
TI copies large tensors."""

EARLY = 0.8
"""Redundant clusters are replaced only during this fraction of the time before the second module
starts or, with a single module, before the learning rate drops."""


@dataclass(frozen=True, eq=False)
class Progress:
    """The progress of a run, for display."""

    iteration: int
    share: float
    """Completed fraction of the run, from 0 to 1."""
    seconds: float
    """Total CPU time."""
    loss: float
    """Mean loss per pixel since the last yielded step; NaN at the start."""
    stage: tuple[str, ...]
    """Names of the active modules."""
    cooling: bool
    sizes: Tensor
    """[k]: the fraction of recent images in each cluster."""
    prototypes: Images
    reassigned: tuple[tuple[int, int], ...]
    """Reassignments since the last yielded step, as (cluster, source of the copy)."""


@dataclass(frozen=True, eq=False)
class Step:
    """One yielded step. Keep the progress of every step, but only the last state, which is
    large."""

    progress: Progress
    state: State


def train(
    config: ClusterConfig,
    images: Images,
    seed: int = 0,
    budget: float | None = None,
    rhythm: float = 0.25,
    *,
    ranks: Ranks = ALONE,
) -> Iterator[Step]:
    """Start a new run; see `resume`."""
    yield from resume(begin(config, images, seed), images, budget, rhythm, ranks=ranks)


def resume(
    state: State,
    images: Images,
    budget: float | None = None,
    rhythm: float = 0.25,
    *,
    every: int = 0,
    ranks: Ranks = ALONE,
) -> Iterator[Step]:
    """Continue a run up to config.iterations, or up to a budget of CPU seconds, both counted from
    its start.

    The first step is yielded immediately. Further steps are yielded every `rhythm` CPU seconds (0:
    after each iteration; less often if creating a step is slow), every `every` iterations (0:
    never), when a module starts or a cluster is reassigned, and at the end. Yielding does not
    influence the run.
    """
    expected = (state.n, *state.prototypes.shape[1:])
    if tuple(images.shape) != expected:
        raise EngineError(
            f"images must be the images that the run started with, of shape {expected}; got "
            f"{tuple(images.shape)}"
        )
    run = _Run(state, images, budget, ranks)
    yield run.look()
    while run.share < 1:
        happened = run.advance()
        marked = every > 0 and run.counters.iteration % every == 0
        if happened or marked or run.due(rhythm) or run.share >= 1:
            yield run.look()


def begin(config: ClusterConfig, images: Images, seed: int) -> State:
    """Return the state before the first step."""
    check_images(config, images)
    generator = Generator(device=images.device).manual_seed(seed)
    prototypes = draw_prototypes(config, images, generator)
    learner = _build(config, prototypes, len(images), generator)
    chance = {
        **Usage.even(config.k, images).tensors(),
        "order": torch.randperm(len(images), generator=generator, device=images.device),
        "generator": generator.get_state(),
    }
    tensors = {name: x.detach().clone() for name, x in learner.tensors().items()}
    return State(config, seed, len(images), begin_pace(config), Counters(), {**tensors, **chance})


class _Run:
    """The mutable part of a run."""

    def __init__(self, state: State, images: Images, budget: float | None, ranks: Ranks) -> None:
        self.ranks, self.state, self.images, self.budget = ranks, state, images, budget
        self.config, self.pace, self.counters = state.config, state.pace, state.counters
        self.generator = Generator(device=images.device)
        self.generator.set_state(state.tensors["generator"].cpu())
        self.usage = Usage.from_tensors(state.tensors)
        self.order = state.tensors["order"].clone()
        self.learner = restore(state, ranks)
        self.losses: list[float] = []
        self.reassigned: list[tuple[int, int]] = []
        self.looked = self.counters.seconds
        self.cost = 0.0
        # CPU seconds that creating the last yielded step took

    @property
    def share(self) -> float:
        if self.learner.settled():
            return 1.0
        if self.budget is None:
            return min(1.0, self.counters.iteration / self.config.iterations)
        return min(1.0, self.counters.seconds / self.budget)

    def due(self, rhythm: float) -> bool:
        """Return True if the next step is to be yielded: after `rhythm` CPU seconds, unless this
        takes too much time."""
        wait = max(rhythm, SELDOM * self.cost) if rhythm else 0.0
        return self.counters.seconds - self.looked >= wait

    def advance(self) -> bool:
        """Train one step; return True if a module started or a cluster was reassigned."""
        started, before = cpu_seconds(), (self.pace.stage, len(self.reassigned))
        self.pace = advance(self.pace, self.config, self.share)
        rate = self.config.rate * (DROP if self.pace.cooling else 1)
        rows = self._draw()
        loss, usage = self.learner.step(self.images[rows], rows, self.pace.stage, rate)
        self.usage = self.usage.add(usage)
        self.losses.append(loss)
        self._count(loss)
        if self.counters.iteration % self.config.period == 0:
            self._end_period()
        spent = self.ranks.greatest(cpu_seconds() - started)
        self.counters = replace(self.counters, seconds=self.counters.seconds + spent)
        return (self.pace.stage, len(self.reassigned)) != before

    def look(self) -> Step:
        """Return immutable copies of the progress and of the state."""
        started = cpu_seconds()
        losses, reassigned = self.losses, tuple(self.reassigned)
        self.losses, self.reassigned, self.looked = [], [], self.counters.seconds
        state = self._freeze()
        progress = Progress(
            iteration=self.counters.iteration,
            share=self.share,
            seconds=self.counters.seconds,
            loss=sum(losses) / len(losses) if losses else float("nan"),
            stage=self.config.modules[: self.pace.stage],
            cooling=self.pace.cooling,
            sizes=self.usage.share.clone(),
            prototypes=state.prototypes,
            reassigned=reassigned,
        )
        self.cost = cpu_seconds() - started
        return Step(progress, state)

    def _freeze(self) -> State:
        chance = {
            **self.usage.tensors(),
            "order": self.order.clone(),
            "generator": self.generator.get_state(),
        }
        tensors = {name: x.detach().clone() for name, x in self.learner.tensors().items()}
        return replace(
            self.state, pace=self.pace, counters=self.counters, tensors={**tensors, **chance}
        )

    def _draw(self) -> Tensor:
        """Draw the rows of the next batch. The images are shuffled again after each pass."""
        if self.learner.whole:
            return torch.arange(len(self.images), device=self.images.device)
        size, position = min(self.config.batch, len(self.images)), self.counters.position
        if position + size > len(self.images):
            self.order = torch.randperm(
                len(self.images), generator=self.generator, device=self.images.device
            )
            position = 0
        self.counters = replace(self.counters, position=position + size)
        return self.order[position : position + size]

    def _count(self, loss: float) -> None:
        counters = self.counters
        self.counters = replace(
            counters,
            iteration=counters.iteration + 1,
            loss=counters.loss + loss,
            steps=counters.steps + 1,
        )

    def _end_period(self) -> None:
        """Update the curriculum according to the loss, and replace small and redundant clusters."""
        self.pace = end_period(self.pace, self.config, self.counters.loss / self.counters.steps)
        self.counters = replace(self.counters, loss=0.0, steps=0)
        if self.pace.cooling:
            return
        self.usage = self.usage.older()
        for k in self.usage.small(self.config.reassign / self.config.k):
            self._reassign(k, int(self.usage.share.argmax()))
        early = self.share < EARLY * self.config.starts()[:2][-1]
        if early and (pair := self.usage.needless(self.config.exchange)):
            self._reassign(*pair)

    def _reassign(self, k: int, source: int) -> None:
        self.learner.copy(k, source, self.generator)
        self.usage = self.usage.copied(k, source)
        self.reassigned.append((k, source))


def restore(state: State, ranks: Ranks = ALONE) -> Learner:
    """Create a learner from a copy of a state."""
    chance = Generator(device=state.prototypes.device)  # `load` replaces what it draws
    learner = _build(state.config, state.prototypes, state.n, chance, ranks)
    learner.load(state.tensors)
    return learner


def _build(
    config: ClusterConfig,
    prototypes: Images,
    n: int,
    generator: Generator,
    ranks: Ranks = ALONE,
) -> Learner:
    if ranks.size > 1 and not config.model.startswith("dti"):
        raise EngineError(
            "model must be 'dti-kmeans' or 'dti-gmm' to train with several processes; got "
            f"{config.model!r}: start the run without torchrun"
        )
    if config.model in ("kmeans", "gmm"):
        return PlainLearner(config, prototypes)
    if config.model == "ti":
        return TiLearner(config, prototypes, n)
    return DtiLearner(config, prototypes, generator, ranks)
