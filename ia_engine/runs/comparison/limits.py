"""A method within its budget: stopped during its work, with the best result by then."""

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
from ia_engine.runs.comparison.methods import METHODS, Best, Task

STATUS: Final = Path("/proc/self/status")
CLEAR: Final = Path("/proc/self/clear_refs")
PEAK: Final = "5"
"""What Linux takes for: the peak of the resident set begins anew."""
AGAIN: Final = 0.05
"""Seconds until the alarm rings once more: whoever caught the first is not deaf to the next."""
NO_MEMORY: Final = "it needs more memory than there is"
UNEXPECTED: Final = "it stopped unexpectedly: the log has more"

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a method made of its task."""

    best: Best | None
    seconds: float
    """CPU time."""
    memory: int | None
    """Bytes by which the resident set of the process grew at its peak; None where none tells."""
    finished: bool
    """Whether it stopped by itself."""
    error: str = ""


class OutOfTime(BaseException):
    """Raised in the midst of a method's work when its CPU time is used up; no method expects it."""


def solve_within(name: str, task: Task) -> Outcome:
    """Run a method for at most its budget; an error ends it as well, and is told."""
    best: Best | None = None
    finished, error = True, ""
    before, started = _reset_peak(), cpu_seconds()
    try:
        with _alarm(task.budget):
            for found in METHODS[name](task):
                best = found
                if cpu_seconds() - started >= task.budget:
                    raise OutOfTime
    except OutOfTime:
        finished = False
    except EngineError as cause:
        finished, error = False, str(cause)
    except MemoryError:
        finished, error = False, NO_MEMORY
    except Exception as cause:  # of any library: the other methods go on
        log.exception("method %s failed", name)
        finished, error = False, NO_MEMORY if "can't allocate" in str(cause) else UNEXPECTED
    seconds, peak = cpu_seconds() - started, _read("VmHWM")
    memory = None if before is None or peak is None else max(0, peak - before)
    return Outcome(best, seconds, memory, finished, error)


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """OutOfTime after so much CPU time of this process, where its system and thread allow that."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return
    end = time.process_time() + seconds

    def ring(number: int, frame: FrameType | None) -> None:
        left = end - time.process_time()
        if left > 0:  # it counts in ticks and may be early
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
    finally:  # it may have rung in the midst of that
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being loaded: half of it would be there for all who come after."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _reset_peak() -> int | None:
    """Let the peak of memory begin anew; what is resident now."""
    with contextlib.suppress(OSError, AttributeError):
        _trim()
    try:
        CLEAR.write_text(PEAK)
    except OSError:  # not Linux, or a system that does not let a process do that
        return None
    return _read("VmRSS")


def _trim() -> None:
    """Give back what earlier methods have left free: else the next would seem to need less."""
    ctypes.CDLL(None).malloc_trim(0)


def _read(name: str) -> int | None:
    """A number of this process's memory [bytes]."""
    try:
        lines = STATUS.read_text("ascii", "replace").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith(f"{name}:")]
    return 1024 * int(found[0]) if found else None
