"""Clustering runs: the plan, and the snapshots that are stored during a run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import thread_time
from typing import Final

import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.editing import FIXED, fork
from ia_engine.clustering.reading import read
from ia_engine.clustering.state import State
from ia_engine.clustering.training import Step, resume, train
from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.metrics import Agreement
from ia_engine.predict import PrototypeModel
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
    """The data, settings and budget of a clustering run."""

    config: ClusterConfig
    seed: int
    budget: float
    """Budget of the whole run [CPU seconds]."""
    recipe: str
    digest: str
    total: int
    """Number of images, all of which are clustered."""
    classes: tuple[str, ...]
    """The names of the classes; empty if the images have no labels."""
    reduced: bool
    """True if the run uses images that are smaller than those of the data set."""
    done: float = 0.0
    """CPU seconds that were used by the earlier run, if this run continues one."""
    origin: str = ""
    """How this run was derived from an earlier run; "" if it was not."""


def plan_clusters(config: ClusterConfig, data: ImageSet, seed: int, budget: float) -> ClusterPlan:
    """Plan a run. Raises EngineError if there are too few images."""
    n = len(data.images)
    if n < 2:
        raise EngineError(f"Clustering needs at least 2 images; got {n}: choose different data")
    if n < config.k:
        raise EngineError(
            f"K must be at most the number of images, {n}; got {config.k}: lower K or choose "
            "different data"
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
    """The agreement between clusters and labels, measured on `seen` images."""

    acc: float
    nmi: float
    rule: str
    seen: int
    named: tuple[int, ...]
    """The index of the most frequent class of each cluster; -1 for an empty cluster."""


@dataclass(eq=False)
class Latest:
    """The large parts of a snapshot, which a run keeps only for the newest snapshot."""

    state: State | None = None
    picture: Picture | None = None
    score: Score | None = None
    result: Result | None = None
    """The result on all images; None before the end of the run."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The metrics of a run at one point in time."""

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
    """The prototypes, which are stored only at regular intervals."""
    score: Score | None = None


RHYTHM: Final = 0.1
"""CPU seconds between two snapshots, short enough for several snapshots per second on a third of a
core."""
SLOW: Final = 0.3
"""CPU seconds between two snapshots of TI, whose state is large."""
FILM: Final = 120
SEEN: Final = 500
"""Maximum number of labelled images that are scored during the run."""
DEAR: Final = 0.08
"""Maximum fraction of the time that scoring may take."""
EXTRA: Final = 6
"""Number of additional snapshots: the first, the last, and a few at changes of the stage."""


@dataclass(frozen=True, eq=False)
class Start:
    """The earlier snapshots and the state from which a run continues."""

    looks: Sequence[Snapshot]
    state: State


def count_snapshots(plan: ClusterPlan, start: Start | None = None) -> int:
    """Return the approximate number of snapshots."""
    done = start.state.counters.seconds if start else 0.0
    return len(start.looks if start else ()) + int((plan.budget - done) / rhythm_of(plan)) + EXTRA


def rhythm_of(plan: ClusterPlan) -> float:
    """Return the time between two snapshots [CPU seconds]."""
    return SLOW if plan.config.model == "ti" else RHYTHM


def cluster(plan: ClusterPlan, data: ImageSet, start: Start | None = None) -> Iterator[Snapshot]:
    """Yield the earlier snapshots, the new ones, and finally one that is evaluated on all
    images."""
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
    yield film.finish(last)  # the engine yields at least one step


class _Film:
    """Converts steps to snapshots, and decides when they contain a picture."""

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
        """Evaluate the last snapshot on all images."""
        assert self.newest.state is not None
        rows = torch.arange(len(self.data.images), device=self.data.images.device)
        result = read_result(self.newest.state, self.data.images, self.data.labels, rows)
        self.newest.result = result
        self.newest.score = to_score(result.agreement, len(rows)) or self.newest.score
        return replace(look, reassigned=(), score=self.newest.score)

    def _score(self, state: State) -> Score | None:
        """Score some of the images, provided that scoring takes only a small fraction of the
        time."""
        before = thread_time()
        if self.data.labels is None or self.scoring > DEAR * (before - self.begun):
            return None
        rows = spread(len(self.data.images), SEEN, self.data.images)
        result = read_result(state, self.data.images, self.data.labels, rows)
        self.scoring += thread_time() - before
        return to_score(result.agreement, len(rows))


def to_score(agreement: Agreement | None, seen: int) -> Score | None:
    """Convert an agreement to scores and the most frequent class of each cluster."""
    if agreement is None:
        return None
    counts, best = agreement.confusion.max(0)
    named = torch.where(counts > 0, best, -1)
    return Score(agreement.acc, agreement.nmi, agreement.rule, seen, tuple(named.tolist()))


def resume_run(looks: Sequence[Snapshot]) -> tuple[ClusterPlan, Start]:
    """Plan how to continue a stopped run with the rest of its budget."""
    state = last_state(looks)
    return replace(looks[-1].plan, done=state.counters.seconds), Start(looks, state)


def extend(
    looks: Sequence[Snapshot], state: State, more: float, what: str
) -> tuple[ClusterPlan, Start]:
    """Plan how to continue from a state, which the user may have changed, for `more` CPU
    seconds."""
    done = state.counters.seconds
    plan = replace(looks[-1].plan, config=state.config, budget=done + more, done=done, origin=what)
    # A finished run has a tenth of the learning rate, which is too low to adapt to a change.
    return plan, Start(looks, replace(state, pace=replace(state.pace, cooling=False)))


def fork_newest(looks: Sequence[Snapshot], config: ClusterConfig) -> State:
    """Return the newest state of a run with another config."""
    return fork(last_state(looks), config)


def fixed_differences(looks: Sequence[Snapshot], config: ClusterConfig) -> list[str]:
    """List the settings in `config` that differ from those of the run and that a fork cannot
    change."""
    mine = last_state(looks).config
    return [name for name in FIXED if getattr(mine, name) != getattr(config, name)]


def last_state(looks: Sequence[Snapshot]) -> State:
    state = looks[-1].newest.state if looks else None
    if state is None:
        raise EngineError("This run has no saved state to continue from: press Run to start again")
    return state


def build_model(state: State, images: Images) -> PrototypeModel:
    """Return the prototypes of a run on these images, which can assign new images."""
    return PrototypeModel.of(state, read(state, shrink(images), state.rows))
