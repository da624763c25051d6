"""Computes seeds one after the other, with checkpoints, pauses and stored results."""

import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import torch

from ia_engine.datasets.cache import cache_folder
from ia_engine.errors import EngineError
from ia_engine.files import read_note, take_lock, writing
from ia_engine.runs.tables.pause import is_measuring
from ia_engine.runs.tables.results import (
    FOLDER,
    Curve,
    Moment,
    SeedResult,
    digest_task,
    load_result,
    make_result,
    save_result,
)
from ia_engine.runs.tables.rows import Task
from ia_engine.runs.tables.work import work

EVERY_S: Final = 300.0
"""Seconds between two checkpoints."""
POLL_S: Final = 2.0
"""Interval [s] at which the program checks whether a measurement is running."""
REPORT_S: Final = 60.0
"""Seconds between two lines of progress."""
LARGEST: Final = 2 << 20
"""Maximum size of a committed checkpoint [bytes]."""
SUFFIX: Final = ".safetensors"

Work = Callable[[Task, Path | None, Curve], Iterable[Moment]]


def working_folder() -> Path:
    """Return the folder of checkpoints: IA_TABLES if this is set, otherwise a folder in the
    cache."""
    chosen = os.environ.get("IA_TABLES")
    return Path(chosen).expanduser() if chosen else cache_folder() / "tables"


class Stop(Exception):
    """Raised when the program has been asked to end and has written a checkpoint."""


@dataclass
class Computation:
    """A worker that computes seeds, and its folders and intervals."""

    results: Path = FOLDER
    checkpoints: Path = field(default_factory=working_folder)
    every: float = EVERY_S
    poll: float = POLL_S
    clock: Callable[[], float] = time.monotonic
    report: Callable[[str], None] = print
    measuring: Callable[[], bool] = is_measuring
    work: Work = work
    stopped: bool = False

    def stop(self, *_: object) -> None:
        """Request a stop: after the current iteration, a checkpoint is written and `Stop` is
        raised."""
        self.stopped = True

    def run(self, tasks: Iterable[Task]) -> None:
        """Compute all tasks that have no fresh result and are not being computed by another worker.

        Seeds that cannot be computed, for instance because their data are missing, are reported and
        skipped.
        """
        torch.set_num_threads(1)
        for task in tasks:
            try:
                if self.needs(task):
                    self.run_task(task)
            except EngineError as error:
                self.report(f"{task.name}: {error}")

    def needs(self, task: Task) -> bool:
        """Return True if there is no fresh result. A stale result is reported; it will be
        replaced."""
        try:
            return load_result(task, self.results) is None
        except EngineError as error:
            self.report(str(error))
            return True

    def run_task(self, task: Task) -> SeedResult | None:
        """Compute the result of one seed, or return None if another worker is computing it."""
        draft = self._draft(task)
        with writing(draft):
            draft.parent.mkdir(parents=True, exist_ok=True)
            lock = take_lock(draft.with_suffix(".lock"))
        if lock is None:
            return None
        try:
            if not self.needs(task):  # another worker has just finished it
                return None
            return self._compute(task)
        finally:
            lock.release()

    def find_checkpoint(self, task: Task) -> tuple[Path | None, Curve]:
        """Return the most advanced checkpoint, whether it is committed or not, and its curve."""
        best: tuple[Path | None, Curve] = (None, ())
        furthest = -1
        for path in (self._draft(task), self.committed(task)):
            note = read_note(path)
            values = json.loads(note) if note else {}
            if values.get("digest") == digest_task(task) and values["iteration"] > furthest:
                furthest = values["iteration"]
                best = path, tuple(tuple(point) for point in values["curve"])
        return best

    def committed(self, task: Task) -> Path:
        """Return the path of the committed checkpoint, which is next to the results."""
        return self.results / f"{task.name}{SUFFIX}"

    def share(self, task: Task) -> Path | None:
        """Copy a checkpoint to the results, so that it can be committed; return None if there is
        none.

        Raises EngineError if the checkpoint is larger than 2 MB.
        """
        draft = self._draft(task)
        if not draft.is_file():
            return None
        content = draft.read_bytes()
        if len(content) > LARGEST:
            raise EngineError(
                f"a checkpoint must be at most {LARGEST:,} bytes to be committed; the checkpoint "
                f"of {task.name} is {len(content):,} bytes: finish this seed on the machine where "
                "it was started"
            )
        path = self.committed(task)
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return path

    def _draft(self, task: Task) -> Path:
        return self.checkpoints / f"{task.name}{SUFFIX}"

    def _compute(self, task: Task) -> SeedResult:
        resume, curve = self.find_checkpoint(task)
        self.report(f"{task.name}: {'resumed' if resume else 'started'}")
        saved = reported = self.clock()
        for moment in self.work(task, resume, curve):
            if moment.figures is not None:
                return self._finish(task, moment)
            if self.stopped:
                self._save(task, moment)
                raise Stop
            now = self.clock()
            if now - saved >= self.every:
                self._save(task, moment)
                saved = now
            if now - reported >= REPORT_S:
                self.report(describe(task, moment))
                reported = now
            while self.measuring() and not self.stopped:
                time.sleep(self.poll)
        raise AssertionError("the last item of the work of a seed must be its result")

    def _save(self, task: Task, moment: Moment) -> None:
        path = self._draft(task)
        note = {
            "digest": digest_task(task),
            "iteration": moment.iteration,
            "curve": moment.curve,
        }
        with writing(path):
            moment.save(path, json.dumps(note))

    def _finish(self, task: Task, moment: Moment) -> SeedResult:
        assert moment.figures is not None
        result = make_result(task, moment)
        save_result(result, task, self.results)
        for path in (self._draft(task), self.committed(task)):
            path.unlink(missing_ok=True)
        figures = ", ".join(f"{name} {value:.6g}" for name, value in moment.figures.items())
        self.report(f"{task.name}: {figures}; {moment.seconds / 60:.1f} CPU min")
        return result


def describe(task: Task, moment: Moment) -> str:
    """Return a line that states the progress and an estimate of the remaining time."""
    left = moment.seconds / max(moment.iteration, 1) * (moment.total - moment.iteration)
    return (
        f"{task.name}: iteration {moment.iteration:,} of {moment.total:,}, "
        f"{moment.seconds / 60:.0f} CPU min, about {left / 60:.0f} min left"
    )
