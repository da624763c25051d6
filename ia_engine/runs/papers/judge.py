"""Judges the papers' tables from the results of the seeds: which hold, and which are undecided.

A claim about a value needs all seeds of its row, and holds within a tolerance that does not depend
on our spread. A claim about an order needs two seeds, and holds if it holds by more than the spread
of paired seeds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean
from typing import Final

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PUBLISHED
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.runs.papers.entry import (
    DIRECTION,
    OTHER_NETWORK,
    REPRODUCED,
    Claim,
    Entry,
    Number,
    Outcome,
    exceeds,
    summarise,
)
from ia_engine.runs.papers.quoted import Quoted, find_competitors, find_quoted
from ia_engine.runs.tables.results import FOLDER, SeedResult, load_results
from ia_engine.runs.tables.rows import ROWS, Row, Task

ERROR, ACC, NMI = "test error", "ACC", "NMI"

TABLES: Final = {
    "gcnn-table-1": ("rot-mnist",),
    "dti-table-1": ("mnist", "mnist-test"),
    "dti-table-1-fashion": ("fashion",),
    "dti-table-2": ("mnist-1k", "mnist-color"),
    "dti-table-3": ("table-3",),
}
"""Folders of results by entry."""
TITLES: Final = {
    "rot-mnist": "rotated MNIST",
    "mnist": "MNIST",
    "mnist-test": "MNIST-test",
    "fashion": "Fashion-MNIST",
    "mnist-1k": "MNIST-1k",
    "mnist-color": "MNIST-color",
    "table-3": "ablations on MNIST",
}
OTHER_SETS: Final = {
    "dti-table-1": ("usps", "frgc", "svhn"),
    "dti-table-2": ("affnist",),
}
"""Sets of a table that are quoted only, because their data are missing."""
TOLERANCE: Final = 0.5
"""Difference of accuracies that counts as equal where the paper gives no spread, in percentage
points. It was chosen without regard to our results: one image in 200."""
PIXELS: Final = ("K-means", "GMM")
"""The competitors in Table 1 that DTI clustering clearly outperforms."""

Results = Mapping[Row, Sequence[SeedResult]]
"""The finished seeds of every row of an entry."""


def list_rows(entry: str, rows: Sequence[Row] = ROWS) -> tuple[Row, ...]:
    """Return the rows of an entry, including the first row of Table 3, which is one of Table 1."""
    found = [row for table in TABLES.get(entry, ()) for row in rows if row.table == table]
    if entry == "dti-table-3":
        found = [_find("mnist", "dti-kmeans-quick"), *found]
    return tuple(found)


def read_results(entry: str, folder: Path = FOLDER) -> dict[Row, list[SeedResult]]:
    """Read the fresh results of all rows of an entry, including rows without any."""
    return {
        row: load_results((Task(row, seed) for seed in range(row.seeds)), folder)
        for row in list_rows(entry)
    }


@dataclass(frozen=True)
class Judgement:
    """The outcome of a table, and the claims that need more seeds."""

    outcome: Outcome
    undecided: tuple[str, ...]


def judge(entry: str, results: Results) -> Judgement:
    """Judge an entry by the definitions of the verdicts.

    >>> judge("dti-table-2", {row: [] for row in list_rows("dti-table-2")}).outcome.seeds
    0
    """
    statements = list(list_statements(entry))
    decided = [one for one in statements if one.is_decided(results)]
    orders = [one for one in decided if isinstance(one, Order | Above)]
    counted = [len(found) for row, found in results.items() if _is_counted(row)]
    used = [result for found in results.values() for result in found]
    outcome = Outcome(
        numbers=tuple(n for row, found in results.items() for n in list_numbers(row, found)),
        claims=tuple(Claim(one.text, one.holds(results), one.verdict) for one in decided),
        data="; ".join(dict.fromkeys(result.data for result in used)),
        stand_in=entry == "gcnn-table-1",
        seeds=min(counted, default=0),
        schedule=f"the authors' schedule; {len(used)} of {sum(row.seeds for row in results)} seeds "
        "finished, over all rows",
        beyond_spread=bool(orders) and all(one.holds(results) for one in orders),
    )
    return Judgement(outcome, tuple(one.text for one in statements if one not in decided))


def is_begun(entry: Entry, outcome: Outcome) -> bool:
    """Return False if no seed of an entry is finished and its missing data have no replacement."""
    return bool(entry.stand_in) or any(number.ours is not None for number in outcome.numbers)


def describe_schedule(row: Row, found: Sequence[SeedResult]) -> str:
    """Return the share of the authors' schedule that every seed of a row ran.

    >>> describe_schedule(ROWS[0], [])
    '–'
    """
    if not found:
        return "–"
    recipe = "mnist" if row.table == "table-3" else row.table
    epochs = 100 if isinstance(row.config, TrainingConfig) else PUBLISHED[recipe].epochs[-1]
    fewest = min(result.figures["iterations"] for result in found)
    return f"{epochs * fewest / row.config.iterations:.0f} of {epochs} epochs"


def _is_counted(row: Row) -> bool:
    """Return False for a row that is computed in addition to the row of the quick encoder."""
    return not isinstance(row.config, ClusterConfig) or row.config.encoder == "quick"


def list_numbers(row: Row, found: Sequence[SeedResult]) -> Iterator[Number]:
    """Yield the values of a row next to the paper's values, in percent."""
    quoted, note = find_quoted(row), f"{len(found)} of {row.seeds} seeds"
    name = f"{TITLES[row.table]}: {row.title}"
    if isinstance(row.config, TrainingConfig):
        yield summarise(f"{name}: {ERROR}", read_values(found, ERROR), quoted.value, quoted.spread,
                        unit="%", note=note)  # fmt: skip
        return
    losses = [result.figures["loss"] for result in found]
    for measure, paper, spread, least in (
        (ACC, quoted.value, quoted.spread, quoted.least), (NMI, quoted.nmi, None, quoted.least_nmi)
    ):  # fmt: skip
        yield summarise(f"{name}: {measure}", read_values(found, measure), paper, spread,
                        unit="%", note=note, losses=losses, paper_least_loss=least)  # fmt: skip


def read_values(found: Sequence[SeedResult], measure: str) -> list[float]:
    """Return a measure of every seed [%]."""
    return [100 * result.figures[measure] for result in found]


def pick_least(found: Sequence[SeedResult], measure: str) -> float:
    """Return a measure of the seed with the lowest loss [%]."""
    return 100 * min(found, key=lambda result: result.figures["loss"]).figures[measure]


@dataclass(frozen=True)
class Reaches:
    """The mean accuracy of a row reaches that of the paper, within the tolerance.

    The tolerance is the standard error of the paper's mean, or `TOLERANCE` where it has no spread.
    """

    row: Row
    least: bool = False
    """True for the run with the lowest loss instead of the mean."""

    @property
    def text(self) -> str:
        quoted = find_quoted(self.row)
        value = quoted.least if self.least else quoted.value
        what = "the run with the lowest loss" if self.least else "the mean over the seeds"
        return (
            f"{TITLES[self.row.table]}, {self.row.title}: {what} reaches the paper's {value} % "
            f"within {self._find_tolerance():.2g} percentage points"
        )

    @property
    def verdict(self) -> str:
        return _verdict(self.row)

    def is_decided(self, results: Results) -> bool:
        return len(results[self.row]) >= self.row.seeds

    def holds(self, results: Results) -> bool:
        quoted, found = find_quoted(self.row), results[self.row]
        ours = pick_least(found, ACC) if self.least else mean(read_values(found, ACC))
        paper = quoted.least if self.least else quoted.value
        assert paper is not None
        return ours >= paper - self._find_tolerance()

    def _find_tolerance(self) -> float:
        """Return the tolerance in percentage points; a single run has no standard error."""
        quoted = find_quoted(self.row)
        if self.least or quoted.spread is None:
            return TOLERANCE
        return quoted.spread / sqrt(quoted.runs)


@dataclass(frozen=True)
class Above:
    """The accuracy of a row is above that of a competitor by more than the spread over the seeds.

    The competitor's value is quoted from the paper.
    """

    row: Row
    other: Quoted

    @property
    def text(self) -> str:
        return (
            f"{TITLES[self.row.table]}, {self.row.title}: accuracy above that of "
            f"{self.other.method} ({self.other.value} %) by more than the spread"
        )

    @property
    def verdict(self) -> str:
        return _verdict(self.row)

    def is_decided(self, results: Results) -> bool:
        return len(results[self.row]) > 1

    def holds(self, results: Results) -> bool:
        values = read_values(results[self.row], ACC)
        return exceeds(values, [self.other.value] * len(values))


@dataclass(frozen=True)
class Order:
    """A row is better than another by more than the spread of paired seeds."""

    better: Row
    worse: Row

    @property
    def measure(self) -> str:
        return ERROR if isinstance(self.better.config, TrainingConfig) else ACC

    @property
    def text(self) -> str:
        relation = "a lower error" if self.measure == ERROR else "a higher accuracy"
        return f"{self.better.title} has {relation} than {self.worse.title}"

    @property
    def verdict(self) -> str:
        return DIRECTION if self.measure == ERROR else _verdict(self.better)

    def is_decided(self, results: Results) -> bool:
        return len(self._pair(results)[0]) > 1

    def holds(self, results: Results) -> bool:
        better, worse = self._pair(results)
        return exceeds(worse, better) if self.measure == ERROR else exceeds(better, worse)

    def _pair(self, results: Results) -> tuple[list[float], list[float]]:
        """Return the values of the seeds that both rows have."""
        ours, theirs = ({result.seed: result for result in results[row]}
                        for row in (self.better, self.worse))  # fmt: skip
        common = sorted(ours.keys() & theirs.keys())
        first, second = (read_values([found[seed] for seed in common], self.measure)
                         for found in (ours, theirs))  # fmt: skip
        return first, second


@dataclass(frozen=True)
class Similar:
    """The runs with the lowest loss of two rows have the same accuracy, within the tolerance."""

    row: Row
    other: Row

    @property
    def text(self) -> str:
        return (
            f"{self.other.title}: the run with the lowest loss differs from that of "
            f"{self.row.title} by at most {TOLERANCE} percentage points"
        )

    @property
    def verdict(self) -> str:
        return _verdict(self.row)

    def is_decided(self, results: Results) -> bool:
        return all(len(results[row]) >= row.seeds for row in (self.row, self.other))

    def holds(self, results: Results) -> bool:
        ours, theirs = (pick_least(results[row], ACC) for row in (self.row, self.other))
        return abs(ours - theirs) <= TOLERANCE


Statement = Reaches | Above | Order | Similar


def list_statements(entry: str) -> Iterator[Statement]:
    """Yield what the paper's text and table state about the rows that are computed."""
    if entry == "gcnn-table-1":
        yield from (Order(*(_find("rot-mnist", name) for name in pair)) for pair in ATTENTIVE)
    elif entry == "dti-table-3":
        full = _find("mnist", "dti-kmeans-quick")
        yield from (Order(full, row) for row in list_rows(entry)[1:]
                    if row.title.startswith(SHOWN_WORSE))  # fmt: skip
        yield from (Similar(full, row) for row in list_rows(entry)[1:]
                    if row.title.startswith(REORDERED))  # fmt: skip
    else:
        for row in filter(_is_counted, list_rows(entry)):
            yield from (Reaches(row), Reaches(row, least=True))
            others = [other for other in find_competitors(row.table) if other.how == "average"]
            if entry.startswith("dti-table-1"):
                others = [other for other in others if other.method in PIXELS]
            yield Above(row, max(others, key=lambda other: other.value))


ATTENTIVE: Final = (
    ("alpha-f-p4", "p4"), ("alpha-f-p4", "big11-p4"), ("alpha-ch-p4", "big15-p4"),
    ("alpha-sp-p4", "big15-p4"), ("alpha-p4", "big19-p4"), ("alpha-rh-p4", "p4"),
    ("alpha-p4", "alpha-rh-p4"),
)  # fmt: skip
"""Section 4.1: attentive networks have lower errors than plain ones of the same size, and attention
over the entire group has a lower error than attention over rotations only."""
SHOWN_WORSE: Final = ("morphology, affine, tps", "without", "affine only")
"""Section 5.1: each module, reassignment and the curriculum are necessary, and the order of the
modules affects the averages."""
REORDERED: Final = ("affine, tps, morphology", "morphology, affine, tps")
"""Section 5.1: the runs with the lowest loss show that the order of the modules is not crucial."""


def _find(table: str, name: str) -> Row:
    return next(row for row in ROWS if (row.table, row.name) == (table, name))


def _verdict(row: Row) -> str:
    """Return the best verdict of a row: only a row with the paper's encoder is *reproduced*."""
    assert isinstance(row.config, ClusterConfig)
    recipe = "mnist" if row.table == "table-3" else row.table
    return REPRODUCED if row.config.encoder == PUBLISHED[recipe].config.encoder else OTHER_NETWORK
