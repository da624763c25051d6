"""Reads a saved run from its folder: its record, its steps, and how it ended.

A process that computes a run holds the lock of the run's folder until the process ends. On a file
system without locks, no run is locked.
"""

import hashlib
import json
import platform
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import wraps
from importlib import metadata
from pathlib import Path
from typing import Any, Final, TypeVar, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ia_engine.errors import EngineError
from ia_engine.files import OWN, is_locked, write_whole
from ia_engine.version import __version__

FORMAT: Final = "ia-runs"
VERSION: Final = 1
PACKAGE: Final = "invariant-attention-explorer"
"""Name of this package among the versions in a record."""
PARTS: Final = 4
"""Number of parts of an ID: date, time, microseconds and name."""
ENDED: Final = "ended.json"
GIVEN: Final = "given.safetensors"
RECORD: Final = "run.json"
STATE: Final = "state.safetensors"
HASHED: Final = "sha256:"
"""Prefix of the hash that identifies an owner. Older runs contain the cookie itself."""
SUM: Final = "sha256"
"""Key of the checksum in the metadata of a safetensors file."""

DAMAGE: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError),
    *(OSError, RuntimeError, TypeError, ValueError, SafetensorError, struct.error, zlib.error),
)
"""Errors that reading a damaged file may raise."""
MAX_REASON: Final = 200
"""Maximum number of characters in a reason, because it may quote a damaged file."""

Arrays = Mapping[str, NDArray[Any]]
R = TypeVar("R")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _list_versions() -> dict[str, str]:
    packages = {name: metadata.version(name) for name in ("torch", "kornia", "numpy")}
    return {PACKAGE: __version__, "python": platform.python_version(), **packages}


@dataclass(frozen=True)
class Record:
    """The origin of a run, whose recipe, config, seed and digest determine its result."""

    recipe: str
    """The recipe of the data as JSON."""
    config: str
    """The config of the method as JSON."""
    seed: int
    digest: str
    """The digest of the data."""
    device: str
    title: str
    versions: dict[str, str] = field(default_factory=_list_versions)
    created: str = field(default_factory=_now)

    def same_run(self, other: "Record") -> bool:
        """Return True if both records are equal, except for their times."""
        return replace(self, created="") == replace(other, created="")


@dataclass(frozen=True)
class Note:
    """The name, the tags and the text that its owner has given to a run."""

    name: str = ""
    tags: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Ended:
    """How a run ended, its error if it failed, and its number of steps (-1 in older runs)."""

    state: str
    error: str = ""
    steps: int = -1


@dataclass(frozen=True)
class SavedRun:
    """The contents of the folder of a saved run at the time when it was read."""

    id: str
    folder: Path
    kind: str
    """The ID of the kind of run: "attention", "mean", …"""
    owner: str
    """The hash of the owner; "" for a run that belongs to everyone."""
    record: Record
    note: Note
    steps: int
    state: str
    """"running", "interrupted", or how the run ended."""
    error: str = ""
    damage: str = ""
    """A sentence that states what is missing; "" if the run is complete."""

    @property
    def title(self) -> str:
        """The name that the owner has given to the run or, if there is none, its title."""
        return self.note.name or self.record.title

    @property
    def name(self) -> str:
        """The ID without the time, as used in links."""
        return self.id.split("-", PARTS - 1)[-1]

    def belongs_to(self, owner: str) -> bool:
        """Return True if this owner started the run."""
        return bool(self.owner) and self.owner == hash_owner(owner)

    def arrays(self, step: int) -> dict[str, NDArray[Any]]:
        """Return the arrays of a step. Steps are counted from 1."""
        if not 1 <= step <= self.steps:
            raise EngineError(
                f"step must be a finished step of run {self.id}, from 1 to {self.steps}; got {step}"
            )
        return read_arrays(self.folder / step_name(step))

    def given(self) -> dict[str, NDArray[Any]]:
        """Return the initial arrays of the run."""
        return read_arrays(self.folder / GIVEN)

    def kept_state(self) -> bytes | None:
        """Return the state that the next step needs, or None if it is not in a separate file."""
        path = self.folder / STATE
        return _read_sealed(path) if path.exists() else None


def read_run(folder: Path) -> SavedRun:
    """Read the run in a folder. Raises EngineError if it cannot be read."""
    if folder.name.count("-") < PARTS - 1:
        raise EngineError(
            f"{folder.name} was renamed, but its name must be DATE-TIME-MICROSECONDS-NAME: "
            "restore the old name"
        )
    values = _read_json(folder / RECORD)
    if values.get("format") != FORMAT:
        raise EngineError(f"{folder.name} is not a run of this program: move it elsewhere")
    if values.get("version") != VERSION:
        raise EngineError(
            f"run {folder.name} has format version {values.get('version')}, but this program "
            f"reads version {VERSION}: update the program, or compute the run again"
        )
    if values.pop(SUM, None) not in (None, sum_values(values)):
        raise _damaged_record(folder)
    try:
        record = Record(**{part.name: values["record"][part.name] for part in fields(Record)})
        kind, owner = str(values["kind"]), _read_owner(values["owner"])
        note = _read_json(folder / "note.json", {})
        texts = (str(note.get("name", "")), str(note.get("text", "")))
        named = Note(texts[0], tuple(map(str, note.get("tags", ()))), texts[1])
        ended = Ended(**_read_json(folder / ENDED, {"state": ""}))
        _check(record)
        _check(ended)
        datetime.fromisoformat(record.created)
    except (KeyError, TypeError, ValueError, RecursionError) as cause:
        raise _damaged_record(folder) from cause
    files = {path.name for path in folder.glob("step-*.safetensors")}
    steps = next(k for k in range(len(files) + 1) if step_name(k + 1) not in files)
    state = "running" if is_locked(folder / "lock") else ended.state or "interrupted"
    damage = _find_damage(folder, len(files), steps, ended)
    return SavedRun(
        folder.name, folder, kind, owner, record, named, steps, state, ended.error, damage
    )


def find_owner(folder: Path) -> str | None:
    """Return the owner of a run, which may be damaged; None if the owner cannot be read."""
    try:
        return _read_owner(_read_json(folder / RECORD)["owner"])
    except (EngineError, KeyError):
        return None


def set_owner(content: bytes, owner: str) -> dict[str, object]:
    """Return the values of a record, as bytes of JSON, with another owner and a new checksum.

    Raises EngineError if the record cannot be read.
    """
    try:
        values = {**json.loads(content), "owner": hash_owner(owner)}
    except (TypeError, ValueError, RecursionError) as cause:
        raise EngineError("a run has a damaged run.json: compute it again, or delete it") from cause
    values.pop(SUM, None)
    return {**values, SUM: sum_values(values)}


def _read_owner(stored: object) -> str:
    """Return the hash of an owner. Older runs contain the cookie itself, which is hashed here."""
    owner = str(stored)
    return owner if owner.startswith(HASHED) else hash_owner(owner)


def sum_values(values: Mapping[str, object]) -> str:
    """Compute the checksum of a record or a header."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def hash_owner(owner: str) -> str:
    """Return the hash that identifies an owner; "" stands for everyone and is returned
    unchanged."""
    return HASHED + hashlib.sha256(owner.encode()).hexdigest() if owner else ""


def _find_damage(folder: Path, there: int, steps: int, ended: Ended) -> str:
    """Return a sentence if a file of the run is missing, otherwise "". `there` is the number of
    step files."""
    if not (folder / GIVEN).exists():
        missing = "its initial data"
    elif steps < there or steps < ended.steps:
        missing = f"step {steps + 1}"
    else:
        return ""
    return f"A file is missing ({missing}): compute the run again, or delete it."


def _check(part: Record | Ended) -> None:
    """Raise TypeError if a value does not have the type of its field."""
    for name, kind in get_type_hints(type(part)).items():
        if not isinstance(getattr(part, name), get_origin(kind) or kind):
            raise TypeError(name)


def step_name(step: int) -> str:
    """Return the name of the file of a step. Steps are counted from 1."""
    return f"step-{step:05d}.safetensors"


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write a safetensors file with its checksum."""
    write_sealed(path, save({name: np.asarray(x, order="C") for name, x in arrays.items()}))


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read arrays that `write_arrays` wrote. Raises EngineError if the file is damaged."""
    content = _read_sealed(path)
    try:
        return load(content)
    except (SafetensorError, KeyError, ValueError) as cause:
        raise _damaged(path, str(cause)) from cause


def write_sealed(path: Path, content: bytes) -> None:
    """Write the content of a safetensors file with a checksum in its metadata."""
    write_whole(path, seal(content), OWN)


def seal(content: bytes) -> bytes:
    """Return the content of a safetensors file with a checksum in its metadata."""
    header, body = _split(content)
    about = header.setdefault("__metadata__", {})
    about[SUM] = _sum(header, body)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + body


def _read_sealed(path: Path) -> bytes:
    """Read a safetensors file and verify its checksum, which older files do not have."""
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
    """Return True if the checksum is correct or absent, False if it or its key is damaged."""
    about = header.get("__metadata__", {})
    if SUM in about:
        return bool(about.pop(SUM) == _sum(header, body))
    rest = {name: {**about} for name in about}
    for name, others in rest.items():
        if others.pop(name) == _sum({**header, "__metadata__": others}, body):
            return False
    return True


def _split(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Split a safetensors file into its header and its tensors."""
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
    """Write values as JSON."""
    write_whole(path, encode_json(values), OWN)


def encode_json(values: Mapping[str, object]) -> bytes:
    """Return values as the JSON text of a run's files."""
    return json.dumps(values, ensure_ascii=False, indent=1).encode()


def _read_json(path: Path, otherwise: dict[str, Any] | None = None) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text("utf-8"))
        if not isinstance(values, dict):
            raise TypeError(path.name)
    except FileNotFoundError:
        if otherwise is not None:
            return otherwise
        raise EngineError(f"{path.parent.name} contains no {path.name}: it is not a run") from None
    except (OSError, TypeError, ValueError, RecursionError) as cause:
        raise EngineError(
            f"{path.parent.name} has a damaged {path.name}: compute the run again, or delete it"
        ) from cause
    return values


def _damaged_record(folder: Path) -> EngineError:
    return EngineError(f"run {folder.name} has a damaged record: compute it again, or delete it")


@contextmanager
def reporting_damage(kept: SavedRun) -> Iterator[None]:
    """Convert errors that are raised while a run is read to an EngineError with a one-sentence
    message."""
    try:
        yield
    except EngineError:
        raise
    except DAMAGE as cause:
        why = " ".join(f"{type(cause).__name__}: {cause}".split())[:MAX_REASON]
        raise EngineError(
            f"run {kept.id} is damaged ({why}): compute it again, or delete it"
        ) from cause


def reports_damage(read: Callable[[SavedRun], R]) -> Callable[[SavedRun], R]:
    """Decorate a function that reads a run with `reporting_damage`."""

    @wraps(read)
    def reporting(kept: SavedRun) -> R:
        with reporting_damage(kept):
            return read(kept)

    return reporting
