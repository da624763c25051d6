"""The state from which a run resumes, and its file format: safetensors with a JSON header.

`Pace`: modules start and the learning rate drops (4.2) at shares of the run, or on convergence.

`Usage`: how often each cluster won recently, and how much its removal would cost. The paper
reassigns rarely chosen clusters. This does not help if two clusters share one class while another
cluster contains two classes: both of the first two win often, but removing one of them would hardly
raise the loss.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Final, Self

import torch
from safetensors.torch import save
from torch import Tensor

from ia_engine.clustering.config import ClusterConfig
from ia_engine.distributed.ranks import Ranks
from ia_engine.errors import EngineError
from ia_engine.files import read_tensors, write_whole
from ia_engine.images import Images, Matrix

SETTLED_GAIN: Final = 0.005
"""A period counts as stalled if it lowers the minimum of the loss by less than this share."""
STALLED_PERIODS: Final = 2
"""Number of consecutive stalled periods after which the loss has converged."""


@dataclass(frozen=True)
class Pace:
    """State of the curriculum."""

    stage: int = 0
    """Number of active modules."""
    cooling: bool = False
    """True if the learning rate has been divided by 10."""
    least: float = float("inf")
    """Lowest mean loss of a period in this stage."""
    stalled: int = 0


def begin_pace(config: ClusterConfig) -> Pace:
    return Pace(len(config.modules) if config.curriculum == "off" else 0)


def advance(pace: Pace, config: ClusterConfig, share: float) -> Pace:
    """The pace at this share of the run, with all due modules active."""
    starts = config.starts()
    due = sum(share >= start for start in starts[:-1])
    stage = max(pace.stage, due)
    cooling = pace.cooling or share >= starts[-1]
    if stage == pace.stage:
        return replace(pace, cooling=cooling)
    return Pace(stage, cooling)


def end_period(pace: Pace, config: ClusterConfig, loss: float) -> Pace:
    """The pace after a period with this mean loss; the next module may start on convergence."""
    if config.curriculum != "convergence" or pace.cooling:
        return pace
    better = loss < pace.least - SETTLED_GAIN * abs(pace.least) or pace.least == float("inf")
    stalled = 0 if better else pace.stalled + 1
    if stalled < STALLED_PERIODS:
        return replace(pace, least=min(pace.least, loss), stalled=stalled)
    if pace.stage < len(config.modules):
        return Pace(pace.stage + 1)
    return replace(pace, cooling=True)


MEMORY: Final = 0.97
"""Decay of the running averages per step, which corresponds to about 33 steps."""
TRIAL_PERIODS: Final = 4
"""Number of periods after a copy in which `needless` ignores the copy and its source."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Use of the clusters in one batch, [k] and per image; `share` is the share of images won."""

    share: Tensor
    error: Tensor
    """Total error of the images won."""
    loss: Tensor
    """Increase of the error if the cluster were removed and its images moved to the second best."""

    @classmethod
    def of(cls, errors: Matrix, winners: Tensor, weights: Tensor) -> Self:
        """Compute the use from the errors of all pairs [n k], the winning clusters and their
        weights."""
        n, empty = len(errors), torch.zeros_like(errors[0])
        two, columns = errors.topk(min(2, errors.shape[1]), 1, largest=False)
        winner = columns[:, 0]
        return cls(
            share=empty.index_add(0, winners, weights) / n,
            error=empty.index_add(0, winner, two[:, 0]) / n,
            loss=empty.index_add(0, winner, two[:, -1] - two[:, 0]) / n,
        )

    def gathered(self, ranks: Ranks, part: float) -> Self:
        """The sum over all ranks, each of which has one part of the batch."""
        own = part * torch.stack([self.share, self.error, self.loss])
        return type(self)(*ranks.sum(own))


@dataclass(frozen=True, eq=False)
class Usage:
    """Running averages over batches, and the number of periods since a cluster was copied."""

    share: Tensor
    error: Tensor
    loss: Tensor
    age: Tensor

    @classmethod
    def even(cls, k: int, like: Tensor) -> Self:
        share = like.new_full((k,), 1 / k)
        return cls(share, torch.zeros_like(share), torch.zeros_like(share), like.new_zeros(k))

    @classmethod
    def names(cls) -> list[str]:
        """Names of its tensors in a state, in order."""
        return [f"usage.{name}" for name in cls.__annotations__]

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Tensor]) -> Self:
        return cls(*(tensors[name].clone() for name in cls.names()))

    def tensors(self) -> dict[str, Tensor]:
        own = (self.share, self.error, self.loss, self.age)
        return {name: x.clone() for name, x in zip(self.names(), own, strict=True)}

    def add(self, batch: Batch) -> Self:
        """The averages after one more batch."""
        return replace(
            self,
            share=MEMORY * self.share + (1 - MEMORY) * batch.share,
            error=MEMORY * self.error + (1 - MEMORY) * batch.error,
            loss=MEMORY * self.loss + (1 - MEMORY) * batch.loss,
        )

    def older(self) -> Self:
        return replace(self, age=self.age + 1)

    def copied(self, to: int, source: int) -> Self:
        """The averages after a copy, which halves the values of the source and starts a trial of
        both."""
        share, error, age = self.share.clone(), self.error.clone(), self.age.clone()
        share[[to, source]] = share[source] / 2
        error[[to, source]] = error[source] / 2
        age[[to, source]] = 0
        return replace(self, share=share / share.sum(), error=error, age=age)

    def small(self, least: float) -> list[int]:
        """The clusters whose share is below `least`."""
        return (self.share < least).nonzero()[:, 0].tolist()

    def needless(self, part: float) -> tuple[int, int] | None:
        """The most redundant cluster, and the cluster with the largest error, which is to be split.

        None unless removing the first costs less than `part` of the error of the second, and both
        have ended their trial.
        """
        old = self.age >= TRIAL_PERIODS
        if part <= 0 or old.sum() < 2:
            return None
        to = int(self.loss.masked_fill(~old, torch.inf).argmin())
        error = self.error.masked_fill(~old, -torch.inf)
        error[to] = -torch.inf
        source = int(error.argmax())
        return (to, source) if self.loss[to] < part * self.error[source] else None


FORMAT: Final = "ia-clustering"
VERSION: Final = 1
PROTOTYPES: Final = "model.comparison.prototypes"
NEEDED: Final = frozenset({PROTOTYPES, "order", "generator", *Usage.names()})
"""Tensors that the state of every model has; the others depend on the learner."""


@dataclass(frozen=True)
class Counters:
    """Counters of the progress of a run."""

    iteration: int = 0
    seconds: float = 0.0
    """CPU time, including all resumptions."""
    position: int = 0
    """Number of images used in the current pass through the data."""
    loss: float = 0.0
    """Sum over the steps of this period."""
    steps: int = 0
    """Number of steps in this sum, stored because a fork may change the length of a period."""


@dataclass(frozen=True, eq=False)
class State:
    """A run between two steps: weights, moments, curriculum, order of the data, generator."""

    config: ClusterConfig
    seed: int
    n: int
    """Number of training images."""
    pace: Pace
    counters: Counters
    tensors: Mapping[str, Tensor]

    @property
    def prototypes(self) -> Images:
        """[k c h w]; the means of a mixture."""
        return self.tensors[PROTOTYPES]

    @property
    def rows(self) -> Tensor:
        """[n]: indices of the training images."""
        return torch.arange(self.n, device=self.prototypes.device)

    @property
    def iteration(self) -> int:
        return self.counters.iteration

    @property
    def stage(self) -> int:
        """Number of active modules."""
        return self.pace.stage


def pack_state(state: State, note: str = "") -> bytes:
    """The content of a state's file; `ia_engine.files.read_note` reads the note."""
    header = {
        "format": FORMAT,
        "version": str(VERSION),
        "config": state.config.to_json(),
        "run": json.dumps({"seed": state.seed, "n": state.n}),
        "pace": json.dumps(asdict(state.pace)),
        "counters": json.dumps(asdict(state.counters)),
        "note": note,
    }
    return save({name: x.contiguous() for name, x in state.tensors.items()}, header)


def save_state(path: Path, state: State, note: str = "") -> None:
    """Write the state to a file, completely or not at all."""
    write_whole(path, pack_state(state, note))


def load_state(path: Path, device: str = "cpu") -> State:
    """Read a file of `save_state`; raises EngineError for anything else."""
    header, tensors = read_tensors(path, "pt", device)
    if (header.get("format"), header.get("version")) != (FORMAT, str(VERSION)):
        raise EngineError(
            f"{path.name} is not a clustering run of format version {VERSION}: choose a "
            "different file"
        )
    missing = NEEDED - tensors.keys()
    if missing:
        raise EngineError(
            f"{path.name} is damaged and does not contain {', '.join(sorted(missing))}: save the "
            "run again"
        )
    try:
        return _read(header, tensors)
    except (KeyError, TypeError, ValueError) as cause:
        raise EngineError(f"{path.name} has a damaged header: save the run again") from cause


def _read(header: dict[str, str], tensors: dict[str, Tensor]) -> State:
    run, pace, counters = (json.loads(header[name]) for name in ("run", "pace", "counters"))
    config = ClusterConfig.from_json(header["config"])
    counters.setdefault("steps", counters["iteration"] % config.period)  # missing in old files
    state = State(
        config=config,
        seed=int(run["seed"]),
        n=int(run["n"]),
        pace=Pace(**{part.name: pace[part.name] for part in fields(Pace)}),
        counters=Counters(**{part.name: counters[part.name] for part in fields(Counters)}),
        tensors=tensors,
    )
    if len(state.prototypes) != state.config.k:
        raise ValueError(f"expected k = {state.config.k} prototypes; got {len(state.prototypes)}")
    return state
