"""Chooses settings of entries on seeds that no entry reports.

`python -m assets.choose_settings` repeats the choices of all entries.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

CHOICE_SEEDS: Final = range(100, 120)
"""The seeds on which settings are chosen. Entries report seeds from 0."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidates for a setting, and the requirement that decides between them."""

    setting: str
    candidates: Sequence[Any]
    """The preferred candidate first."""
    meets: Callable[[Any, int], bool]
    """True if a candidate meets the requirement on a seed."""
    requirement: str
    least: int = 0
    """Number of seeds on which a candidate must meet the requirement."""


@dataclass(frozen=True)
class Compared:
    """The number of seeds on which a candidate meets the requirement."""

    candidate: Any
    met: int
    compared: int
    """Number of seeds; fewer than all if the candidate could not become the best one."""


def compare(choice: Choice, seeds: Sequence[int] = CHOICE_SEEDS) -> Iterator[Compared]:
    """Yield the candidates that are compared. The first one with the largest count is the best.

    The comparison of a candidate ends when it cannot become the best one; all comparisons end when
    a candidate meets the requirement on every seed.

    >>> choice = Choice("n", (1, 2, 3), lambda n, seed: seed % n == 0, "n divides the seed")
    >>> [one.met for one in compare(choice, (2, 4, 5))]
    [3]
    """
    best = choice.least - 1
    for candidate in choice.candidates:
        met = failed = 0
        for seed in seeds:
            holds = choice.meets(candidate, seed)
            met, failed = met + holds, failed + (not holds)
            if len(seeds) - failed <= best:
                break
        yield Compared(candidate, met, met + failed)
        best = max(best, met)
        if met == len(seeds):
            return


def find_best(found: Sequence[Compared]) -> Compared:
    """Return the first of the candidates with the largest count."""
    return max(found, key=lambda one: one.met)
