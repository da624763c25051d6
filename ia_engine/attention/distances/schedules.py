"""Smoothing levels of the descent (section 5): σ as a fraction of the shorter side of the
canvas."""

from dataclasses import dataclass
from typing import Protocol

LEVELS = (1 / 8, 1 / 16, 1 / 32, 1 / 64, 0.0)
"""These are 8, 4, 2, 1 and 0 px on a canvas of 64 × 64 px."""


class Schedule(Protocol):
    """Determines the levels of smoothing at which a step may be taken.

    If there are several levels, the step that lowers the *unsmoothed* objective most is taken. (If
    each step were judged by its own smoothed objective, the strongest smoothing would nearly always
    win.)
    """

    def tried(self, k: int, steps: int) -> tuple[float, ...]:
        """Return the levels to try at step k = 0, 1, …, steps - 1."""


@dataclass(frozen=True)
class Constant:
    """The same level at every step. A level of 0 adds no smoothing to the σ of the objective."""

    level: float = 0.0

    def tried(self, k: int, steps: int) -> tuple[float, ...]:
        return (self.level,)


@dataclass(frozen=True)
class Annealed:
    """One level after the other, with an equal number of steps at each level."""

    levels: tuple[float, ...] = LEVELS

    def tried(self, k: int, steps: int) -> tuple[float, ...]:
        return (self.levels[k * len(self.levels) // steps],)


@dataclass(frozen=True)
class Greedy:
    """All levels at every step."""

    levels: tuple[float, ...] = LEVELS

    def tried(self, k: int, steps: int) -> tuple[float, ...]:
        return self.levels


CONSTANT, ANNEALED, GREEDY = Constant(), Annealed(), Greedy()
SCHEDULES: dict[str, Schedule] = {"constant": CONSTANT, "annealed": ANNEALED, "greedy": GREEDY}
