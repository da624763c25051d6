"""Measures CPU time on a noisy machine: one thread, the minimum of several runs, and ratios instead
of seconds.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import torch
from torch.nn import functional

from ia_engine.images import pixel_grid

BATCHES = (16, 32, 64, 128, 256)
PASSES = 8
"""Number of passes over each pair of images in a floor."""
REPEATS = 5


@contextmanager
def one_thread() -> Iterator[None]:
    """Use one thread; otherwise, other work on the machine could delay some threads of a task."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def cpu_seconds(task: Callable[[], object]) -> float:
    """CPU time of this thread in one run of the task."""
    started = time.thread_time()
    task()
    return time.thread_time() - started


@dataclass(frozen=True)
class Floor:
    """The time of bare grid_sample passes over this number of pairs of h×w images: the unit
    "floor".
    """

    pairs: int
    height: int
    width: int

    def seconds(self) -> float:
        """The time with the best of several batch sizes."""
        return min(self._in_batches(size) for size in BATCHES)

    def _in_batches(self, size: int) -> float:
        images = torch.rand(size, 1, self.height, self.width)
        turned = pixel_grid(self.height, self.width, images) @ _turn(0.5)
        grid = turned.flip(-1) / (torch.tensor([self.width, self.height]) / 2)
        grid = grid.expand(size, -1, -1, -1).contiguous()
        count = self.pairs * PASSES / size
        task = partial(functional.grid_sample, images, grid, align_corners=True)
        return cpu_seconds(lambda: [task() for _ in range(round(count))]) * count / round(count)


def ratio(task: Callable[[], object], floor: Floor, repeats: int = REPEATS) -> float:
    """CPU time of the task in floors: the ratio of the minima of alternating measurements."""
    with one_thread():
        task()
        runs = [(cpu_seconds(task), floor.seconds()) for _ in range(repeats)]
    return min(run[0] for run in runs) / min(run[1] for run in runs)


def _turn(theta: float) -> torch.Tensor:
    cos, sin = math.cos(theta), math.sin(theta)
    return torch.tensor([[cos, -sin], [sin, cos]])
