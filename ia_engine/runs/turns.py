"""Who computes next: so many threads at a time, in the order in which they asked."""

import contextlib
import threading
from collections import deque
from collections.abc import Iterator


class Turns:
    """A semaphore that is fair: whoever has just had a turn stands behind all who wait."""

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
