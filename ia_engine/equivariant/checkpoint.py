"""Files of checkpoints, from which training can be resumed, and of trained networks with their
records."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import save
from torch import Tensor, nn

from ia_engine.equivariant.networks import build_network
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.errors import EngineError
from ia_engine.files import ASSETS, find_shipped, read_tensors, write_whole

RUN: Final = "ia-training"
NETWORK: Final = "ia-network"
VERSION: Final = "1"
FOLDER: Final = ASSETS / "networks"
SHIPPED: Final = ("z2", "p4", "alpha-f-p4")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Everything on which the next iteration depends."""

    config: TrainingConfig
    seed: int
    digest: str
    """Digest of the data."""
    numbers: Mapping[str, float]
    tensors: Mapping[str, Tensor]

    def under(self, prefix: str) -> dict[str, Tensor]:
        """Return the tensors whose names begin with the prefix, which is removed from the names."""
        found = self.tensors.items()
        return {name.removeprefix(prefix): x for name, x in found if name.startswith(prefix)}


@dataclass(frozen=True)
class NetworkRecord:
    """The origin of trained weights, which is sufficient to reproduce them."""

    network: str
    config: str
    """The training config as JSON."""
    data: str
    digest: str
    seed: int
    iterations: int
    validation_error: float
    test_error: float
    command: str
    torch: str = torch.__version__


@dataclass(frozen=True, eq=False)
class Trained:
    """A network in evaluation mode, and its record."""

    network: nn.Module
    record: NetworkRecord


def save_checkpoint(path: Path, checkpoint: Checkpoint, note: str = "") -> None:
    """Write the file atomically. `ia_engine.files.read_note` reads only the note."""
    header = {
        "config": checkpoint.config.to_json(),
        "seed": str(checkpoint.seed),
        "digest": checkpoint.digest,
        "numbers": json.dumps(dict(checkpoint.numbers)),
        "note": note,
    }
    _write(path, RUN, header, checkpoint.tensors)


def load_checkpoint(path: Path) -> Checkpoint:
    """Load a checkpoint that `save_checkpoint` wrote."""
    header, tensors = _read(path, RUN)
    with _sound(path):
        return Checkpoint(
            TrainingConfig.from_json(header["config"]),
            int(header["seed"]),
            header["digest"],
            json.loads(header["numbers"]),
            tensors,
        )


def save_network(path: Path, network: nn.Module, record: NetworkRecord) -> None:
    """Save the weights in half precision, without the batch counters of batch normalisation."""
    tensors = {
        name: x.detach().half()
        for name, x in network.state_dict().items()
        if not name.endswith("num_batches_tracked")
    }
    _write(path, NETWORK, {"record": json.dumps(asdict(record), ensure_ascii=False)}, tensors)


def load_network(path: Path) -> Trained:
    """Load a trained network in single precision and evaluation mode."""
    header, tensors = _read(path, NETWORK)
    with _sound(path):
        values = json.loads(header["record"])
        record = NetworkRecord(**{part.name: values[part.name] for part in fields(NetworkRecord)})
        exact = TrainingConfig.from_json(record.config).pooling == "exact"
        network = build_network(record.network, exact=exact, device="cpu", dtype=torch.float32)
        missing, extra = network.load_state_dict(
            {name: x.float() for name, x in tensors.items()}, strict=False
        )
        if extra or any(not name.endswith("num_batches_tracked") for name in missing):
            raise KeyError(*missing, *extra)
    return Trained(network.eval(), record)


def load_shipped(name: str) -> Trained:
    """Load a network that is shipped with the project."""
    if name not in SHIPPED:
        raise EngineError(f"network must be one of {', '.join(SHIPPED)}; got {name!r}")
    return load_network(find_shipped(f"networks/{name}.safetensors"))


def flatten_optimiser(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return the moments of the optimiser for every parameter, named by the index of the
    parameter."""
    state = optimiser.state_dict()["state"]
    return {
        f"optimiser.{number}.{name}": torch.as_tensor(x)
        for number, moments in state.items()
        for name, x in moments.items()
        if x is not None
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Load moments that `flatten_optimiser` returned."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, x in tensors.items():
        number, _, moment = name.partition(".")
        state.setdefault(int(number), {})[moment] = x.clone()
    groups = optimiser.state_dict()["param_groups"]
    optimiser.load_state_dict({"state": state, "param_groups": groups})


def _write(path: Path, kind: str, header: dict[str, str], tensors: Mapping[str, Tensor]) -> None:
    whole = {"format": kind, "version": VERSION, **header}
    write_whole(path, save({name: x.contiguous() for name, x in tensors.items()}, whole))


def _read(path: Path, kind: str) -> tuple[dict[str, str], dict[str, Tensor]]:
    header, tensors = read_tensors(path, "pt")
    if (header.get("format"), header.get("version")) != (kind, VERSION):
        what = "training run" if kind == RUN else "trained network"
        raise EngineError(
            f"{path.name} is not a {what} for this version of the program: save it again"
        )
    return header, tensors


@contextmanager
def _sound(path: Path) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError, RuntimeError) as cause:
        raise EngineError(f"{path.name} is damaged: save it again") from cause
