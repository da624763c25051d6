"""An entry for a figure or a table of a paper: its statement, its computation and its status."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.figures.papers.panels import Panel

REPRODUCED: Final = "reproduced"
DIRECTION: Final = "direction only"
IMPOSSIBLE: Final = "not possible here"
KINDS: Final = (REPRODUCED, DIRECTION, IMPOSSIBLE)

HUNGRY: Final = 10.0
"""Entries with a larger default budget [CPU s] train a model and use all the time they get."""

NEEDS_DATA: Final = "needs data"
FAILED: Final = "not reproduced"
OPEN: Final = "not computed yet"


@dataclass(frozen=True, eq=False)
class Effort:
    """The amount of work that an entry may do."""

    budget: float
    """CPU seconds; ignored by entries whose work is always the same."""
    seed: int = 0
    given: ImageSet | None = None
    """Images of the viewer that replace a missing file."""

    def part(self, share: float) -> float:
        """A share of the budget; never zero."""
        return max(0.05, share * self.budget)


@dataclass(frozen=True)
class Number:
    """A named number: the paper's, if it gives one, and ours."""

    name: str
    ours: float | None
    paper: float | None = None
    unit: str = ""
    note: str = ""

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's."""
        return None if self.ours is None or self.paper is None else self.ours - self.paper


@dataclass(frozen=True)
class Claim:
    """A statement of the figure or table, and whether it holds here."""

    text: str
    holds: bool


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of an entry."""

    numbers: tuple[Number, ...] = ()
    claims: tuple[Claim, ...] = ()
    panels: tuple[Panel, ...] = ()
    data: str = ""
    """The data that were used, and how they differ from the paper's."""
    stand_in: bool = False
    """True if other data replaced the paper's: the result then shows a direction at most."""
    answers: tuple[bool, ...] = ()
    """For an exercise: one answer for each picture of the first panel."""

    @property
    def nbytes(self) -> int:
        """Memory of the arrays of all panels."""
        arrays = (x for panel in self.panels for x in vars(panel).values())
        return sum(getattr(x, "nbytes", 0) for x in arrays)


@dataclass(frozen=True, eq=False)
class Progress:
    """One report of progress; the last report has the outcome."""

    about: str
    outcome: Outcome | None = None

    @property
    def nbytes(self) -> int:
        return self.outcome.nbytes if self.outcome else 0


Compute = Callable[[Effort], Iterator[Progress]]


@dataclass(frozen=True, eq=False)
class Need:
    """A file that is not part of the project."""

    name: str
    where: str
    """Instruction where to put which file."""
    here: Callable[[], bool]
    uploadable: bool = False


@dataclass(frozen=True, eq=False)
class Entry:
    """A figure or a table."""

    id: str
    paper: str
    label: str
    title: str
    says: str
    """The paper's statement, in our words."""
    kind: str
    why: str = ""
    """Why it shows only a direction, or is not possible."""
    compute: Compute | None = None
    needs: tuple[Need, ...] = ()
    stand_in: str = ""
    """The replacement for missing data; "" if there is none."""
    budget: float = 5.0
    """Default budget in CPU seconds."""
    thorough: float = 0.0
    """CPU seconds of the results in the assets, if these are more."""
    steps: int = 2
    """Approximate number of progress reports."""

    @property
    def hungry(self) -> bool:
        """True if more time gives a better result; the other entries always do the same work."""
        return self.budget > HUNGRY

    def missing(self, given: ImageSet | None = None) -> tuple[Need, ...]:
        """The files that are not available."""
        return tuple(
            need for need in self.needs if not (need.here() or (given and need.uploadable))
        )

    def runs(self, given: ImageSet | None = None) -> bool:
        """True if it can be computed with the available files."""
        return self.compute is not None and bool(self.stand_in or not self.missing(given))


def run_entry(entry: Entry, effort: Effort) -> Iterator[Progress]:
    """Compute an entry; an EngineError states what is missing.

    The outcome records whether the paper's data were available at the start.
    """
    if entry.compute is None:
        raise EngineError(f"{entry.label} is not possible here: {entry.why}")
    if not entry.runs(effort.given):
        raise EngineError(tell_missing(entry, effort.given))
    lacking = bool(entry.missing())
    yield Progress("begun")
    for progress in entry.compute(effort):
        yield _with_others(progress) if lacking else progress


def _with_others(progress: Progress) -> Progress:
    """Mark the outcome as computed on other data than the paper's."""
    if progress.outcome is None:
        return progress
    return replace(progress, outcome=replace(progress.outcome, stand_in=True))


def tell_missing(entry: Entry, given: ImageSet | None = None) -> str:
    """State which missing file to put where; "" if none is missing."""
    missing = entry.missing(given)
    places = "; ".join(f"{need.name}: {need.where}" for need in missing)
    return f"{entry.label} needs files that are not available. {places}" if missing else ""


def status(entry: Entry, outcome: Outcome | None) -> str:
    """The status of an entry's outcome; without the entry's data it is never "reproduced"."""
    if entry.kind == IMPOSSIBLE:
        return IMPOSSIBLE
    if outcome is None:
        return NEEDS_DATA if entry.missing() and not entry.stand_in else OPEN
    if not all(claim.holds for claim in outcome.claims):
        return FAILED
    return DIRECTION if outcome.stand_in else entry.kind
