"""Reads and writes precomputed runs without importing torch. Each is one safetensors file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from ia_engine.errors import EngineError
from ia_engine.figures.frames import Frame, name_arrays, read_frame
from ia_engine.files import read_tensors, write_whole
from ia_engine.runs.folder import Arrays, Record

FORMAT: Final = "ia-run"
VERSION: Final = 1


def save_run(path: Path, record: Record, arrays: Arrays) -> None:
    """Write the record and the arrays of a run to a file, atomically."""
    header = {
        "format": FORMAT,
        "version": str(VERSION),
        "record": json.dumps(asdict(record), ensure_ascii=False),
    }
    contents = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    write_whole(path, save(contents, header))


def load_run(path: Path) -> tuple[Record, dict[str, NDArray[Any]]]:
    """Read the record and the arrays that `save_run` wrote."""
    header, arrays = read_tensors(path, "np")
    return _read_header(path, header), arrays


def _read_header(path: Path, header: dict[str, str]) -> Record:
    if header.get("format") != FORMAT:
        raise EngineError(
            f"{path.name} was not saved by this program: choose the file of a saved run"
        )
    if header.get("version") != str(VERSION):
        raise EngineError(
            f"{path.name} has format version {header.get('version')}, but this program reads "
            f"version {VERSION}: update the program, or save the run again"
        )
    try:
        values = json.loads(header["record"])
        return Record(**{part.name: values[part.name] for part in fields(Record)})
    except (KeyError, TypeError, ValueError) as cause:
        raise EngineError(f"{path.name} has a damaged record: save the run again") from cause


KNOWN = ("names", "labels", "classes", "betas")


@dataclass(frozen=True, eq=False)
class Example:
    """A precomputed run: the frames of each method, the names and classes of the images, and the
    record."""

    record: Record
    frames: Mapping[str, Sequence[Frame]]
    names: Sequence[str]
    labels: Sequence[int]
    classes: Sequence[str]
    betas: Mapping[str, float]


def save_example(path: Path, example: Example) -> None:
    """Write the example; its frames become the arrays of a run."""
    known = {name: getattr(example, name) for name in KNOWN}
    text = json.dumps(known, ensure_ascii=False).encode()
    arrays: dict[str, NDArray[Any]] = {"known": np.frombuffer(text, np.uint8)}
    for method, frames in example.frames.items():
        for frame in frames:
            arrays |= name_arrays(f"{method}.{frame.k}", frame)
    save_run(path, example.record, arrays)


def load_example(path: Path) -> Example:
    """Read an example that `save_example` wrote."""
    record, arrays = load_run(path)
    known = json.loads(arrays.pop("known").tobytes())
    numbers: dict[str, set[int]] = {}
    for name in arrays:
        method, k = name.split(".")[:2]
        numbers.setdefault(method, set()).add(int(k))
    frames = {
        method: [read_frame(f"{method}.{k}", k, arrays) for k in sorted(own)]
        for method, own in numbers.items()
    }
    return Example(record, frames, **{name: known[name] for name in KNOWN})
