"""Training (4.2) as a generator of immutable steps: curriculum, reassignment, drop of the rate."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Generator, Tensor

from ia_engine.clock import cpu_seconds
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.learner import DtiLearner, Learner
from ia_engine.clustering.plain import PlainLearner, check_images, draw_prototypes
from ia_engine.clustering.state import Counters, State, Usage, advance, begin_pace, end_period
from ia_engine.clustering.ti import TiLearner
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.shapes import Images

DROP = 0.1
"""The rate is multiplied by this at the end."""

SELDOM = 20
"""So many times longer than a look takes is the time to the next one: TI copies much for each."""

EARLY = 0.8
"""Clusters are exchanged in this part of the time before the second module or the drop."""


@dataclass(frozen=True, eq=False)
class Progress:
    """What a viewer sees of a run."""

    iteration: int
    share: float
    """How much of the run is done, from 0 to 1."""
    seconds: float
    """CPU time in all."""
    loss: float
    """Mean since the step before, per pixel; NaN at the start."""
    stage: tuple[str, ...]
    """The modules that are on."""
    cooling: bool
    sizes: Tensor
    """[k]: each cluster's share of the images seen lately."""
    prototypes: Images
    reassigned: tuple[tuple[int, int], ...]
    """(cluster, the one it became a copy of), since the step before."""


@dataclass(frozen=True, eq=False)
class Step:
    """One look at a run: keep every progress, and the last state only."""

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
    """A new run; see `resume`."""
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
    """Go on for config.iterations, or for a budget of CPU seconds, both counted from the start.

    A step is yielded at once, every `rhythm` CPU seconds (less often where looking itself takes
    long; 0: after each iteration), after every `every` iterations (0: never for this reason), when
    a module starts or a cluster is reassigned, and at the end.
    Looking changes nothing: the same state goes on the same way.
    """
    expected = (state.n, *state.prototypes.shape[1:])
    if tuple(images.shape) != expected:
        raise EngineError(
            f"a run goes on with the images it began with, {expected}; got {tuple(images.shape)}"
        )
    run = _Run(state, images, budget, ranks)
    yield run.look()
    while run.share < 1:
        happened = run.advance()
        marked = every > 0 and run.counters.iteration % every == 0
        if happened or marked or run.due(rhythm) or run.share >= 1:
            yield run.look()


def begin(config: ClusterConfig, images: Images, seed: int) -> State:
    """The state before the first step."""
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
    """The only thing that changes while a run goes on."""

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
        """CPU seconds that the last look took."""

    @property
    def share(self) -> float:
        if self.learner.settled():
            return 1.0
        if self.budget is None:
            return min(1.0, self.counters.iteration / self.config.iterations)
        return min(1.0, self.counters.seconds / self.budget)

    def due(self, rhythm: float) -> bool:
        """Whether it is time for a look: so many CPU seconds after the last, and not too dear."""
        wait = max(rhythm, SELDOM * self.cost) if rhythm else 0.0
        return self.counters.seconds - self.looked >= wait

    def advance(self) -> bool:
        """One step; whether something happened that a viewer should see."""
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
        """Immutable copies of what is to be seen and of what going on depends on."""
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
        """The next batch's rows; a new order when the images have all been seen."""
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
        """The curriculum hears of the loss; clusters that are too small become copies."""
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
    """A learner in this state, which it shares no tensor with."""
    chance = Generator(device=state.prototypes.device)  # whatever it draws is overwritten
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
            f"several processes train dti-kmeans and dti-gmm; got {config.model}: start it "
            "without torchrun"
        )
    if config.model in ("kmeans", "gmm"):
        return PlainLearner(config, prototypes)
    if config.model == "ti":
        return TiLearner(config, prototypes, n)
    return DtiLearner(config, prototypes, generator, ranks)
