"""One run in its folder: its note, its steps, how it ended, and the lock of its writer.

A lock ends with its process. `is_locked` asks through a shared lock: two readers never take each
other for the writer. On a file system without locks, no run is locked.
"""

import errno
import hashlib
import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ia_engine.errors import EngineError
from ia_engine.files import OWN, write_whole
from ia_engine.runs.record import Arrays, Record

HELD: Final = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})
"""What a system says of a lock that somebody else holds; ENOLCK and others say that it has none."""
TRIES: Final = 6
"""So often a lock is asked for: it may be that somebody just looks."""
PAUSE: Final = 0.01
"""Seconds between two of them."""

if sys.platform == "win32":

    def _take(handle: int) -> bool:
        """Windows knows no such locks: there a run is never taken for under way."""
        return True

    _look = _take

else:
    import fcntl

    def _take(handle: int) -> bool:
        """Whether it is ours now."""
        return _try(handle, fcntl.LOCK_EX)

    def _look(handle: int) -> bool:
        """Whether nobody holds it; others may look at the same time."""
        return _try(handle, fcntl.LOCK_SH)

    def _try(handle: int, how: int) -> bool:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except OSError as cause:
            return cause.errno not in HELD
        return True


class Lock:
    """Held until it is released, forgotten, or its process ends."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    __del__ = release


def take_lock(path: Path) -> Lock | None:
    """The lock of this file; None if somebody holds it. OSError where it cannot be opened."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, OWN)
    for _ in range(TRIES):
        if _take(handle):
            return Lock(handle)
        time.sleep(PAUSE)
    os.close(handle)
    return None


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock now; what cannot be opened is not ours to ask about."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _look(handle)
    finally:
        os.close(handle)


FORMAT: Final = "ia-runs"
VERSION: Final = 1
PARTS: Final = 4
"""Of an id: date, time, microseconds, name."""
ENDED: Final = "ended.json"
STATE: Final = "state.safetensors"
HASHED: Final = "sha256:"
"""An owner is stored as the hash of the viewer's cookie; older runs hold the cookie itself."""
SUM: Final = "sha256"
"""The metadata of a safetensors file that holds its checksum."""


@dataclass(frozen=True)
class Note:
    """What its owner has written on a run."""

    name: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ended:
    """How a run ended, why if it failed, and the number of its steps (-1 in older runs)."""

    state: str
    error: str = ""
    steps: int = -1


@dataclass(frozen=True)
class Kept:
    """A run as it stands in its folder."""

    id: str
    folder: Path
    kind: str
    """What it computes: "attention", "mean", …"""
    owner: str
    """The hash of its owner; "" for a run that belongs to everyone."""
    record: Record
    note: Note
    steps: int
    state: str
    """running, interrupted, or how it ended."""
    error: str = ""
    damage: str = ""
    """What is missing, if the run can be read only in part."""

    @property
    def title(self) -> str:
        return self.note.name or self.record.title

    @property
    def name(self) -> str:
        """Its id without the time: what a link calls it."""
        return self.id.split("-", PARTS - 1)[-1]

    def belongs_to(self, owner: str) -> bool:
        """True if this owner began the run."""
        return bool(self.owner) and self.owner == hash_owner(owner)

    def arrays(self, step: int) -> dict[str, NDArray[Any]]:
        """The arrays of a step, counted from 1."""
        if not 1 <= step <= self.steps:
            raise EngineError(
                f"run {self.id} has {self.steps} finished steps: choose one of them; got {step}"
            )
        return read_arrays(self.folder / step_name(step))

    def given(self) -> dict[str, NDArray[Any]]:
        """The arrays it begins with."""
        return read_arrays(self.folder / "given.safetensors")

    def kept_state(self) -> bytes | None:
        """What the next step needs, if it was kept apart."""
        path = self.folder / STATE
        return _read_sealed(path) if path.exists() else None


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
    if values.pop(SUM, None) not in (None, sum_values(values)):
        raise EngineError(f"run {folder.name} has a damaged record: compute it again, or delete it")
    try:
        record = Record(**{part.name: values["record"][part.name] for part in fields(Record)})
        kind, owner = str(values["kind"]), _read_owner(values["owner"])
        note = _read_json(folder / "note.json", {})
        named = Note(str(note.get("name", "")), tuple(map(str, note.get("tags", ()))))
        ended = Ended(**_read_json(folder / ENDED, {"state": ""}))
        _check(record)
        _check(ended)
        datetime.fromisoformat(record.created)
    except (KeyError, TypeError, ValueError, RecursionError) as cause:
        raise EngineError(
            f"run {folder.name} has a damaged record: compute it again, or delete it"
        ) from cause
    files = {path.name for path in folder.glob("step-*.safetensors")}
    steps = _count(files)
    state = "running" if is_locked(folder / "lock") else ended.state or "interrupted"
    damage = _find_damage(folder, len(files), steps, ended)
    return Kept(folder.name, folder, kind, owner, record, named, steps, state, ended.error, damage)


def find_owner(folder: Path) -> str | None:
    """The owner of a run that may be damaged; None if that cannot be read."""
    try:
        return _read_owner(_read_json(folder / "run.json")["owner"])
    except (EngineError, KeyError):
        return None


def _read_owner(stored: object) -> str:
    """The hash of an owner, also of one that an older version stored as it is."""
    owner = str(stored)
    return owner if owner.startswith(HASHED) else hash_owner(owner)


def sum_values(values: Mapping[str, object]) -> str:
    """The checksum of what a record says."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def hash_owner(owner: str) -> str:
    """The form in which an owner is stored; "" stays "", which means everyone."""
    return HASHED + hashlib.sha256(owner.encode()).hexdigest() if owner else ""


def _find_damage(folder: Path, there: int, steps: int, ended: Ended) -> str:
    """One sentence if a file of the run is missing; `there` is the number of files of steps."""
    if not (folder / "given.safetensors").exists():
        missing = "the data that it begins with"
    elif steps < there or steps < ended.steps:
        missing = f"step {steps + 1}"
    else:
        return ""
    return f"A file is missing ({missing}): compute the run again, or delete it."


def _check(part: Record | Ended) -> None:
    """A TypeError where a field is not what its annotation says: a text, a number, a table."""
    for name, kind in get_type_hints(type(part)).items():
        if not isinstance(getattr(part, name), get_origin(kind) or kind):
            raise TypeError(name)


def _count(there: set[str]) -> int:
    """The steps up to the first whose file is missing."""
    return next(k for k in range(len(there) + 1) if step_name(k + 1) not in there)


def step_name(step: int) -> str:
    return f"step-{step:05d}.safetensors"


def write_arrays(path: Path, arrays: Arrays) -> None:
    write_sealed(path, save({name: np.asarray(x, order="C") for name, x in arrays.items()}))


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    content = _read_sealed(path)
    try:
        return load(content)
    except (SafetensorError, KeyError, ValueError) as cause:
        raise _damaged(path, str(cause)) from cause


def write_sealed(path: Path, content: bytes) -> None:
    """Write the content of a safetensors file with a checksum in its metadata."""
    header, body = _split(content)
    about = header.setdefault("__metadata__", {})
    about[SUM] = _sum(header, body)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    write_whole(path, len(text).to_bytes(8, "little") + text + body, OWN)


def _read_sealed(path: Path) -> bytes:
    """The content of a safetensors file, if its checksum is right; older files have none."""
    try:
        content = path.read_bytes()
        header, body = _split(content)
        right = _is_right(header, body)
    except OSError as cause:
        raise _damaged(path, cause.strerror or "it cannot be read") from cause
    except (ValueError, TypeError, AttributeError, RecursionError) as cause:
        raise _damaged(path, "its header cannot be read") from cause
    if not right:
        raise _damaged(path, "its checksum is wrong")
    return content


def _is_right(header: dict[str, Any], body: bytes) -> bool:
    """False also if the checksum is there, but its name is damaged."""
    about = header.get("__metadata__", {})
    if SUM in about:
        return bool(about.pop(SUM) == _sum(header, body))
    rest = {name: {**about} for name in about}
    for name, others in rest.items():
        if others.pop(name) == _sum({**header, "__metadata__": others}, body):
            return False
    return True


def _split(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the tensors of a safetensors file."""
    end = 8 + int.from_bytes(content[:8], "little")
    return json.loads(content[8:end]), content[end:]


def _sum(header: Mapping[str, Any], body: bytes) -> str:
    return hashlib.sha256(sum_values(header).encode() + body).hexdigest()


def _damaged(path: Path, why: str) -> EngineError:
    return EngineError(
        f"{path.name} of run {path.parent.name} is damaged ({why}): compute the run again, "
        "or delete it"
    )


def write_json(path: Path, values: Mapping[str, object]) -> None:
    write_whole(path, json.dumps(values, ensure_ascii=False, indent=1).encode(), OWN)


def _read_json(path: Path, otherwise: dict[str, Any] | None = None) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if otherwise is not None:
            return otherwise
        raise EngineError(f"{path.parent.name} holds no {path.name}: it is no run") from None
    except (OSError, ValueError, RecursionError) as cause:
        raise EngineError(
            f"{path.parent.name} has a damaged {path.name}: compute the run again, or delete it"
        ) from cause
    if not isinstance(values, dict):
        raise EngineError(
            f"{path.parent.name} has a damaged {path.name}: compute the run again, or delete it"
        )
    return values
