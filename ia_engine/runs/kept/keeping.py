"""Items of a job written into the library while they are shown, and read again."""

import json
import logging
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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

DAMAGE: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError),
    *(OSError, RuntimeError, TypeError, ValueError, SafetensorError, struct.error, zlib.error),
)
"""What reading a damaged file may raise."""


LONGEST: Final = 200
"""Maximum number of characters of a reason, since it may quote a damaged file."""


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
    """The same reader; a damaged file raises an EngineError of one sentence."""

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
        why = " ".join(f"{type(cause).__name__}: {cause}".split())[:LONGEST]
        raise EngineError(
            f"run {kept.id} is damaged ({why}): compute it again, or delete it"
        ) from cause


About = Callable[[], tuple[Record, Arrays]]
"""Where a run comes from and what it begins with: asked for when there is something to keep."""


def keep_items(
    shelf: Shelf,
    codec: Codec[T],
    about: About,
    items: Iterator[T],
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[T]:
    """The same items. Each is written once it has been shown, so that nobody waits for a disk.

    `report` receives one sentence as soon as the run cannot be saved: before the first item if the
    folder takes no files.
    """
    keeping = _Keeping(shelf, codec, about, report)
    keeping.check()
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

    def __init__(
        self, shelf: Shelf, codec: Codec[T], about: About, report: Callable[[str], None]
    ) -> None:
        self._shelf, self._codec, self._about, self._report = shelf, codec, about, report
        self._writer: Writer | None = None
        self._whole = True

    def check(self) -> None:
        """Report at the beginning that nothing can be written."""
        try:
            self._shelf.library.check_writable()
        except OSError as cause:
            self._give_up(cause)

    def add(self, item: T) -> None:
        if not self._whole:
            return
        try:
            self._writer = self._writer or self._shelf.begin(self._codec.kind, self._about)
            arrays = self._codec.pack(item)
            if arrays is not None:
                self._writer.append(arrays, self._codec.state(item))
        except OSError as cause:
            self._give_up(cause)

    def end(self, state: str, error: str) -> None:
        """Say how the run ended; of one that was not kept to its end, that it can go on."""
        if self._writer is None:
            return
        try:
            self._writer.end(*((state, error) if self._whole else ("cancelled", "")))
        except OSError as cause:
            self._give_up(cause)

    def _give_up(self, cause: OSError) -> None:
        if self._whole:
            self._whole = False
            log.warning("run %s cannot be saved: %s", self._shelf.id, cause)
            self._report(
                f"This run cannot be saved ({cause.strerror or cause}): make the folder of runs "
                "writable or free space on its disk and run it again, or download its files "
                "before you close the page."
            )


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
