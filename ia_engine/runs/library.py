"""Runs kept in a folder: a folder for each run, a file for each step.

    run.json                  where the run comes from: written first, never changed
    given.safetensors         the arrays it begins with
    step-00001.safetensors    as they are finished
    state.safetensors         what the next step needs, where the steps do not hold it
    note.json                 its name and tags
    ended.json                how it ended; not there while it is under way, or was cut off
    lock                      held by the process that computes

Every file is whole or not there, and nothing is shared between runs: a process that is killed
loses the step it was in, and processes on one folder do not meet.
"""

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ia_engine.errors import EngineError
from ia_engine.files import write_whole
from ia_engine.runs.locks import Lock, is_locked, take_lock
from ia_engine.runs.record import Arrays, Record

FORMAT: Final = "ia-runs"
VERSION: Final = 1
DELETED: Final = ".deleted"
FOLDER: Final = "IA_RUNS"
"""The variable that names the folder."""
PARTS: Final = 4
"""Of an id: date, time, microseconds, name."""
HOME: Final = Path(".local", "share", "invariant-attention-explorer", "runs")


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
        return _read_arrays(self.folder / _step_name(step))

    def given(self) -> dict[str, NDArray[Any]]:
        """The arrays it begins with."""
        return _read_arrays(self.folder / "given.safetensors")

    def kept_state(self) -> bytes | None:
        """What the next step needs, if it was kept apart."""
        path = self.folder / "state.safetensors"
        return path.read_bytes() if path.exists() else None


class Writer:
    """A run that is being computed: it takes the finished steps, and holds the run's lock."""

    def __init__(self, folder: Path, lock: Lock, done: int) -> None:
        self.id: Final = folder.name
        self._folder, self._lock, self.done = folder, lock, done

    def append(self, arrays: Arrays, state: bytes | None = None) -> None:
        """Keep the next step, and what the one after it needs: the state first."""
        if state is not None:
            write_whole(self._folder / "state.safetensors", state)
        _write_arrays(self._folder / _step_name(self.done + 1), arrays)
        self.done += 1

    def end(self, state: str, error: str = "") -> None:
        """Say how it ended, and let go of it, even if that cannot be said."""
        try:
            _write_json(self._folder / "ended.json", asdict(Ended(state, error)))
        finally:
            self._lock.release()


class Library:
    """All runs of a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(os.environ.get(FOLDER) or Path.home() / HOME)

    def begin(
        self, kind: str, record: Record, given: Arrays, owner: str = "", name: str = ""
    ) -> Writer:
        """A new run; its folder appears with its record and what it begins with in it."""
        made = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        folder = self.folder / f"{made}-{name or secrets.token_hex(4)}"
        draft = self.folder / f".{folder.name}"
        draft.mkdir(parents=True)
        known = {"format": FORMAT, "version": VERSION, "kind": kind, "owner": owner}
        _write_json(draft / "run.json", {**known, "record": asdict(record)})
        _write_arrays(draft / "given.safetensors", given)
        lock = _lock(draft)
        draft.rename(folder)
        return Writer(folder, lock, 0)

    def go_on(self, run: str) -> Writer:
        """Take up a run where it was left; one process at a time."""
        kept = self.open(run)
        lock = _lock(kept.folder)
        (kept.folder / "ended.json").unlink(missing_ok=True)
        return Writer(kept.folder, lock, self.open(run).steps)

    def runs(self, owner: str | None = None) -> tuple[Kept, ...]:
        """The runs that can be read, newest first; of one owner, if one is given."""
        found = []
        for folder in self._folders():
            with contextlib.suppress(EngineError):
                found.append(_read(folder))
        return tuple(kept for kept in found if owner in (None, kept.owner))

    def unreadable(self) -> tuple[str, ...]:
        """Why each of the others cannot be read, in a sentence."""
        reasons = []
        for folder in self._folders():
            try:
                _read(folder)
            except EngineError as error:
                reasons.append(str(error))
        return tuple(reasons)

    def open(self, run: str) -> Kept:
        """The run of this id, or of the only id that begins so."""
        begun = [folder for folder in self._folders() if run and folder.name.startswith(run)]
        exact = [folder for folder in begun if folder.name == run]
        if len(exact or begun) != 1:
            what = "several runs begin with it" if begun else "there is no such run"
            raise EngineError(f"{run or 'nothing'} names no run ({what}): choose one of the list")
        return _read((exact or begun)[0])

    def find(self, name: str) -> Kept | None:
        """The run that was begun under this name."""
        named = [folder for folder in self._folders() if folder.name.endswith(f"-{name}")]
        return _read(named[0]) if name and len(named) == 1 else None

    def write_note(self, run: str, note: Note) -> None:
        """Name and tag it."""
        tags = tuple(dict.fromkeys(tag.strip() for tag in note.tags if tag.strip()))
        kept = self.open(run)
        _write_json(kept.folder / "note.json", asdict(replace(note, tags=tags)))

    def delete(self, run: str) -> None:
        """Put it aside, so that it can be brought back; a run under way is refused."""
        kept = self.open(run)
        if kept.state == "running":
            raise EngineError(f"run {kept.id} is under way: cancel it before you delete it")
        bin_ = self.folder / DELETED
        bin_.mkdir(exist_ok=True)
        kept.folder.rename(bin_ / kept.id)

    def restore(self, run: str) -> None:
        """Bring a deleted run back."""
        if not (self.folder / DELETED / run).is_dir() or not run:
            raise EngineError(f"{run or 'nothing'} is not among the deleted runs: nothing was done")
        (self.folder / DELETED / run).rename(self.folder / run)

    def forget(self) -> None:
        """Remove the deleted runs for good."""
        shutil.rmtree(self.folder / DELETED, ignore_errors=True)

    def _folders(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        names = (path for path in self.folder.iterdir() if not path.name.startswith("."))
        return sorted((path for path in names if path.is_dir()), reverse=True)


def _lock(folder: Path) -> Lock:
    """The run's lock; an EngineError where somebody computes it, or keeps it to himself."""
    try:
        lock = take_lock(folder / "lock")
    except PermissionError as cause:
        raise EngineError(
            f"run {folder.name} belongs to somebody else ({cause}): compute it again as your own"
        ) from cause
    if lock is None:
        raise EngineError(f"run {folder.name} is under way: wait for it, or cancel it first")
    return lock


def _read(folder: Path) -> Kept:
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
        named = Note(str(note.get("name", "")), tuple(note.get("tags", ())))
        ended = Ended(**_read_json(folder / "ended.json", {"state": ""}))
    except (KeyError, TypeError) as cause:
        raise EngineError(f"run {folder.name} has a damaged record: compute it again") from cause
    running = "running" if is_locked(folder / "lock") else "interrupted"
    steps = _count(folder)
    return Kept(
        folder.name, folder, kind, owner, record, named, steps, ended.state or running, ended.error
    )


def _count(folder: Path) -> int:
    """The steps up to the first that is missing."""
    there = {path.name for path in folder.glob("step-*.safetensors")}
    return next(k for k in range(len(there) + 1) if _step_name(k + 1) not in there)


def _step_name(step: int) -> str:
    return f"step-{step:05d}.safetensors"


def _write_arrays(path: Path, arrays: Arrays) -> None:
    write_whole(path, save({name: np.asarray(array, order="C") for name, array in arrays.items()}))


def _read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        return load(path.read_bytes())
    except (SafetensorError, OSError) as cause:
        raise EngineError(
            f"{path.name} of run {path.parent.name} is damaged ({cause}): compute the run again"
        ) from cause


def _write_json(path: Path, values: Mapping[str, object]) -> None:
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
