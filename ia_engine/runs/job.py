"""How much memory finished runs may hold, and which are let go when it is more."""

import atexit
import contextlib
import ctypes
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, Generic, Protocol, TypeVar

from ia_engine.errors import EngineError
from ia_engine.runs.threads import Turns, spare_cores, stand_back

MOST = 1 << 30
"""Bytes of all finished runs of all viewers."""


class Holder(Protocol):
    """A finished run: what it holds on to."""

    @property
    def history(self) -> Sequence[Any]: ...


def weight(holder: Holder) -> int:
    """Bytes of the items that say how many they have; numbers and words count as nothing."""
    return sum(getattr(item, "nbytes", 0) for item in holder.history)


def too_many(oldest_first: Sequence[Holder], most: int | None = None) -> int:
    """So many of the oldest are to be let go; the newest stays, whatever it holds."""
    held = 0
    for at, holder in enumerate(reversed(oldest_first)):
        held += weight(holder)
        if at and held > (MOST if most is None else most):
            return len(oldest_first) - at
    return 0


T = TypeVar("T")
Work = Callable[[], Iterator[T]]

log = logging.getLogger(__name__)

RECENT: Final = 8
"""The time left is foretold from so many of the last steps."""
GRACE: Final = 2.0
"""Seconds that the end of the process gives its workers to leave their step."""
WAITING: Final = 20
"""So many unfinished jobs may one owner have."""
BEGUN: Final = 16
"""So many jobs are under way at once; further ones wait for their first step."""


class Leave(BaseException):
    """Raised in a worker in the midst of a step when the process ends."""


class CutOff(BaseException):
    """Raised by work that ends before its end, as it once did: its job counts as cancelled."""


def new_name() -> str:
    """A name for a job that no other has; of letters and digits, since Streamlit takes no "__"."""
    return secrets.token_hex(8)


class State(StrEnum):
    """How a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class Job(Generic[T]):
    """Work of one owner: what it has yielded so far, how it stands, and the means to stop it."""

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
        """Whether it only reads what was computed before, so that its clock says nothing."""
        self.error = ""
        self.unsaved = ""
        """Why the run cannot be saved, in one sentence; "" if it is saved."""
        self.standby = False
        """True if another run is shown until this one is done."""
        self.discarded = False
        """True if nobody wants it any more: it is not listed, and what was saved is deleted."""
        self._work: Work[T] | None = work
        self._items: list[T] = []
        self._marks: list[float] = []  # monotonic: the start, then the end of every step
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._over = threading.Event()

    @property
    def history(self) -> tuple[T, ...]:
        """Everything yielded so far; the items are shared, not copied."""
        return tuple(self._items)

    @property
    def finished(self) -> bool:
        return self._over.is_set()

    @property
    def cancelling(self) -> bool:
        """Whether the step that is under way is the last."""
        return self._stop.is_set() and not self.finished

    @property
    def progress(self) -> float:
        """The finished part of the expected steps, from 0 to 1."""
        if self.state is State.DONE:
            return 1.0
        return min(1.0, len(self._items) / max(1, self.expected))

    def time_left(self) -> float | None:
        """Seconds until the end at the pace of the last steps; None while none is finished."""
        marks = self._marks[-RECENT - 1 :]
        if self.finished or len(marks) < 2:
            return None
        pace = (marks[-1] - marks[0]) / (len(marks) - 1)
        left = pace * (self.expected - len(self._items)) - (time.monotonic() - marks[-1])
        return max(0.0, left)

    def cancel(self) -> None:
        """Stop before the next step; what is finished is kept."""
        self._stop.set()
        with self._lock:
            if self.state is State.QUEUED:
                self._end(State.CANCELLED)

    def pause(self) -> None:
        """Cancel, in order to go on later."""
        self.paused = True
        self.cancel()

    def wait(self, seconds: float | None = None) -> bool:
        """Sleep until the job is over, at most so long; say whether it is."""
        return self._over.wait(seconds)

    def run(self, turns: Turns) -> None:
        """Drain the work in this thread, in its turn step by step: for the pool."""
        state, error = State.FAILED, ""
        try:
            state = self._drain(turns)
        except EngineError as cause:
            error = str(cause)
        except (Leave, CutOff):
            state = State.CANCELLED
        except BaseException as cause:  # a worker outlives whatever its work throws
            reference = secrets.token_hex(4)
            log.exception("job %s (%s) failed, reference %s", self.id, self.title, reference)
            error = _describe(cause, reference)
        with self._lock:
            self._end(state, error)

    def _steps(self) -> Generator[T, None, None]:
        """What the work yields, begun by whoever asks for the first; nothing if cancelled."""
        with self._lock:
            if self._work is None:
                return
            work = self._work
            self.state, self.started = State.RUNNING, datetime.now(UTC)
        self._marks.append(time.monotonic())
        yield from work()

    def _drain(self, turns: Turns) -> State:
        with contextlib.closing(self._steps()) as items:  # a cancelled generator ends its blocks
            while not self._stop.is_set():
                try:
                    with turns.turn():
                        if self._stop.is_set():  # while it waited
                            break
                        item = next(items)
                except StopIteration:
                    return State.DONE
                self._items.append(item)
                self._marks.append(time.monotonic())
        return State.CANCELLED

    def _end(self, state: State, error: str = "") -> None:
        if self.finished:
            return
        self._work = None  # lets go of the data that the closure holds
        self.error, self.ended = error, datetime.now(UTC)
        self.state = state  # last: whoever sees it finds the error and the time there
        self._over.set()


class Jobs:
    """The jobs of all owners, each in a thread of its own; so many as there are workers compute.

    Jobs take turns after every step, so that a long one holds up nobody.
    """

    def __init__(self, workers: int, kept: int = 20, kept_in_all: int = 100) -> None:
        if workers < 1:
            raise EngineError(f"a pool needs at least one worker; got {workers}")
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
        """Queue the work; its items are appended to the job's history.

        `kind` is the id of its kind of run; "" for work that no page lists. `name` is its id, if it
        has one already.
        """
        job = Job(owner, title, work, expected, kind, name=name)
        with self._lock:
            if sum(not other.finished for other in self.list(owner)) >= WAITING:
                raise EngineError(f"{WAITING} runs are waiting already: cancel one of them first")
            self._jobs[owner, job.id] = job
            self._forget()
            self._queue.put(job)
            if len(self._threads) < BEGUN:
                self._hire()
        return job

    def list(self, owner: str) -> tuple[Job[Any], ...]:
        """The owner's jobs, oldest first."""
        return tuple(job for job in tuple(self._jobs.values()) if job.owner == owner)

    def get(self, owner: str, job_id: str) -> Job[Any] | None:
        """The owner's job of this id; None if there is none, or none any more."""
        return self._jobs.get((owner, job_id))

    def _forget(self) -> None:
        """Drop the oldest finished jobs: too many of one owner, too many in all, or too large."""
        over = [job for job in self._jobs.values() if job.finished]
        for owner in {job.owner for job in over}:
            own = [job for job in over if job.owner == owner]
            for job in own[: max(0, len(own) - self._kept)]:
                del self._jobs[job.owner, job.id]
                over.remove(job)
        for job in over[: max(too_many(over), len(over) - self._kept_in_all)]:
            del self._jobs[job.owner, job.id]

    def close(self) -> None:
        """Cancel everything and leave: for the end of the process, which must wait for no job.

        A thread that is inside torch when the interpreter goes would take the process down with it.
        """
        atexit.unregister(self.close)
        for job in tuple(self._jobs.values()):
            job.cancel()
        self._turns.open()
        for thread in self._threads:
            self._queue.put(None)
            _ask_to_leave(thread.ident or 0)
        deadline = time.monotonic() + GRACE
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _hire(self) -> None:
        if not self._threads:
            atexit.register(self.close)
        name = f"job-worker-{len(self._threads)}"
        thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(Leave):
            stand_back(threads=max(1, spare_cores() // self._workers))
            while (job := self._queue.get()) is not None:
                job.run(self._turns)
                del job  # an idle worker holds on to nothing


def _ask_to_leave(thread: int) -> None:
    """Raise Leave in the thread, as soon as it is back in Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Leave))


def _describe(cause: BaseException, reference: str) -> str:
    """What can be shown to anyone: the message itself may hold paths of the server."""
    return (
        f"The work stopped unexpectedly ({type(cause).__name__}, reference {reference}): the "
        "finished steps are kept; look for the reference in the log of the server."
    )
