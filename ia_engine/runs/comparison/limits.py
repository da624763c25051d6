"""Runs a method, interrupts it at the end of its budget, and keeps its best result."""

import contextlib
import ctypes
import logging
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from ia_engine.devices import cpu_seconds
from ia_engine.errors import EngineError
from ia_engine.runs.comparison.catalogue import METHODS
from ia_engine.runs.comparison.methods import Best, Task

STATUS: Final = Path("/proc/self/status")
CLEAR: Final = Path("/proc/self/clear_refs")
PEAK: Final = "5"
"""Value that makes Linux reset the peak of the resident set size."""
AGAIN: Final = 0.05
"""Seconds between alarms. They are repeated in case a library catches the exception."""
NO_MEMORY: Final = "the method needs more memory than is available"
UNEXPECTED: Final = "the method stopped unexpectedly: see the log for details"

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of running a method on its task."""

    best: Best | None
    seconds: float
    """CPU time [s]."""
    memory: int | None
    """Growth of the peak resident set size of the process [bytes]; None if unknown."""
    finished: bool
    """True if the method ended without being interrupted."""
    error: str = ""


class OutOfTime(BaseException):
    """Raised when a method has used up its CPU time. It is not an `Exception`, which the method
    might catch."""


def solve_within(name: str, task: Task) -> Outcome:
    """Run a method within its budget. If it raises an error, the outcome contains a message."""
    best: Best | None = None
    finished, error = True, ""
    before, started = _reset_peak(), cpu_seconds()
    try:
        with _alarm(task.budget):
            for found in METHODS[name].solve(task):
                best = found
                if cpu_seconds() - started >= task.budget:
                    raise OutOfTime
    except OutOfTime:
        finished = False
    except EngineError as cause:
        finished, error = False, str(cause)
    except MemoryError:
        finished, error = False, NO_MEMORY
    except Exception as cause:  # errors in a library must not stop the other methods
        log.exception("method %s failed", name)
        finished, error = False, NO_MEMORY if "can't allocate" in str(cause) else UNEXPECTED
    seconds, peak = cpu_seconds() - started, _read("VmHWM")
    memory = None if before is None or peak is None else max(0, peak - before)
    return Outcome(best, seconds, memory, finished, error)


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block after `seconds` of CPU time, if the system and the thread allow
    it."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return
    end = time.process_time() + seconds

    def ring(number: int, frame: FrameType | None) -> None:
        left = end - time.process_time()
        if left > 0:  # the timer counts in ticks and may fire early
            signal.setitimer(signal.ITIMER_PROF, max(left, 1e-3), AGAIN)
        elif not _is_importing(frame):
            raise OutOfTime

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:  # the alarm may have fired inside the inner `finally`
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _is_importing(frame: FrameType | None) -> bool:
    """Return True if a module is being imported; an interruption would leave it incomplete."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _reset_peak() -> int | None:
    """Reset the peak memory, and return the current resident set size [bytes]."""
    with contextlib.suppress(OSError, AttributeError):
        _trim()
    try:
        CLEAR.write_text(PEAK)
    except OSError:  # not Linux, or not permitted
        return None
    return _read("VmRSS")


def _trim() -> None:
    """Return freed memory to the system. Otherwise, the next method would seem to need less."""
    ctypes.CDLL(None).malloc_trim(0)


def _read(name: str) -> int | None:
    """Read a memory value of this process [bytes]; None if it is unknown."""
    try:
        lines = STATUS.read_text("ascii", "replace").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith(f"{name}:")]
    return 1024 * int(found[0]) if found else None
