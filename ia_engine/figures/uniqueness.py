"""Theorem 3.1 as pictures: the means of several starts, all laid on the first one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator

from ia_engine.attention.manifolds.few import Few
from ia_engine.attention.theory.uniqueness import TRIALS, Solution, start_again
from ia_engine.figures.mosaic import draw_row

MOST: Final = 10
"""At most so many images: the poses of all are solved for at once."""
STARTS: Final = 2
SEED: Final = 0
EXPECTED: Final = TRIALS * (STARTS + 1)
"""So often the picture is drawn anew."""


@dataclass(frozen=True, eq=False)
class Again:
    """The means so far in one picture, the first solution on the left, and their numbers."""

    png: bytes
    shown: int
    total: int
    radius: float
    objective: float
    solutions: tuple[Solution, ...]
    digest: str


def solve_again(few: Few) -> Iterator[Again]:
    """Solve, and again from poses on other images and from inputs that are each transformed."""
    n = len(few.v)
    rows = torch.arange(min(n, MOST), device=few.v.device) * n // min(n, MOST)
    v = few.v[rows]
    generator = Generator(device="cpu").manual_seed(SEED)
    for found in start_again(v, torch.ones_like(v[:, 0, 0, 0]), STARTS, generator):
        means = torch.stack([found.mu, *(solution.mu for solution in found.solutions)])
        means = (means / means.max().clamp_min(1e-12)).clamp(0, 1)
        yield Again(
            png=draw_row(means, STARTS + 1),
            shown=len(v),
            total=few.total,
            radius=found.radius,
            objective=found.objective,
            solutions=found.solutions,
            digest=few.digest,
        )
