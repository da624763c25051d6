"""A run of clustering: its plan, and what is kept of each step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import thread_time
from typing import Final

import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.editing import FIXED, fork
from ia_engine.clustering.state import State
from ia_engine.clustering.training import Step, resume, train
from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.metrics import Agreement
from ia_engine.runs.clustering.result import (
    LARGE,
    MAX_SIDE,
    SMALL,
    Picture,
    Result,
    draw,
    read_result,
    shrink,
    spread,
)


@dataclass(frozen=True)
class ClusterPlan:
    """What is clustered, and how."""

    config: ClusterConfig
    seed: int
    budget: float
    """CPU seconds in all."""
    recipe: str
    digest: str
    total: int
    """How many images there are; all of them take part."""
    classes: tuple[str, ...]
    """Empty where nothing says which images are of one class."""
    reduced: bool
    """Whether the images have fewer pixels here than in the data set."""
    done: float = 0.0
    """So many CPU seconds are of the run that this one goes on from."""
    origin: str = ""
    """What was done to an earlier run that this one goes on from."""


def plan_clusters(config: ClusterConfig, data: ImageSet, seed: int, budget: float) -> ClusterPlan:
    """A plan, if there are images enough."""
    n = len(data.images)
    if n < 2:
        raise EngineError(f"Clusters need at least 2 images; got {n}: choose other data")
    if n < config.k:
        raise EngineError(
            f"K = {config.k} clusters need as many images; got {n}: lower K or choose other data"
        )
    return ClusterPlan(
        config=config,
        seed=seed,
        budget=budget,
        recipe=data.recipe.to_json(),
        digest=data.digest,
        total=n,
        classes=data.classes if data.labels is not None else (),
        reduced=max(data.images.shape[-2:]) > MAX_SIDE,
    )


@dataclass(frozen=True)
class Score:
    """How well the clusters fit the labels of so many images."""

    acc: float
    nmi: float
    rule: str
    seen: int
    named: tuple[int, ...]
    """The class that most images of each cluster have; -1 where there are none."""


@dataclass(eq=False)
class Latest:
    """What is large: of a run only the last one is kept."""

    state: State | None = None
    picture: Picture | None = None
    score: Score | None = None
    result: Result | None = None
    """All images, once the run is over."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The numbers of one moment."""

    plan: ClusterPlan
    newest: Latest
    iteration: int
    share: float
    seconds: float
    loss: float
    stage: tuple[str, ...]
    cooling: bool
    sizes: tuple[float, ...]
    reassigned: tuple[tuple[int, int], ...]
    picture: Picture | None = None
    """Of some moments, evenly spread."""
    score: Score | None = None


RHYTHM: Final = 0.1
"""CPU seconds between two looks: on a third of a core still some a second."""
SLOW: Final = 0.3
"""For TI, whose state holds transformations of every image to every prototype."""
FILM: Final = 120
SEEN: Final = 500
"""So many labelled images tell how good the clusters are while the run goes on."""
DEAR: Final = 0.08
"""The share of the time that such looks may take."""
EXTRA: Final = 6
"""Looks beside the regular ones: the first, the last, a few changes of stage."""


@dataclass(frozen=True, eq=False)
class Start:
    """Where a run goes on: the looks that are known, and the state."""

    looks: Sequence[Snapshot]
    state: State


def count_snapshots(plan: ClusterPlan, start: Start | None = None) -> int:
    """About how many looks there will be."""
    done = start.state.counters.seconds if start else 0.0
    return len(start.looks if start else ()) + int((plan.budget - done) / rhythm_of(plan)) + EXTRA


def rhythm_of(plan: ClusterPlan) -> float:
    """CPU seconds between two looks."""
    return SLOW if plan.config.model == "ti" else RHYTHM


def cluster(plan: ClusterPlan, data: ImageSet, start: Start | None = None) -> Iterator[Snapshot]:
    """The looks that are known, those that come, and at the end one at all images."""
    newest = Latest()
    for look in start.looks if start else ():
        yield replace(look, plan=plan, newest=newest)
    images = shrink(data.images)
    steps = (
        resume(start.state, images, plan.budget, rhythm_of(plan))
        if start
        else train(plan.config, images, plan.seed, plan.budget, rhythm_of(plan))
    )
    film = _Film(plan, data, newest, start.state.counters.seconds if start else 0.0)
    for step in steps:
        last = film.take(step)
        yield last
    yield film.finish(last)  # the engine looks at least once


class _Film:
    """Turns steps into looks, and remembers when the last picture was taken."""

    def __init__(self, plan: ClusterPlan, data: ImageSet, newest: Latest, done: float) -> None:
        self.plan, self.data, self.newest = plan, data, newest
        self.next, self.every = done, max((plan.budget - done) / FILM, 0.0)
        self.begun, self.scoring = thread_time(), 0.0
        self.first = True

    def take(self, step: Step) -> Snapshot:
        progress = step.progress
        self.newest.state = step.state
        self.newest.picture = draw(progress.prototypes, LARGE)
        due = self.first or progress.seconds >= self.next or progress.share >= 1
        if due:
            self.next = max(self.next + self.every, progress.seconds)
        score = self._score(step.state) if due else None
        self.newest.score = score or self.newest.score
        self.first = False
        return Snapshot(
            plan=self.plan,
            newest=self.newest,
            iteration=progress.iteration,
            share=progress.share,
            seconds=progress.seconds,
            loss=progress.loss,
            stage=progress.stage,
            cooling=progress.cooling,
            sizes=tuple(progress.sizes.tolist()),
            reassigned=progress.reassigned,
            picture=draw(progress.prototypes, SMALL) if due else None,
            score=score,
        )

    def finish(self, look: Snapshot) -> Snapshot:
        """The last look, with all images read."""
        assert self.newest.state is not None
        rows = torch.arange(len(self.data.images), device=self.data.images.device)
        result = read_result(self.newest.state, self.data.images, self.data.labels, rows)
        self.newest.result = result
        self.newest.score = to_score(result.agreement, len(rows)) or self.newest.score
        return replace(look, reassigned=(), score=self.newest.score)

    def _score(self, state: State) -> Score | None:
        """On some images, if that takes little of the time."""
        before = thread_time()
        if self.data.labels is None or self.scoring > DEAR * (before - self.begun):
            return None
        rows = spread(len(self.data.images), SEEN, self.data.images)
        result = read_result(state, self.data.images, self.data.labels, rows)
        self.scoring += thread_time() - before
        return to_score(result.agreement, len(rows))


def to_score(agreement: Agreement | None, seen: int) -> Score | None:
    """The measures of an agreement, and which class most images of each cluster have."""
    if agreement is None:
        return None
    counts, best = agreement.confusion.max(0)
    named = torch.where(counts > 0, best, -1)
    return Score(agreement.acc, agreement.nmi, agreement.rule, seen, tuple(named.tolist()))


def resume_run(looks: Sequence[Snapshot]) -> tuple[ClusterPlan, Start]:
    """What is left of the budget."""
    state = last_state(looks)
    return replace(looks[-1].plan, done=state.counters.seconds), Start(looks, state)


def extend(
    looks: Sequence[Snapshot], state: State, more: float, what: str
) -> tuple[ClusterPlan, Start]:
    """So many CPU seconds more from this state, which may have been changed by hand."""
    done = state.counters.seconds
    plan = replace(looks[-1].plan, config=state.config, budget=done + more, done=done, origin=what)
    # A run that was over had cooled down: at a tenth of the rate a change would lead nowhere.
    return plan, Start(looks, replace(state, pace=replace(state.pace, cooling=False)))


def fork_newest(looks: Sequence[Snapshot], config: ClusterConfig) -> State:
    """The newest state under another config."""
    return fork(last_state(looks), config)


def fixed_differences(looks: Sequence[Snapshot], config: ClusterConfig) -> list[str]:
    """What a fork cannot change and is nevertheless other than in this run."""
    mine = last_state(looks).config
    return [name for name in FIXED if getattr(mine, name) != getattr(config, name)]


def last_state(looks: Sequence[Snapshot]) -> State:
    state = looks[-1].newest.state if looks else None
    if state is None:
        raise EngineError("This run has no state to go on from: press Run")
    return state
