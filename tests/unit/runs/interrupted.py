"""Computes a small seed that is killed at ten moments.

python -m tests.unit.runs.interrupted FOLDER
Every attempt is a process of its own. FOLDER/whole.json and FOLDER/killed.json are the results of
an uninterrupted seed and of the killed one, FOLDER/resumed.json the iterations it went on from.
"""

import itertools
import json
import os
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path

import torch

from ia_engine import files
from ia_engine.runs.tables import work
from ia_engine.runs.tables.compute import Computation
from ia_engine.runs.tables.rows import ROWS, Task
from tests.unit.equivariant.scenes import splits

ITERATIONS = 12
KILLED = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)
"""The iterations after which the process is killed."""
WRITING = (4, 9)
"""At these it is killed while it writes a checkpoint."""
CLONED = 7
"""After this one, only the committed checkpoint remains."""


def make_task():
    config = replace(ROWS[0].config, iterations=ITERATIONS, batch=8, every=3)
    return Task(replace(ROWS[0], table="tiny", config=config, data="strokes"), 0)


def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def compute(folder, kill_at=None):
    """One attempt; a checkpoint is written after every second iteration."""

    def moments(task, resume, curve):
        for count, moment in enumerate(work.work(task, resume, curve)):
            if count == 0:
                (folder / "resumed").open("a").write(f"{moment.iteration} ")
            if moment.iteration == kill_at:
                if kill_at not in WRITING:
                    kill()
                files.os.fsync = kill
                moment.save(folder / "checkpoints" / "tiny" / "p4-seed-0.safetensors", "")
            yield moment

    ticks = itertools.count().__next__
    Computation(
        results=folder / "results", checkpoints=folder / "checkpoints", every=2, clock=ticks,
        work=moments, measuring=bool, report=lambda text: None,
    ).run([make_task()])  # fmt: skip


def attempt(folder, kill_at=None):
    """Compute in a process of its own; how it ended."""
    child = os.fork()
    if child == 0:
        try:
            compute(folder, kill_at)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(folder):
    torch.set_num_threads(1)
    work.SPLITS["strokes"] = lambda: splits(16)
    next(iter(work.work(make_task(), None, ())))  # torch loads parts of itself at the first step
    whole, killed = folder / "whole", folder / "killed"
    for path in (whole, killed):
        path.mkdir()
    assert attempt(whole) == 0
    for moment in KILLED:
        assert attempt(killed, moment) == -signal.SIGKILL, f"not killed at {moment}"
        if moment == CLONED:
            assert Computation(killed / "results", killed / "checkpoints").share(make_task())
            shutil.rmtree(killed / "checkpoints")
    assert attempt(killed) == 0
    resumed = [int(text) for text in (killed / "resumed").read_text().split()]
    (folder / "resumed.json").write_text(json.dumps(resumed))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
