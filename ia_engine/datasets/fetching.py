"""Fetching a named set in steps, so that a job can show its progress and be cancelled."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Final

from ia_engine.datasets.cache import Progress
from ia_engine.datasets.published import NAMED, fetch
from ia_engine.errors import EngineError

PARTS: Final = 25
"""A file is told of in so many steps, if its host says how long it is."""
STRIDE: Final = 1 << 22
"""Bytes from one step to the next, if it does not."""


@dataclass(frozen=True)
class Fetched:
    """How much of which file has come [bytes]; the host need not say how much there is."""

    file: str
    done: int
    total: int | None


def count_steps(name: str) -> int:
    """How many steps are expected: every file of the set, each in so many parts."""
    return PARTS * len({file for split in NAMED[name].splits for file in split.files})


def fetch_steps(name: str, host: str | None = None) -> Iterator[Fetched]:
    """Fetch the set in a thread of its own; closing the iterator stops that at the next piece."""
    told: SimpleQueue[Fetched | Exception | None] = SimpleQueue()
    stop = threading.Event()
    work = threading.Thread(target=_fetch, args=(name, host, told, stop), daemon=True)
    work.start()
    try:
        while (item := told.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        stop.set()


def _fetch(
    name: str,
    host: str | None,
    told: "SimpleQueue[Fetched | Exception | None]",
    stop: threading.Event,
) -> None:
    try:
        fetch(name, _tell(told, stop), host)
        told.put(None)
    except Exception as error:  # it belongs to whoever iterates
        told.put(error)


def _tell(told: "SimpleQueue[Fetched | Exception | None]", stop: threading.Event) -> Progress:
    last = ("", -1)

    def progress(file: str, done: int, total: int | None) -> None:
        nonlocal last
        if stop.is_set():
            raise EngineError("the fetching was cancelled")
        part = (file, done * PARTS // total if total else done // STRIDE)
        if part != last:
            last = part
            told.put(Fetched(file, done, total))

    return progress
