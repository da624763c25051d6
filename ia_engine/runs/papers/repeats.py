"""Repeats the computation of an entry for several seeds, as many as its budget allows."""

from collections.abc import Iterable
from typing import Final

from ia_engine.runs.papers.entry import SEEDS, Effort

SETTLED: Final = "Settings were chosen on seeds 100-119."
"""Statement for entries whose settings were chosen on seeds other than those of the result."""


def choose_seeds(effort: Effort, cost: float, most: int = SEEDS) -> range:
    """Return consecutive seeds: one for each `cost` CPU seconds of the budget, at most `most`.

    >>> choose_seeds(Effort(3.0, seed=5), 1.0)
    range(5, 8)
    """
    return range(effort.seed, effort.seed + min(most, max(1, round(effort.budget / cost))))


def share(holds: Iterable[bool]) -> float:
    """Return the share of seeds for which a statement holds.

    >>> share([True, False, True, True])
    0.75
    """
    held = list(holds)
    return sum(held) / max(1, len(held))
