"""Defines the entry of a figure or table: its statement, its computation and its verdict."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import mean, stdev
from typing import Final

from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.figures.papers.panels import Panel

REPRODUCED: Final = "reproduced"
OTHER_NETWORK: Final = "holds with our network"
DIRECTION: Final = "direction holds"
ILLUSTRATED: Final = "illustrated"
PARAMETERS: Final = "parameters only"
UNDECIDED: Final = "undecided"
FAILED: Final = "not reproduced"
NEEDS_DATA: Final = "needs data"
IMPOSSIBLE: Final = "not possible here"

DEFINITIONS: Final = {
    REPRODUCED: "The paper's claim holds on the paper's data (on ours, where none were published), "
    "with the authors' schedule, or with a schedule so long that further training changes the "
    "value by less than its spread, over at least 10 seeds (5 where the paper has 5).",
    OTHER_NETWORK: "As *reproduced*, but with a different encoder, which the entry names.",
    DIRECTION: "The methods rank as in the paper (for a reviewer's question, as the entry "
    "expects), by a margin larger than the spread over paired seeds (for a theorem, the statement "
    "holds for every seed), but with fewer seeds, a shorter schedule, or regenerated or different "
    "data; the entry states which.",
    ILLUSTRATED: "The entry is an identity, a drawing or a measurement without a claim, so it "
    "cannot fail.",
    PARAMETERS: "The networks have the paper's numbers of parameters, except those that the entry "
    "names; their results are not computed.",
    UNDECIDED: "The entry is not finished yet, it has too few seeds for a spread, or the margin is "
    "not larger than the spread.",
    FAILED: "A fair attempt at a stated schedule does not show the claim; the entry gives the "
    "reason.",
    NEEDS_DATA: "Data are missing; the entry states which data and where to get them.",
    IMPOSSIBLE: "The entry gives the reason.",
}
"""One sentence for each verdict, strongest first."""
VERDICTS: Final = tuple(DEFINITIONS)
FIXED: Final = (ILLUSTRATED, PARAMETERS)
"""Verdicts that do not depend on a seed."""
SEEDS: Final = 10
"""Number of seeds that a verdict needs unless the paper has fewer."""

TRAINING_BUDGET: Final = 10.0
"""Entries with a larger default budget [CPU s] train a model and use their entire budget."""


@dataclass(frozen=True, eq=False)
class Effort:
    """The amount of work that an entry may do."""

    budget: float
    """CPU seconds; ignored by entries with a fixed amount of work."""
    seed: int = 0
    given: ImageSet | None = None
    """Images of the user that replace a missing file."""

    def part(self, share: float) -> float:
        """Return a share of the budget, which is never zero."""
        return max(0.05, share * self.budget)


@dataclass(frozen=True)
class Number:
    """A named number: our mean over the seeds and, if the paper gives one, its value."""

    name: str
    ours: float | None
    paper: float | None = None
    unit: str = ""
    note: str = ""
    spread: float | None = None
    """Standard deviation over the seeds."""
    paper_spread: float | None = None
    least_loss: float | None = None
    """Our value of the seed with the lowest loss."""
    paper_least_loss: float | None = None
    values: tuple[float, ...] = ()
    """Our value of every seed; empty for a number without seeds."""

    @property
    def difference(self) -> float | None:
        """Our value minus the paper's value; None if one of them is missing."""
        return None if self.ours is None or self.paper is None else self.ours - self.paper


@dataclass(frozen=True)
class Claim:
    """A statement of the figure or table, and whether it holds here."""

    text: str
    holds: bool
    verdict: str = REPRODUCED
    """The verdict that the claim supports if it holds."""

    @property
    def supports(self) -> str:
        """The verdict that the claim supports as it is."""
        return self.verdict if self.holds else FAILED


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of computing an entry."""

    numbers: tuple[Number, ...] = ()
    claims: tuple[Claim, ...] = ()
    panels: tuple[Panel, ...] = ()
    data: str = ""
    """The data that were used, and how they differ from the paper's data."""
    stand_in: bool = False
    """True if different data replaced the paper's data, so that only a direction is shown."""
    seeds: int = 1
    """Number of seeds that were computed."""
    schedule: str = ""
    """The share of the authors' schedule: "300 of 300 epochs"."""
    beyond_spread: bool = False
    """True if every claim about an order holds by more than the spread of paired seeds. For a
    theorem, true if the statement holds for every seed."""
    answers: tuple[bool, ...] = ()
    """In an exercise, the answer for each picture of the first panel; otherwise empty."""

    @property
    def nbytes(self) -> int:
        """Memory of the arrays of all panels [bytes]."""
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
    """Where to put the file, as an instruction."""
    here: Callable[[], bool]
    uploadable: bool = False


@dataclass(frozen=True, eq=False)
class Entry:
    """A figure or a table of a paper, and its computation."""

    id: str
    paper: str
    label: str
    title: str
    says: str
    """The statement of the paper, in our words."""
    kind: str
    """The best verdict that the entry can have."""
    why: str = ""
    """Why the entry cannot have a better verdict; "" if it can be reproduced."""
    compute: Compute | None = None
    needs: tuple[Need, ...] = ()
    stand_in: str = ""
    """Name of the data that replace missing data; "" if there are none."""
    budget: float = 5.0
    """Default budget in CPU seconds."""
    thorough: float = 0.0
    """CPU seconds of the precomputed result, if they exceed the default budget."""
    steps: int = 2
    """Approximate number of progress reports."""
    seeds_needed: int = 0
    """Number of seeds that the verdict needs; 0 for the default, which depends on the kind."""

    @property
    def min_seeds(self) -> int:
        """Number of seeds that the verdict needs."""
        return self.seeds_needed or (1 if self.kind in FIXED else SEEDS)

    @property
    def scales_with_budget(self) -> bool:
        """True if more time gives a better result; other entries have a fixed amount of work."""
        return self.budget > TRAINING_BUDGET

    def missing(self, given: ImageSet | None = None) -> tuple[Need, ...]:
        """Return the required files that are not available."""
        return tuple(
            need for need in self.needs if not (need.here() or (given and need.uploadable))
        )

    def runs(self, given: ImageSet | None = None) -> bool:
        """Return True if the entry can be computed with the available files."""
        return self.compute is not None and bool(self.stand_in or not self.missing(given))


def run_entry(entry: Entry, effort: Effort) -> Iterator[Progress]:
    """Compute an entry; raise EngineError if a file is missing.

    The outcome records whether the paper's data were available at the start.
    """
    if entry.compute is None:
        raise EngineError(f"{entry.label} is not possible here: {entry.why}")
    if not entry.runs(effort.given):
        raise EngineError(describe_missing(entry, effort.given))
    lacking = bool(entry.missing())
    yield Progress("begun")
    for progress in entry.compute(effort):
        yield _with_others(progress) if lacking else progress


def _with_others(progress: Progress) -> Progress:
    """Mark the outcome as computed on data that differ from the paper's data."""
    if progress.outcome is None:
        return progress
    return replace(progress, outcome=replace(progress.outcome, stand_in=True))


def describe_missing(entry: Entry, given: ImageSet | None = None) -> str:
    """Explain which file is missing and where to put it; "" if none is missing."""
    missing = entry.missing(given)
    places = "; ".join(f"{need.name}: {need.where}" for need in missing)
    return f"{entry.label} needs files that are not available. {places}" if missing else ""


def status(entry: Entry, outcome: Outcome | None) -> str:
    """Return the verdict of an outcome: the weakest of the entry's kind and of its claims.

    With data other than the paper's, or with too few seeds, it is at most "direction holds". That
    requires several seeds and that every order holds by more than the spread of paired seeds;
    otherwise the entry is "undecided".

    >>> entry = Entry("x", "ia", "X", "", "", REPRODUCED)
    >>> status(entry, Outcome(claims=(Claim("it holds", True),), seeds=10))
    'reproduced'
    """
    if entry.kind == IMPOSSIBLE:
        return IMPOSSIBLE
    if outcome is None:
        return NEEDS_DATA if entry.missing() and not entry.stand_in else UNDECIDED
    undecided = choose_weakest([entry.kind, UNDECIDED])
    if not outcome.claims and entry.kind not in FIXED:
        return undecided
    found = choose_weakest([entry.kind, *(claim.supports for claim in outcome.claims)])
    enough = outcome.seeds >= entry.min_seeds
    if found == FAILED:
        return found if enough else undecided
    if outcome.stand_in or not enough:
        found = choose_weakest([found, DIRECTION])
    ordered = outcome.seeds > 1 and outcome.beyond_spread
    return undecided if found == DIRECTION and not ordered else found


def choose_weakest(verdicts: Sequence[str]) -> str:
    """Return the weakest of these verdicts.

    >>> choose_weakest([REPRODUCED, ILLUSTRATED])
    'illustrated'
    """
    return max(verdicts, key=VERDICTS.index)


def exceeds(larger: Sequence[float], smaller: Sequence[float]) -> bool:
    """Return True if one method is above another by more than the spread of paired seeds.

    Both have one value per seed, in the same order. The spread is the standard deviation of the
    differences.

    >>> exceeds([3.0, 5.0, 4.0], [1.0, 2.0, 2.0]), exceeds([3.0, 1.0], [1.0, 2.0])
    (True, False)
    """
    differences = [a - b for a, b in zip(larger, smaller, strict=True)]
    return len(differences) > 1 and mean(differences) > stdev(differences)


def is_above(larger: Sequence[float], smaller: Sequence[float]) -> bool:
    """Return True if one method is above another by more than the spread of paired seeds.

    One seed has no spread, so it only has to be larger.
    """
    return exceeds(larger, smaller) or (len(larger) == 1 and larger[0] > smaller[0])


def summarise(
    name: str,
    values: Sequence[float],
    paper: float | None = None,
    paper_spread: float | None = None,
    *,
    unit: str = "",
    note: str = "",
    losses: Sequence[float] = (),
    paper_least_loss: float | None = None,
) -> Number:
    """Return the mean of one value per seed, its spread, and the value with the lowest loss.

    >>> summarise("ACC", [96.0, 98.0], 97.3, unit="%", losses=[2.0, 1.0]).least_loss
    98.0
    """
    return Number(
        name,
        mean(values) if values else None,
        paper,
        unit,
        note,
        spread=stdev(values) if len(values) > 1 else None,
        paper_spread=paper_spread,
        paper_least_loss=paper_least_loss,
        values=tuple(values),
        least_loss=min(zip(losses, values, strict=True))[1] if losses else None,
    )
