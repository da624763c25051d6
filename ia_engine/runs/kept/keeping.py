"""Items of a job written into the library while they are shown, and read again."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError

from ia_engine.errors import EngineError
from ia_engine.runs.library import Kept, Library, Writer
from ia_engine.runs.record import Arrays, Record

T = TypeVar("T")
R = TypeVar("R")

log = logging.getLogger(__name__)

DAMAGE: Final = (LookupError, TypeError, ValueError, RuntimeError, OSError, SafetensorError)
"""What reading a file throws that is not as it was written."""


@dataclass(frozen=True)
class Codec(Generic[T]):
    """How one kind of run becomes arrays, item by item, and comes back."""

    kind: str
    pack: Callable[[T], Arrays | None]
    """None of an item that brings nothing to keep."""
    unpack: Callable[[Kept], Sequence[T]]
    state: Callable[[T], bytes | None] = lambda _: None
    """What going on needs beside the items: as bytes, of the items that bring a new one."""


@dataclass(frozen=True)
class Shelf:
    """Where a run goes: the library, its id there, and whose it is."""

    library: Library
    id: str
    owner: str

    def begin(self, kind: str, about: "About") -> Writer:
        record, given = about()
        return self.library.begin(kind, record, given, self.owner, self.id)


def tell_damage(read: Callable[[Kept], R]) -> Callable[[Kept], R]:
    """The same reader; what it stumbles over in damaged files is told in a sentence."""

    @wraps(read)
    def told(kept: Kept) -> R:
        with telling_damage(kept):
            return read(kept)

    return told


@contextmanager
def telling_damage(kept: Kept) -> Iterator[None]:
    """The same for a block."""
    try:
        yield
    except EngineError:
        raise
    except DAMAGE as cause:
        why = " ".join(f"{type(cause).__name__}: {cause}".split())
        raise EngineError(
            f"run {kept.id} is damaged ({why}): compute it again, or delete it"
        ) from cause


About = Callable[[], tuple[Record, Arrays]]
"""Where a run comes from and what it begins with: asked for when there is something to keep."""


def keep_items(shelf: Shelf, codec: Codec[T], about: About, items: Iterator[T]) -> Iterator[T]:
    """The same items. Each is written once it has been shown, so that nobody waits for a disk."""
    keeping = _Keeping(shelf, codec, about)
    state, error = "cancelled", ""
    try:
        for item in items:
            try:
                yield item
            finally:
                keeping.add(item)
        state = "done"
    except EngineError as cause:
        state, error = "failed", str(cause)
        raise
    finally:
        keeping.end(state, error)


class _Keeping(Generic[T]):
    """Writes items as long as the disk takes them: a full one ends the keeping, not the run."""

    def __init__(self, shelf: Shelf, codec: Codec[T], about: About) -> None:
        self._shelf, self._codec, self._about = shelf, codec, about
        self._writer: Writer | None = None
        self._whole = True

    def add(self, item: T) -> None:
        if not self._whole:
            return
        try:
            self._writer = self._writer or self._shelf.begin(self._codec.kind, self._about)
            arrays = self._codec.pack(item)
            if arrays is not None:
                self._writer.append(arrays, self._codec.state(item))
        except OSError as cause:
            self._whole = False
            log.warning("run %s is not kept any further: %s", self._shelf.id, cause)

    def end(self, state: str, error: str) -> None:
        """Say how the run ended; of one that was not kept to its end, that it can go on."""
        with suppress(OSError):
            if self._writer is not None:
                self._writer.end(*((state, error) if self._whole else ("cancelled", "")))


def to_text(values: Mapping[str, Any]) -> NDArray[np.uint8]:
    """Words and numbers as an array of bytes."""
    return to_bytes(json.dumps(values, ensure_ascii=False).encode())


def from_text(array: NDArray[Any]) -> dict[str, Any]:
    """The inverse of `to_text`."""
    found: dict[str, Any] = json.loads(array.tobytes())
    return found


def to_bytes(content: bytes) -> NDArray[np.uint8]:
    """Bytes as an array."""
    return np.frombuffer(content, np.uint8)
