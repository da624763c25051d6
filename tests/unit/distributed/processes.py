"""Runs tasks in two real processes: `python -m tests.unit.distributed.processes FOLDER RANK`."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
from safetensors.torch import load_file, save_file

from ia_engine.distributed.ranks import Ranks, finish, leave
from tests.unit.distributed.tasks import TASKS
from tests.waits import MAX_WAIT_S

ROOT = Path(__file__).parents[3]
SIZE = 2


def compute(folder):
    """Run all tasks in two processes; return the results of each process by task."""
    command = [sys.executable, "-m", "tests.unit.distributed.processes", str(folder)]
    pipes = {"cwd": ROOT, "stderr": subprocess.PIPE, "text": True}
    started = [subprocess.Popen([*command, str(rank)], **pipes) for rank in range(SIZE)]
    try:
        said = [process.communicate(timeout=MAX_WAIT_S)[1] for process in started]
    finally:
        for process in started:
            process.kill()
            process.communicate()
    assert [process.returncode for process in started] == [0] * SIZE, said
    return {
        task: [load_file(folder / f"{task}-{rank}.safetensors") for rank in range(SIZE)]
        for task in TASKS
    }


def main(folder, rank):
    torch.set_num_threads(1)
    store = dist.FileStore(str(folder / "store"), SIZE)
    limit = timedelta(seconds=MAX_WAIT_S)
    dist.init_process_group("gloo", timeout=limit, world_size=SIZE, rank=rank, store=store)
    for name, task in TASKS.items():
        found = task(Ranks(rank, SIZE, rank, store))
        content = {key: x.contiguous() for key, x in found.items()}
        save_file(content, folder / f"{name}-{rank}.safetensors")
    leave()
    finish(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
