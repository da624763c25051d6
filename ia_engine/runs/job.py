"""Computes jobs, which yield items, in a pool of background threads.

The threads take turns after each item, have a low priority, and leave one core to the page.
"""

import atexit
import contextlib
import ctypes
import importlib
import logging
import os
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from ia_engine.errors import EngineError

T = TypeVar("T")
Work = Callable[[], Iterator[T]]

log = logging.getLogger(__name__)

MAX_BYTES: Final = 1 << 30
"""Maximum memory of the finished jobs of all owners [bytes]."""
MAX_UNFINISHED: Final = 20
"""Maximum number of unfinished jobs per owner."""
MAX_THREADS: Final = 16
"""Maximum number of running jobs. Further jobs wait before their first step."""
RECENT: Final = 8
"""Number of recent steps used to estimate the remaining time."""
GRACE_S: Final = 2.0
"""Time [s] within which workers must abandon their current step when the process ends."""
NICENESS: Final = 5
"""Niceness of a worker, relative to the threads that serve the page. A higher value is not better:
on a busy machine, a worker that holds the GIL but gets no CPU time would delay the page. The
environment variable `IA_NICENESS` overrides this value."""


class Leave(BaseException):
    """Raised in a worker during a step when the process ends."""


class Interrupted(BaseException):
    """Raised by work that reads an interrupted run, so that its job counts as cancelled."""


class State(StrEnum):
    """The state of a job."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


def new_name() -> str:
    """Return a unique name that consists of letters and digits, because Streamlit rejects names
    with "__"."""
    return secrets.token_hex(8)


class Turns:
    """A fair semaphore, which admits threads in the order of their requests."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._open = False
        self._lock = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn of this thread. The turn lasts until the end of the block."""
        self._take()
        try:
            yield
        finally:
            self._give()

    def open(self) -> None:
        """From now on, let all threads proceed without waiting."""
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
                self._waiting.popleft().release()  # pass this turn on to the next thread
            else:
                self._free += 1


class Job(Generic[T]):
    """Work for an owner, with its state and the items that it has yielded so far."""

    def __init__(
        self,
        owner: str,
        title: str,
        work: Work[T],
        expected: int,
        kind: str = "",
        *,
        name: str = "",
    ) -> None:
        self.id: Final = name or new_name()
        self.owner: Final = owner
        self.title: Final = title
        self.expected: Final = expected
        self.kind: Final = kind
        self.submitted: Final = datetime.now(UTC)
        self.started: datetime | None = None
        self.ended: datetime | None = None
        self.state, self.paused = State.QUEUED, False
        self.reopened = False
        """True if the job only reads a saved run, so that its duration is meaningless."""
        self.error = ""
        self.unsaved = ""
        """A sentence that states why the run cannot be saved; "" if it is saved."""
        self.standby = False
        """True if the page shows the previous run until this one has finished."""
        self.discarded = False
        """True if the job is no longer needed. It is then not listed, and its files are deleted."""
        self._work: Work[T] | None = work
        self._items: list[T] = []
        self._times: list[float] = []  # monotonic times of the start, and of the end of each step
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._over = threading.Event()

    @property
    def history(self) -> tuple[T, ...]:
        """All items yielded so far. They are shared, not copied."""
        return tuple(self._items)

    @property
    def finished(self) -> bool:
        """True if the job has ended, for any reason."""
        return self._over.is_set()

    @property
    def cancelling(self) -> bool:
        """True if the job will stop after the current step."""
        return self._stop.is_set() and not self.finished

    @property
    def progress(self) -> float:
        """Fraction of the expected steps that are finished, from 0 to 1."""
        if self.state is State.DONE:
            return 1.0
        return min(1.0, len(self._items) / max(1, self.expected))

    def time_left(self) -> float | None:
        """Estimate the remaining time [s]; None before the end of the first step."""
        times = self._times[-RECENT - 1 :]
        if self.finished or len(times) < 2:
            return None
        pace = (times[-1] - times[0]) / (len(times) - 1)
        left = pace * (self.expected - len(self._items)) - (time.monotonic() - times[-1])
        return max(0.0, left)

    def cancel(self) -> None:
        """Stop the job before its next step. Finished items are kept."""
        self._stop.set()
        with self._lock:
            if self.state is State.QUEUED:
                self._end(State.CANCELLED)

    def pause(self) -> None:
        """Cancel the job and mark it to be resumed later."""
        self.paused = True
        self.cancel()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the job is finished, for at most `seconds`. Return True if it is finished."""
        return self._over.wait(seconds)

    def run(self, turns: Turns) -> None:
        """Compute the work in this thread, with one turn per step. The pool calls this method."""
        state, error = State.FAILED, ""
        try:
            state = self._drain(turns)
        except EngineError as cause:
            error = str(cause)
        except (Leave, Interrupted):
            state = State.CANCELLED
        except BaseException as cause:  # errors in a job must not end its worker
            reference = secrets.token_hex(4)
            log.exception("job %s (%s) failed, reference %s", self.id, self.title, reference)
            error = _describe(cause, reference)
        with self._lock:
            self._end(state, error)

    def _drain(self, turns: Turns) -> State:
        with contextlib.closing(
            self._steps()
        ) as items:  # a cancelled generator must leave its `with` blocks
            while not self._stop.is_set():
                try:
                    with turns.turn():
                        if self._stop.is_set():  # cancelled while waiting
                            break
                        item = next(items)
                except StopIteration:
                    return State.DONE
                self._items.append(item)
                self._times.append(time.monotonic())
        return State.CANCELLED

    def _steps(self) -> Generator[T, None, None]:
        """Yield the items of the work, or nothing if the job was cancelled before it started."""
        with self._lock:
            if self._work is None:
                return
            work = self._work
            self.state, self.started = State.RUNNING, datetime.now(UTC)
        self._times.append(time.monotonic())
        yield from work()

    def _end(self, state: State, error: str = "") -> None:
        if self.finished:
            return
        self._work = None  # frees the data to which the closure refers
        self.error, self.ended = error, datetime.now(UTC)
        self.state = state  # last: a final state implies that error and time are set
        self._over.set()


class Jobs:
    """The jobs of all owners. Each has its own thread; at most `workers` of them compute at the
    same time.

    Jobs take turns after each step, so a long job does not delay the others.
    """

    def __init__(self, workers: int, kept: int = 20, kept_in_all: int = 100) -> None:
        if workers < 1:
            raise EngineError(f"workers must be at least 1; got {workers}")
        self._workers, self._kept, self._kept_in_all = workers, kept, kept_in_all
        self._turns = Turns(workers)
        self._jobs: dict[tuple[str, str], Job[Any]] = {}
        self._queue: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def submit(
        self,
        owner: str,
        title: str,
        work: Work[T],
        expected: int,
        kind: str = "",
        *,
        name: str = "",
    ) -> Job[T]:
        """Queue the work. Its items are appended to the history of the job that is returned.

        `kind` is the ID of the kind of run, or "" for work that no page lists. `name` is the ID of
        the job, if it already has one.
        """
        job = Job(owner, title, work, expected, kind, name=name)
        with self._lock:
            if sum(not other.finished for other in self.list(owner)) >= MAX_UNFINISHED:
                raise EngineError(
                    f"{MAX_UNFINISHED} of your runs have not finished: cancel one of these runs "
                    "first"
                )
            self._jobs[owner, job.id] = job
            self._drop_old()
            self._queue.put(job)
            if len(self._threads) < MAX_THREADS:
                self._start_thread()
        return job

    def list(self, owner: str) -> tuple[Job[Any], ...]:
        """Return the jobs of an owner, oldest first."""
        return tuple(job for job in tuple(self._jobs.values()) if job.owner == owner)

    def get(self, owner: str, job_id: str) -> Job[Any] | None:
        """Return the job of an owner with the given ID, or None if there is none."""
        return self._jobs.get((owner, job_id))

    def drop_finished(self, owner: str) -> None:
        """Drop all finished jobs of an owner."""
        for job in self.list(owner):
            if job.finished:
                self._jobs.pop((owner, job.id), None)

    def close(self) -> None:
        """Cancel all jobs when the process ends, so that the process does not wait for them.

        A thread that is still inside torch when the interpreter ends would crash the process.
        """
        atexit.unregister(self.close)
        for job in tuple(self._jobs.values()):
            job.cancel()
        self._turns.open()
        for thread in self._threads:
            self._queue.put(None)
            _ask_to_leave(thread.ident or 0)
        deadline = time.monotonic() + GRACE_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _drop_old(self) -> None:
        """Drop the oldest finished jobs that exceed the limits for one owner, for all owners, or
        for memory."""
        over = [job for job in self._jobs.values() if job.finished]
        for owner in {job.owner for job in over}:
            own = [job for job in over if job.owner == owner]
            for job in own[: max(0, len(own) - self._kept)]:
                del self._jobs[job.owner, job.id]
                over.remove(job)
        for job in over[: max(_count_too_large(over), len(over) - self._kept_in_all)]:
            del self._jobs[job.owner, job.id]

    def _start_thread(self) -> None:
        if not self._threads:
            atexit.register(self.close)
        name = f"job-worker-{len(self._threads)}"
        thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(Leave):
            lower_priority(threads=max(1, spare_cores() // self._workers))
            while (job := self._queue.get()) is not None:
                job.run(self._turns)
                del job  # an idle worker must not keep a job in memory


def spare_cores() -> int:
    """Return the number of cores for jobs: all but one, which is reserved for the page."""
    known = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    return max(1, cores - 1)


def lower_priority(threads: int) -> None:
    """Set the number of cores of this thread, and lower its priority."""
    importlib.import_module("torch").set_num_threads(threads)  # the page must not wait for it
    # Only Linux has priorities per thread; an invalid niceness leaves the priority unchanged.
    with contextlib.suppress(AttributeError, OSError, ValueError):
        niceness = int(os.environ.get("IA_NICENESS", NICENESS))
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


def use_one_core() -> None:
    """Limit torch in this thread to one core, which suits the many small operations of a page.

    Threads that are already running keep their cores.
    """
    importlib.import_module("torch").set_num_threads(1)


def _count_too_large(oldest_first: Sequence[Job[Any]]) -> int:
    """Return how many of the oldest jobs must be dropped to meet MAX_BYTES. The newest one is
    always kept."""
    total = 0
    for newer, job in enumerate(reversed(oldest_first)):
        total += sum(getattr(item, "nbytes", 0) for item in job.history)
        if newer and total > MAX_BYTES:
            return len(oldest_first) - newer
    return 0


def _ask_to_leave(thread: int) -> None:
    """Raise `Leave` in a thread as soon as it executes Python code again."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Leave))


def _describe(cause: BaseException, reference: str) -> str:
    """Return a message that can be shown to anyone; the original one may contain paths on the
    server."""
    return (
        f"The work stopped unexpectedly ({type(cause).__name__}, reference {reference}): the "
        "finished steps are kept; look for the reference in the log of the server."
    )
