"""An entry for a figure or a table of a paper: what it says, what is computed, how it stands."""

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
"""Entries that usually take longer [CPU s] train something, for as long as they may."""

NEEDS_DATA: Final = "needs data"
FAILED: Final = "not reproduced"
OPEN: Final = "not computed yet"


@dataclass(frozen=True, eq=False)
class Effort:
    """How much work an entry may make of it."""

    budget: float
    """CPU seconds; an entry whose work is always the same takes no notice of it."""
    seed: int = 0
    given: ImageSet | None = None
    """Images of the viewer's own in place of a file that is not here."""

    def part(self, share: float) -> float:
        """A share of the budget; never nothing."""
        return max(0.05, share * self.budget)


@dataclass(frozen=True)
class Number:
    """A named figure: the paper's, where it gives one, and ours."""

    name: str
    ours: float | None
    paper: float | None = None
    unit: str = ""
    note: str = ""

    @property
    def difference(self) -> float | None:
        """Ours less the paper's."""
        return None if self.ours is None or self.paper is None else self.ours - self.paper


@dataclass(frozen=True)
class Claim:
    """What the figure or table says, as a sentence that holds here or does not."""

    text: str
    holds: bool


@dataclass(frozen=True, eq=False)
class Outcome:
    """What was found."""

    numbers: tuple[Number, ...] = ()
    claims: tuple[Claim, ...] = ()
    panels: tuple[Panel, ...] = ()
    data: str = ""
    """What it was computed on, and in what way that differs from the paper."""
    stand_in: bool = False
    """Whether other data took the place of the paper's: then it shows a direction at most."""
    answers: tuple[bool, ...] = ()
    """Of an exercise: which pictures of the first panel are what is asked for."""

    @property
    def nbytes(self) -> int:
        """What a job that keeps it holds on to."""
        arrays = (x for panel in self.panels for x in vars(panel).values())
        return sum(getattr(x, "nbytes", 0) for x in arrays)


@dataclass(frozen=True, eq=False)
class Progress:
    """How far it has come; the outcome comes last."""

    about: str
    outcome: Outcome | None = None

    @property
    def nbytes(self) -> int:
        return self.outcome.nbytes if self.outcome else 0


Compute = Callable[[Effort], Iterator[Progress]]


@dataclass(frozen=True, eq=False)
class Need:
    """A file that does not come with the project."""

    name: str
    where: str
    """Which file goes where."""
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
    """What the paper says, in our words."""
    kind: str
    why: str = ""
    """Why it is only a direction, or not possible."""
    compute: Compute | None = None
    needs: tuple[Need, ...] = ()
    stand_in: str = ""
    """What takes the place of missing data; "": nothing can."""
    budget: float = 5.0
    """CPU seconds unless told."""
    thorough: float = 0.0
    """CPU seconds that the results in the assets took, where that is more."""
    steps: int = 2
    """About so many reports of progress."""

    @property
    def hungry(self) -> bool:
        """Whether it makes more of more time; the others always do the same."""
        return self.budget > HUNGRY

    def missing(self, given: ImageSet | None = None) -> tuple[Need, ...]:
        """The files that are not here."""
        return tuple(
            need for need in self.needs if not (need.here() or (given and need.uploadable))
        )

    def runs(self, given: ImageSet | None = None) -> bool:
        """Whether it can be computed here and now."""
        return self.compute is not None and bool(self.stand_in or not self.missing(given))


def run_entry(entry: Entry, effort: Effort) -> Iterator[Progress]:
    """Compute an entry, or say in a sentence what is missing for it.

    Whether the paper's data were here is found out now, and stays with the outcome.
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
    """Its outcome says that it was not computed on the paper's data."""
    if progress.outcome is None:
        return progress
    return replace(progress, outcome=replace(progress.outcome, stand_in=True))


def tell_missing(entry: Entry, given: ImageSet | None = None) -> str:
    """Which file is to be put where."""
    missing = entry.missing(given)
    told = "; ".join(f"{need.name}: {need.where}" for need in missing)
    return f"{entry.label} needs what is not here. {told}" if missing else ""


def status(entry: Entry, outcome: Outcome | None) -> str:
    """How an outcome of an entry stands; made without the entry's data it is never reproduced."""
    if entry.kind == IMPOSSIBLE:
        return IMPOSSIBLE
    if outcome is None:
        return NEEDS_DATA if entry.missing() and not entry.stand_in else OPEN
    if not all(claim.holds for claim in outcome.claims):
        return FAILED
    return DIRECTION if outcome.stand_in else entry.kind
