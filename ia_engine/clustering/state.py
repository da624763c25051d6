"""All that going on depends on, and its file: safetensors with a header in JSON, no pickle."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import save
from torch import Tensor

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.curriculum import Pace
from ia_engine.clustering.usage import Usage
from ia_engine.errors import EngineError
from ia_engine.files import read_tensors, write_whole
from ia_engine.shapes import Images

FORMAT: Final = "ia-clustering"
VERSION: Final = 1
PROTOTYPES: Final = "model.comparison.prototypes"
NEEDED: Final = frozenset({PROTOTYPES, "order", "generator", *Usage.names()})
"""What every model's state has; the rest is known to its learner."""


@dataclass(frozen=True)
class Counters:
    """Where a run is, in numbers."""

    iteration: int = 0
    seconds: float = 0.0
    """CPU time so far, over all resumptions."""
    position: int = 0
    """So many images of this round through the data have been seen."""
    loss: float = 0.0
    """Summed over the steps of this period."""
    steps: int = 0
    """So many are in that sum: a fork may change the period in the midst of one."""


@dataclass(frozen=True, eq=False)
class State:
    """A run between two steps: weights, moments, curriculum, the order of the data, and chance."""

    config: ClusterConfig
    seed: int
    n: int
    """How many images it is trained on."""
    pace: Pace
    counters: Counters
    tensors: Mapping[str, Tensor]

    @property
    def prototypes(self) -> Images:
        """[k c h w]; the means of a mixture."""
        return self.tensors[PROTOTYPES]

    @property
    def rows(self) -> Tensor:
        """[n]: of all images it is trained on, in their order."""
        return torch.arange(self.n, device=self.prototypes.device)

    @property
    def iteration(self) -> int:
        return self.counters.iteration

    @property
    def stage(self) -> int:
        """How many modules are on."""
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
    """Write all or nothing."""
    write_whole(path, pack_state(state, note))


def load_state(path: Path, device: str = "cpu") -> State:
    """What `save_state` wrote; anything else is an EngineError."""
    header, tensors = read_tensors(path, "pt", device)
    if (header.get("format"), header.get("version")) != (FORMAT, str(VERSION)):
        raise EngineError(f"{path.name} is not a clustering run of version {VERSION}")
    missing = NEEDED - tensors.keys()
    if missing:
        raise EngineError(
            f"{path.name} is damaged, it lacks {', '.join(sorted(missing))}: save the run again"
        )
    try:
        return _read(header, tensors)
    except (KeyError, TypeError, ValueError) as cause:
        raise EngineError(f"{path.name} has a damaged header: save the run again") from cause


def _read(header: dict[str, str], tensors: dict[str, Tensor]) -> State:
    run, pace, counters = (json.loads(header[name]) for name in ("run", "pace", "counters"))
    config = ClusterConfig.from_json(header["config"])
    counters.setdefault("steps", counters["iteration"] % config.period)  # not in the first files
    state = State(
        config=config,
        seed=int(run["seed"]),
        n=int(run["n"]),
        pace=Pace(**{part.name: pace[part.name] for part in fields(Pace)}),
        counters=Counters(**{part.name: counters[part.name] for part in fields(Counters)}),
        tensors=tensors,
    )
    if len(state.prototypes) != state.config.k:
        raise ValueError(f"{len(state.prototypes)} prototypes for k = {state.config.k}")
    return state
