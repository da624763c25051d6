"""The state from which a run resumes, and its file format: safetensors with a JSON header.

`Pace` determines when modules start and when the learning rate drops (4.2): after fractions of the
run, or on convergence.

`Usage` records how often each cluster won recently, and how much its removal would cost. The paper
reassigns clusters that rarely win. This does not help if two clusters share one class while another
cluster contains two classes: both of the first two win often, although removing one of them would
hardly increase the loss.
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
"""A period counts as stalled if it lowers the minimum loss by less than this fraction."""
STALLED_PERIODS: Final = 2
"""Number of consecutive stalled periods after which the loss has converged."""


@dataclass(frozen=True)
class Pace:
    """The state of the curriculum."""

    stage: int = 0
    """Number of active modules."""
    cooling: bool = False
    """True if the learning rate has been divided by 10."""
    least: float = float("inf")
    """Lowest mean loss of a period in the current stage."""
    stalled: int = 0


def begin_pace(config: ClusterConfig) -> Pace:
    return Pace(len(config.modules) if config.curriculum == "off" else 0)


def advance(pace: Pace, config: ClusterConfig, share: float) -> Pace:
    """Return the pace after a fraction `share` of the run, with all modules active that are due."""
    starts = config.starts()
    due = sum(share >= start for start in starts[:-1])
    stage = max(pace.stage, due)
    cooling = pace.cooling or share >= starts[-1]
    if stage == pace.stage:
        return replace(pace, cooling=cooling)
    return Pace(stage, cooling)


def end_period(pace: Pace, config: ClusterConfig, loss: float) -> Pace:
    """Return the pace after a period with the given mean loss. On convergence, the next module
    starts."""
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
"""Decay of the running averages per step, which corresponds to a memory of about 33 steps."""
TRIAL_PERIODS: Final = 4
"""Number of periods for which `needless` ignores a copy and its source."""


@dataclass(frozen=True, eq=False)
class Batch:
    """How much each cluster was used in one batch, [k] and per image; `share` is the fraction of
    the images that it won."""

    share: Tensor
    error: Tensor
    """Error of the images that the cluster won."""
    loss: Tensor
    """Increase in the error if the cluster were removed and its images were assigned to their
    second-best clusters."""

    @classmethod
    def of(cls, errors: Matrix, winners: Tensor, weights: Tensor) -> Self:
        """Compute the use from the errors of all pairs [n k], the winning clusters, and their
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
        """Return the use in the whole batch, summed over all ranks; `part` is the fraction of the
        batch on this rank."""
        own = part * torch.stack([self.share, self.error, self.loss])
        return type(self)(*ranks.sum(own))


@dataclass(frozen=True, eq=False)
class Usage:
    """Running averages of `Batch`, and the number of periods since each cluster was copied."""

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
        """Return the names of the tensors of a `Usage` in a state, in order."""
        return [f"usage.{name}" for name in cls.__annotations__]

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Tensor]) -> Self:
        return cls(*(tensors[name].clone() for name in cls.names()))

    def tensors(self) -> dict[str, Tensor]:
        own = (self.share, self.error, self.loss, self.age)
        return {name: x.clone() for name, x in zip(self.names(), own, strict=True)}

    def add(self, batch: Batch) -> Self:
        """Return the averages after one more batch."""
        return replace(
            self,
            share=MEMORY * self.share + (1 - MEMORY) * batch.share,
            error=MEMORY * self.error + (1 - MEMORY) * batch.error,
            loss=MEMORY * self.loss + (1 - MEMORY) * batch.loss,
        )

    def older(self) -> Self:
        return replace(self, age=self.age + 1)

    def copied(self, to: int, source: int) -> Self:
        """Return the averages after a copy: the copy and its source each get half of the values of
        the source, and both start a trial."""
        share, error, age = self.share.clone(), self.error.clone(), self.age.clone()
        share[[to, source]] = share[source] / 2
        error[[to, source]] = error[source] / 2
        age[[to, source]] = 0
        return replace(self, share=share / share.sum(), error=error, age=age)

    def small(self, least: float) -> list[int]:
        """Return the clusters that won less than a fraction `least` of the images."""
        return (self.share < least).nonzero()[:, 0].tolist()

    def needless(self, part: float) -> tuple[int, int] | None:
        """Return the most redundant cluster, and the cluster with the largest error, of which it
        should become a copy.

        Returns None unless removing the first costs less than `part` times the error of the second.
        Clusters in their trial are ignored.
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
"""Tensors that every state contains; the others depend on the model."""


@dataclass(frozen=True)
class Counters:
    """Counters that describe the progress of a run."""

    iteration: int = 0
    seconds: float = 0.0
    """CPU time, including all resumptions."""
    position: int = 0
    """Number of images used in the current pass through the data."""
    loss: float = 0.0
    """Sum of the losses of the steps in the current period."""
    steps: int = 0
    """Number of steps in this sum. It is stored because a fork may change the length of a
    period."""


@dataclass(frozen=True, eq=False)
class State:
    """A run between two steps: its weights, moments, curriculum, order of the data, and random
    generator."""

    config: ClusterConfig
    seed: int
    n: int
    """Number of training images."""
    pace: Pace
    counters: Counters
    tensors: Mapping[str, Tensor]

    @property
    def prototypes(self) -> Images:
        """[k c h w]: the prototypes, or the means of a mixture."""
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
    """Return the content of the file of a state. `ia_engine.files.read_note` reads the note."""
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
    """Write the state to a file atomically."""
    write_whole(path, pack_state(state, note))


def load_state(path: Path, device: str = "cpu") -> State:
    """Read a file that `save_state` wrote. Raises EngineError for any other file."""
    header, tensors = read_tensors(path, "pt", device)
    if (header.get("format"), header.get("version")) != (FORMAT, str(VERSION)):
        raise EngineError(
            f"{path.name} is not a clustering run in format version {VERSION}: choose another file"
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
    counters.setdefault("steps", counters["iteration"] % config.period)  # not stored in old files
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
