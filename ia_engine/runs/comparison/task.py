"""What a method is given, and what it makes of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from ia_engine.shapes import Images, Labels


@dataclass(frozen=True, eq=False)
class Task:
    """The same for every method."""

    images: Images
    """[n c h w] in [0, 1]."""
    k: int | None
    """None: the method has to find the number of clusters."""
    budget: float
    """CPU seconds."""
    seed: int = 0
    averagings: int = 0


@dataclass(frozen=True, eq=False)
class Best:
    """The best that a method has found so far."""

    assignments: Labels
    """[n], the clusters numbered from 0 without gaps, unless centres belong to the numbers."""
    centres: Images
    """[k c h w]."""
    note: str = ""
    """What is not as it was meant."""


Method = Callable[[Task], Iterator[Best]]
"""Yields something soon and better things later; who asks for no more has the best so far."""


def average(images: Images, assignments: Labels) -> Images:
    """The mean [k c h w] of each cluster's images, pixel by pixel."""
    within = torch.nn.functional.one_hot(assignments).to(images)
    total = torch.einsum("nk,nchw->kchw", within, images)
    return total / within.sum(0).clamp_min(1)[:, None, None, None]
