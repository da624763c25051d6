"""Computes small seeds of a network and of two clusterings, which are killed and resumed.

python -m tests.unit.runs.interrupted FOLDER here
python -m tests.unit.runs.interrupted FOLDER clone
Every attempt is a separate process. For each seed, FOLDER/NAME/whole and FOLDER/NAME/killed contain
the results of an uninterrupted computation and of one that is killed at ten moments. At one of
these moments its checkpoint is shared, and FOLDER/NAME/clone receives the committed files; the
second command resumes there. In each folder, the file `resumed` lists the iterations of the
checkpoints from which the computation resumed, and `last.safetensors` has the last state.
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
from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES
from ia_engine.files import read_note
from ia_engine.runs.tables import work
from ia_engine.runs.tables.compute import Computation, working_folder
from ia_engine.runs.tables.rows import ROWS, Task
from tests.tensors import rand
from tests.unit.equivariant.scenes import splits

ITERATIONS = 12
NETWORK = replace(ROWS[0].config, iterations=ITERATIONS, batch=8, every=3)
CLUSTERING = ClusterConfig(
    model="dti-kmeans", k=2, sequence="affine,tps", shares=(0.1, 0.5, 0.8), iterations=ITERATIONS,
    batch=8, period=1, exchange=1.0,
)  # fmt: skip
"""During these iterations, modules start, a cluster is replaced and the images are reshuffled.

With more clusters or modules, the checkpoint would be too large to be committed.
"""
CONFIGS = {
    "p4": NETWORK,
    "dti-kmeans": CLUSTERING,
    "dti-gmm": replace(CLUSTERING, model="dti-gmm", sequence="affine,morphology"),
}
ROW = replace(ROWS[0], table="tiny")
TASKS = {
    name: Task(replace(ROW, name=name, config=config, data=name), seed=5)
    for name, config in CONFIGS.items()
}
KILLED = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)
"""The iterations after which the process is killed."""
WRITING = (4, 9)
"""The iterations at which the process is killed while it writes a checkpoint."""
SHARED = 7
"""The iteration after which the checkpoint is shared."""
KILLED_IN_CLONE = (9, 11)


def make_images():
    images = rand(24, 1, 8, 8, dtype=torch.float32)
    return ImageSet(images, None, RECIPES["digits"], torch.arange(24) % 2, ("a", "b"))


def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def make_computation(folder):
    """A computation with its own working folder that writes every second checkpoint."""
    os.environ["IA_TABLES"] = str(folder / "working")
    ticks = itertools.count().__next__
    return Computation(
        results=folder / "results", every=2, clock=ticks, measuring=bool, report=lambda text: None
    )


def compute(task, folder, kill_at):
    """Compute one attempt."""

    def moments(task, checkpoint, curve):
        start = json.loads(read_note(checkpoint))["iteration"] if checkpoint else 0
        with (folder / "resumed").open("a") as file:
            file.write(f"{start} ")
        for moment in work.work(task, checkpoint, curve):
            if moment.iteration == kill_at:
                if kill_at not in WRITING:
                    kill()
                files.os.fsync = kill
                moment.save(working_folder() / f"{task.name}.safetensors", "")
            if moment.figures is not None:
                moment.save(folder / "last.safetensors", "")
            yield moment

    worker = make_computation(folder)
    worker.work = moments
    worker.run([task])


def attempt(task, folder, kill_at=None):
    """Compute in a separate process and check how it ends."""
    child = os.fork()
    if child == 0:
        try:
            compute(task, folder, kill_at)
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == (-signal.SIGKILL if kill_at else 0), f"{task.name}, {kill_at}: ended with {code}"


def compute_here(task, folder):
    """Compute an uninterrupted seed and a killed one, whose results are cloned before it ends."""
    whole, killed = folder / "whole", folder / "killed"
    for path in (whole, killed):
        path.mkdir(parents=True)
    attempt(task, whole)
    for moment in KILLED:
        attempt(task, killed, moment)
        if moment == SHARED:
            assert make_computation(killed).share(task)
            shutil.copytree(killed / "results", folder / "clone" / "results")
    attempt(task, killed)


def compute_in_clone(task, folder):
    """Resume the seed from the committed files, kill it and resume it again."""
    for moment in KILLED_IN_CLONE:
        attempt(task, folder / "clone", moment)
    attempt(task, folder / "clone")


def main(folder, place):
    torch.set_num_threads(1)
    work.SPLITS["p4"] = lambda: splits(16)
    work.IMAGES["dti-kmeans"] = work.IMAGES["dti-gmm"] = make_images
    work.RHYTHM_S = 0.0
    work.POINTS = 6
    for name, task in TASKS.items():
        next(iter(work.work(task, None, ())))  # torch imports some modules at the first step
        (compute_here if place == "here" else compute_in_clone)(task, folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
