"""Runs the methods of a comparison in a separate process, which has one core and can be stopped.

`python -m ia_engine.runs.comparison.helper` reads tasks from standard input and writes its answers
to standard output. In the process of the app, the measured time and memory would include those of
other runs.
"""

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import warnings
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import torch

from ia_engine.errors import EngineError
from ia_engine.runs.comparison.catalogue import METHODS
from ia_engine.runs.comparison.limits import Outcome, solve_within
from ia_engine.runs.comparison.methods import Task

Answers = queue.SimpleQueue[Outcome | None]

ROOT: Final = Path(__file__).parents[3]
ALONE: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
NICENESS: Final = 10
WARM_UP_IMAGES: Final = 6
WARM_UP_SIDE: Final = 12
WARM_UP_S: Final = 0.05
ENDED: Final = (
    "the computing process stopped unexpectedly, possibly because it ran out of memory: choose "
    "fewer images"
)


class Helper:
    """The separate process as a context manager; it ends with the `with` block."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: Answers = queue.SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def begin(self, name: str, task: Task) -> None:
        """Send a method and its task to the process."""
        if self._process is None:
            self._start()
        assert self._process is not None
        # Write in a thread, because the process reads nothing until it has loaded its modules.
        message = (self._process, name, task)
        threading.Thread(target=_send, args=message, daemon=True).start()

    def wait(self, seconds: float) -> Outcome | None:
        """Return the answer, or None if there is none within the given time."""
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            return None
        if answer is None:
            self._stop()
            raise EngineError(ENDED)
        return answer

    def _start(self) -> None:
        self._answers = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ia_engine.runs.comparison.helper"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **dict.fromkeys(ALONE, "1")},
            start_new_session=True,  # Ctrl-C must not interrupt the separate process
        )
        reader = threading.Thread(target=_listen, args=(self._process, self._answers), daemon=True)
        reader.start()

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _send(process: subprocess.Popen[bytes], name: str, task: Task) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):  # the process has ended
        pickle.dump((name, task), process.stdin)
        process.stdin.flush()


def _listen(process: subprocess.Popen[bytes], answers: Answers) -> None:
    """Put each answer into the queue, and None when the process ends."""
    assert process.stdout is not None
    with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
        while True:
            answers.put(pickle.load(process.stdout))
    answers.put(None)


def main() -> None:
    """Run the tasks from standard input until it is closed."""
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # libraries may print to standard output
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            name, task = pickle.load(sys.stdin.buffer)
            warm_up(name, task)
            pickle.dump(solve_within(name, task), answers)
            answers.flush()


def warm_up(name: str, task: Task) -> None:
    """Run a method once on six small random images, to load everything that it needs.

    Its measured time and memory then do not include the loading of modules.
    """
    _warm_up(name, task.images.shape[1], None if task.k is None else 2, min(task.averagings, 1))


@cache
def _warm_up(name: str, channels: int, k: int | None, averagings: int) -> None:
    chance = torch.Generator(device="cpu").manual_seed(0)
    shape = (WARM_UP_IMAGES, channels, WARM_UP_SIDE, WARM_UP_SIDE)
    images = torch.rand(shape, generator=chance, device="cpu")
    with contextlib.suppress(Exception):  # the task itself will raise and report it
        for _ in METHODS[name].solve(Task(images, k, WARM_UP_S, averagings=averagings)):
            pass


if __name__ == "__main__":
    main()
