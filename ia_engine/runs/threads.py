"""Threads that compute: which one is next, how many cores they take, and at which priority."""

import contextlib
import importlib
import os
import threading
from collections import deque
from collections.abc import Iterator
from typing import Final

NICENESS: Final = 5
"""Lower priority of a worker than of the threads that answer the page. Not lower still: on a busy
machine a worker that holds Python's lock and gets no time would hold up the page as well.
`IA_NICENESS` in the environment sets another one."""


class Turns:
    """A fair semaphore: threads get their turns in the order in which they asked."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._open = False
        self._lock = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until it is this thread's turn, which ends with the block."""
        self._take()
        try:
            yield
        finally:
            self._give()

    def open(self) -> None:
        """Let everybody pass from now on."""
        with self._lock:
            self._open = True
            while self._waiting:
                self._waiting.popleft().release()

    def _take(self) -> None:
        with self._lock:
            if self._open or (self._free and not self._waiting):
                self._free -= 1
                return
            gate = threading.Lock()
            gate.acquire()
            self._waiting.append(gate)
        gate.acquire()

    def _give(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()  # the turn is handed on
            else:
                self._free += 1


def spare_cores() -> int:
    """The cores that work may take: all but one, which answers the page."""
    known = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    return max(1, cores - 1)


def stand_back(threads: int) -> None:
    """Set the number of cores of this thread, and lower its priority."""
    importlib.import_module("torch").set_num_threads(threads)  # the page need not wait for it
    # Only Linux has a priority for each thread; without a valid niceness it stays as it is.
    with contextlib.suppress(AttributeError, OSError, ValueError):
        niceness = int(os.environ.get("IA_NICENESS", NICENESS))
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


def compute_alone() -> None:
    """Let this thread compute with one core: what a page waits for is many small operations.

    Threads that run already keep their cores.
    """
    importlib.import_module("torch").set_num_threads(1)
