"""What is kept of a run: the record that makes it again, and its steps as arrays."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # a kept run is shown without torch
    from torch import Tensor

    from ia_engine.attention.iteration import Step

Arrays = Mapping[str, NDArray[Any]]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _versions() -> dict[str, str]:
    packages = {name: metadata.version(name) for name in ("torch", "kornia", "numpy")}
    return {"python": platform.python_version(), **packages}


@dataclass(frozen=True)
class Record:
    """Where a run comes from: equal recipe, config, seed and digest give the same run again."""

    recipe: str
    """The data's recipe as JSON."""
    config: str
    """The method's config as JSON."""
    seed: int
    digest: str
    """Of the data."""
    device: str
    title: str
    versions: dict[str, str] = field(default_factory=_versions)
    created: str = field(default_factory=_now)

    def same_run(self, other: "Record") -> bool:
        """Whether both are of one run, whenever it was begun."""
        return replace(self, created="") == replace(other, created="")


def stack_steps(steps: "Sequence[Step]") -> dict[str, NDArray[Any]]:
    """v [steps+1 n c h w], d2 and W [steps n n], seconds [steps], tau [steps n n p] if known."""
    arrays = {
        "v": np.stack([_array(step.v) for step in steps] + [_array(steps[-1].mu)]),
        "d2": np.stack([_array(step.d2) for step in steps]),
        "W": np.stack([_array(step.W) for step in steps]),
        "seconds": np.array([step.seconds for step in steps], dtype=np.float32),
    }
    poses = [_array(step.tau) for step in steps if step.tau is not None]
    return {**arrays, "tau": np.stack(poses)} if len(poses) == len(steps) else arrays


def _array(x: "Tensor") -> NDArray[Any]:
    return x.detach().cpu().numpy().astype(np.float32)
