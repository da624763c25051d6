"""Each method once on next to nothing, before the first time that counts.

What it loads only as it runs is there by then: no part of its budget or its memory.
"""

import contextlib
from functools import cache
from typing import Final

import torch

from ia_engine.runs.comparison.methods import METHODS
from ia_engine.runs.comparison.task import Task

IMAGES: Final = 6
SIDE: Final = 12
BUDGET: Final = 0.05


def warm_up(name: str, task: Task) -> None:
    """Make the method ready for tasks like this one."""
    _run(name, task.images.shape[1], None if task.k is None else 2, min(task.averagings, 1))


@cache
def _run(name: str, channels: int, k: int | None, averagings: int) -> None:
    chance = torch.Generator(device="cpu").manual_seed(0)
    images = torch.rand(IMAGES, channels, SIDE, SIDE, generator=chance, device="cpu")
    with contextlib.suppress(Exception):  # what goes wrong here will again, and is told then
        for _ in METHODS[name](Task(images, k, BUDGET, averagings=averagings)):
            pass
