"""One run as it stands in its folder: its record and note, its steps, and how it ended.

Every file is whole or not there; what cannot be read is an EngineError that says why.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ia_engine.errors import EngineError
from ia_engine.files import write_whole
from ia_engine.runs.locks import is_locked
from ia_engine.runs.record import Arrays, Record

FORMAT: Final = "ia-runs"
VERSION: Final = 1
PARTS: Final = 4
"""Of an id: date, time, microseconds, name."""
ENDED: Final = "ended.json"


@dataclass(frozen=True)
class Note:
    """What its owner has written on a run."""

    name: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ended:
    """How a run ended, and why if it failed."""

    state: str
    error: str = ""


@dataclass(frozen=True)
class Kept:
    """A run as it stands in its folder."""

    id: str
    folder: Path
    kind: str
    """What it computes: "attention", "mean", …"""
    owner: str
    record: Record
    note: Note
    steps: int
    state: str
    """running, interrupted, or how it ended."""
    error: str = ""

    @property
    def title(self) -> str:
        return self.note.name or self.record.title

    @property
    def name(self) -> str:
        """Its id without the time: what a link calls it."""
        return self.id.split("-", PARTS - 1)[-1]

    def arrays(self, step: int) -> dict[str, NDArray[Any]]:
        """The arrays of a step, counted from 1."""
        if not 1 <= step <= self.steps:
            raise EngineError(
                f"run {self.id} has {self.steps} finished steps: choose one of them, {step} came"
            )
        return read_arrays(self.folder / step_name(step))

    def given(self) -> dict[str, NDArray[Any]]:
        """The arrays it begins with."""
        return read_arrays(self.folder / "given.safetensors")

    def kept_state(self) -> bytes | None:
        """What the next step needs, if it was kept apart."""
        path = self.folder / "state.safetensors"
        return path.read_bytes() if path.exists() else None


def read_run(folder: Path) -> Kept:
    """The run of this folder; an EngineError says why it is none."""
    if folder.name.count("-") < PARTS - 1:
        raise EngineError(
            f"{folder.name} was renamed, runs are called DATE-TIME-MICROSECONDS-NAME: give it its "
            "old name"
        )
    values = _read_json(folder / "run.json")
    if values.get("format") != FORMAT:
        raise EngineError(f"{folder.name} is not a run of this program: move it elsewhere")
    if values.get("version") != VERSION:
        raise EngineError(
            f"run {folder.name} has the format version {values.get('version')}, this program "
            f"reads version {VERSION}: update it, or compute the run again"
        )
    try:
        record = Record(**{part.name: values["record"][part.name] for part in fields(Record)})
        kind, owner = str(values["kind"]), str(values["owner"])
        note = _read_json(folder / "note.json", {})
        named = Note(str(note.get("name", "")), tuple(map(str, note.get("tags", ()))))
        ended = Ended(**_read_json(folder / ENDED, {"state": ""}))
        _check(record)
        _check(ended)
    except (KeyError, TypeError) as cause:
        raise EngineError(f"run {folder.name} has a damaged record: compute it again") from cause
    steps = _count(folder)
    state = "running" if is_locked(folder / "lock") else ended.state or "interrupted"
    return Kept(folder.name, folder, kind, owner, record, named, steps, state, ended.error)


def _check(part: Record | Ended) -> None:
    """A TypeError where a field is not what its annotation says: a text, a number, a table."""
    for name, kind in get_type_hints(type(part)).items():
        if not isinstance(getattr(part, name), get_origin(kind) or kind):
            raise TypeError(name)


def _count(folder: Path) -> int:
    """The steps up to the first that is missing."""
    there = {path.name for path in folder.glob("step-*.safetensors")}
    return next(k for k in range(len(there) + 1) if step_name(k + 1) not in there)


def step_name(step: int) -> str:
    return f"step-{step:05d}.safetensors"


def write_arrays(path: Path, arrays: Arrays) -> None:
    write_whole(path, save({name: np.asarray(array, order="C") for name, array in arrays.items()}))


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        return load(path.read_bytes())
    except (SafetensorError, OSError) as cause:
        raise EngineError(
            f"{path.name} of run {path.parent.name} is damaged ({cause}): compute the run again"
        ) from cause


def write_json(path: Path, values: Mapping[str, object]) -> None:
    write_whole(path, json.dumps(values, ensure_ascii=False, indent=1).encode())


def _read_json(path: Path, otherwise: dict[str, Any] | None = None) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if otherwise is not None:
            return otherwise
        raise EngineError(f"{path.parent.name} holds no {path.name}: it is no run") from None
    except (OSError, ValueError) as cause:
        raise EngineError(f"{path.parent.name} has a damaged {path.name}: {cause}") from cause
    if not isinstance(values, dict):
        raise EngineError(f"{path.parent.name} has a damaged {path.name}: compute the run again")
    return values
