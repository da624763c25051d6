"""Saves runs of any kind item by item, and resumes them."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from ia_engine.errors import EngineError
from ia_engine.files import writing
from ia_engine.runs.folder import Arrays, Record, SavedRun
from ia_engine.runs.kinds.kind import RunKind, makes_own, read_data
from ia_engine.runs.library import Library, Writer

T = TypeVar("T")

log = logging.getLogger(__name__)
Origin = Callable[[], tuple[Record, Arrays]]
"""A function that returns the record and the first arrays of a run. It is called when the first
item is saved."""


@dataclass(frozen=True)
class Destination:
    """Where a run is saved: the runs folder, the name of the run, and its owner."""

    library: Library
    name: str
    owner: str

    def begin(self, kind: str, origin: Origin) -> Writer:
        """Create the run in the runs folder."""
        record, given = origin()
        return self.library.begin(kind, record, given, self.owner, self.name)


def save_items(
    destination: Destination,
    kind: RunKind[T],
    origin: Origin,
    items: Iterator[T],
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[T]:
    """Yield the items, and write each of them after it has been shown, so that the page does not
    wait for the disk.

    `report` is called with a sentence as soon as the run cannot be saved; if the folder is not
    writable, this happens before the first item.
    """
    saver = _Saver(destination, kind, origin, report)
    saver.check()
    with ending(saver.end):
        for item in items:
            try:
                yield item
            finally:
                saver.add(item)


def resume_saved(library: Library, kept: SavedRun, kind: RunKind[T]) -> Iterator[T]:
    """Compute the missing items of a saved run, and write each of them to its folder before it is
    yielded."""
    if not kind.resumable:
        raise EngineError(
            f"run {kept.id} is of kind {kept.kind}, which cannot be resumed: compute it again"
        )
    if not kept.steps:
        raise EngineError(f"run {kept.id} has no finished step to continue from: compute it again")
    items = kind.unpack(kept)
    rest = kind.resume(items)
    if rest is None or kept.state == "done":
        return
    data = None if makes_own(kept) else read_data(kept)
    missing = islice(kind.work(rest.plan, data, rest.start), rest.repeated, None)
    yield from write_items(library.go_on(kept.id, len(items)), kind, missing)


def write_items(writer: Writer, kind: RunKind[T], items: Iterator[T]) -> Iterator[T]:
    """Write each item before it is yielded. Raises EngineError if the disk is full."""
    with ending(writer.end):
        for item in items:
            with writing(writer.folder):
                arrays = kind.pack(item) if kind.pack else None
                if arrays is not None:
                    writer.append(arrays, kind.state(item))
            yield item


@contextmanager
def ending(end: Callable[[str, str], None]) -> Iterator[None]:
    """After the block, call `end` with the final state of the run and, if it failed, the error."""
    state, error = "cancelled", ""
    try:
        yield
        state = "done"
    except EngineError as cause:
        state, error = "failed", str(cause)
        raise
    finally:
        with suppress(OSError):  # if the disk is full, the run counts as interrupted
            end(state, error)


class _Saver(Generic[T]):
    """Writes items until one cannot be written, for instance because the disk is full. The run
    itself continues."""

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
        """Before the first item, report if no file can be written."""
        try:
            self._destination.library.check_writable()
        except OSError as cause:
            self._give_up(cause)

    def add(self, item: T) -> None:
        """Write an item, unless an earlier one could not be written."""
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
        """Write how the run ended. A run that is not saved completely counts as cancelled."""
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
                f"This run cannot be saved ({cause.strerror or cause}): make the runs folder "
                "writable or free space on its disk and run it again, or download its files "
                "before you close the page."
            )
