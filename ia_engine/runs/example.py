"""A precomputed run as the player's frames: shown at once, without torch."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ia_engine.runs.record import Record
from ia_engine.runs.store import load_run, save_run

KNOWN = ("names", "labels", "classes", "betas")


@dataclass(frozen=True, eq=False)
class Example:
    """The frames of each method, what the images are called, and where the run comes from."""

    record: Record
    frames: Mapping[str, Sequence[bytes]]
    names: Sequence[str]
    labels: Sequence[int]
    classes: Sequence[str]
    betas: Mapping[str, float]


def save_example(path: Path, example: Example) -> None:
    """Write the example as a run whose arrays are its frames."""
    known = {name: getattr(example, name) for name in KNOWN}
    arrays = {
        f"{method}.{k}": _bytes(frame)
        for method, frames in example.frames.items()
        for k, frame in enumerate(frames)
    }
    arrays["known"] = _bytes(json.dumps(known, ensure_ascii=False).encode())
    save_run(path, example.record, arrays)


def load_example(path: Path) -> Example:
    """Read what `save_example` wrote."""
    record, arrays = load_run(path)
    known = json.loads(arrays.pop("known").tobytes())
    frames: dict[str, dict[int, bytes]] = {}
    for name, array in arrays.items():
        method, _, k = name.partition(".")
        frames.setdefault(method, {})[int(k)] = array.tobytes()
    in_order = {method: [f[k] for k in sorted(f)] for method, f in frames.items()}
    return Example(record, in_order, **{name: known[name] for name in KNOWN})


def _bytes(content: bytes) -> NDArray[Any]:
    return np.frombuffer(content, np.uint8)
