"""The state of Iterations: the run that its views show, with what is selected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ia_engine.figures.history import Numbers
from ia_engine.runs.attend import Plan, Shown
from pages._ui.state.selection import selected

Runs = Mapping[str, Sequence[Shown]]


@dataclass(frozen=True, eq=False)
class Seen:
    """A run, and what is selected of it."""

    plan: Plan
    runs: Runs
    key: str
    """The run's name."""
    rows: Sequence[int]
    """Where its images stand in the data."""
    step: int | None
    """The iteration on which the player rests; None while it plays."""

    @property
    def numbers(self) -> dict[str, list[Numbers]]:
        return {method: [step.numbers for step in steps] for method, steps in self.runs.items()}

    @property
    def pair(self) -> tuple[int, int] | None:
        """The places of the selected pair."""
        return selected().pair(self.rows)
