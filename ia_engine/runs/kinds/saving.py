"""Items of a run written into the folder of saved runs, with the data that they need."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from ia_engine.errors import EngineError
from ia_engine.runs.kinds.kind import RunKind
from ia_engine.runs.library import Library, Writer
from ia_engine.runs.record import Arrays, Record

T = TypeVar("T")

log = logging.getLogger(__name__)

Origin = Callable[[], tuple[Record, Arrays]]
"""A run's record and the arrays it starts with; called when there is something to save."""


@dataclass(frozen=True)
class Destination:
    """Where a run is saved: the folder of runs, its name there, and its owner."""

    library: Library
    name: str
    owner: str

    def begin(self, kind: str, origin: Origin) -> Writer:
        record, given = origin()
        return self.library.begin(kind, record, given, self.owner, self.name)


def save_items(
    destination: Destination,
    kind: RunKind[T],
    origin: Origin,
    items: Iterator[T],
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[T]:
    """The same items. Each is written after it was shown, so that nobody waits for a disk.

    `report` receives one sentence as soon as the run cannot be saved: before the first item if the
    folder takes no files.
    """
    saver = _Saver(destination, kind, origin, report)
    saver.check()
    state, error = "cancelled", ""
    try:
        for item in items:
            try:
                yield item
            finally:
                saver.add(item)
        state = "done"
    except EngineError as cause:
        state, error = "failed", str(cause)
        raise
    finally:
        saver.end(state, error)


@contextmanager
def ending(writer: Writer) -> Iterator[None]:
    """A block that saves the rest of a run; at its end the run's folder states how it ended."""
    state, error = "cancelled", ""
    try:
        yield
        state = "done"
    except EngineError as cause:
        state, error = "failed", str(cause)
        raise
    finally:
        with suppress(OSError):  # on a full disk the run counts as interrupted
            writer.end(state, error)


class _Saver(Generic[T]):
    """Writes items as long as the disk takes them; a full disk ends the saving, not the run."""

    def __init__(
        self,
        destination: Destination,
        kind: RunKind[T],
        origin: Origin,
        report: Callable[[str], None],
    ) -> None:
        self._destination, self._kind, self._origin = destination, kind, origin
        self._report = report
        self._writer: Writer | None = None
        self._complete = True

    def check(self) -> None:
        """Report at the beginning that nothing can be written."""
        try:
            self._destination.library.check_writable()
        except OSError as cause:
            self._give_up(cause)

    def add(self, item: T) -> None:
        if not self._complete:
            return
        try:
            self._writer = self._writer or self._destination.begin(self._kind.id, self._origin)
            arrays = self._kind.pack(item) if self._kind.pack else None
            if arrays is not None:
                self._writer.append(arrays, self._kind.state(item))
        except OSError as cause:
            self._give_up(cause)

    def end(self, state: str, error: str) -> None:
        """Write how the run ended; one that was not saved to its end counts as cancelled."""
        if self._writer is None:
            return
        try:
            self._writer.end(*((state, error) if self._complete else ("cancelled", "")))
        except OSError as cause:
            self._give_up(cause)

    def _give_up(self, cause: OSError) -> None:
        if self._complete:
            self._complete = False
            log.warning("run %s cannot be saved: %s", self._destination.name, cause)
            self._report(
                f"This run cannot be saved ({cause.strerror or cause}): make the folder of runs "
                "writable or free space on its disk and run it again, or download its files "
                "before you close the page."
            )
