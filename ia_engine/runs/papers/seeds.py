"""Formats the seeds of `make tables` for the page Papers: a table, quoted values and plots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

import numpy as np

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PUBLISHED, list_differences
from ia_engine.figures.papers.panels import Curves, Seeds
from ia_engine.runs.papers.entry import Number, Outcome
from ia_engine.runs.papers.judge import (
    ACC,
    ERROR,
    OTHER_SETS,
    TABLES,
    TITLES,
    Results,
    describe_schedule,
    judge,
    list_numbers,
    read_results,
    read_values,
)
from ia_engine.runs.papers.numbers import write_number, write_spread
from ia_engine.runs.papers.quoted import QUOTED, Quoted, find_competitors, find_quoted
from ia_engine.runs.tables.results import FOLDER, SeedResult
from ia_engine.runs.tables.rows import Row

MISSING: Final = {
    "usps": "needs USPS",
    "frgc": "needs FRGC, which has no public source",
    "svhn": "needs SVHN",
    "affnist": "needs the published affNIST (320,000 images)",
}
"""Sets of the tables whose data are not part of the project."""

Line = dict[str, str]


@dataclass(frozen=True, eq=False)
class Finished:
    """The displayed results of the seeds of an entry."""

    outcome: Outcome
    undecided: tuple[str, ...]
    """Claims that need more seeds."""
    lines: tuple[Line, ...]
    """One line for each row that `make tables` computes, with or without finished seeds."""
    quoted: tuple[Line, ...]
    """The other rows of the paper's table."""
    notes: tuple[str, ...]
    """Data and recipes, and their differences from the paper."""
    panels: tuple[Seeds | Curves, ...]


def show_finished(entry: str, folder: Path = FOLDER) -> Finished | None:
    """Return the results of an entry; None if `make tables` does not compute it.

    >>> show_finished("ia-figure-4")
    """
    if entry not in TABLES:
        return None
    results = read_results(entry, folder)
    judgement = judge(entry, results)
    sets = (*TABLES[entry], *OTHER_SETS.get(entry, ()))
    return Finished(
        judgement.outcome,
        judgement.undecided,
        tuple(_write_line(row, found) for row, found in results.items()),
        tuple(_write_quoted(quoted) for quoted in _list_quoted(sets)),
        tuple(dict.fromkeys(note for row, found in results.items() for note in _note(row, found))),
        (*_draw_seeds(results), *_draw_curves(results)),
    )


def _write_line(row: Row, found: Sequence[SeedResult]) -> Line:
    """Format a row: our values next to the paper's values [%]."""
    quoted = find_quoted(row)
    line = {"set": TITLES[row.table], "method": row.title,
            "seeds": f"{len(found)} of {row.seeds} seeds"}  # fmt: skip
    if isinstance(row.config, ClusterConfig):
        numbers = {n.name.rpartition(" ")[2]: n for n in list_numbers(row, found)}
        line |= _compare(numbers[ACC], quoted.least)
        line |= _compare(numbers["NMI"], quoted.least_nmi)
    else:
        (error,) = list_numbers(row, found)
        line |= {f"{ERROR}, ours": write_spread(error.ours, error.spread),
                 f"{ERROR}, paper": write_spread(error.paper, error.paper_spread)}  # fmt: skip
    minutes = f"{mean(result.seconds for result in found) / 60:.0f}" if found else "–"
    machine = ", ".join(dict.fromkeys(result.processor for result in found))
    commits = ", ".join(dict.fromkeys(result.commit for result in found if result.commit))
    return line | {
        "schedule": describe_schedule(row),
        "CPU min per seed": minutes,
        "machine": machine,
        "commit": commits,
        "command": f"python -m assets.make_tables --only {row.table}/{row.name}",
    }


def _compare(number: Number, paper_least: float | None) -> Line:
    name = number.name.rpartition(" ")[2]
    return {
        f"{name}, ours": write_spread(number.ours, number.spread),
        f"{name}, paper": write_spread(number.paper, number.paper_spread),
        f"{name} of the run with the lowest loss, ours": write_number(number.least_loss),
        f"{name} of the run with the lowest loss, paper": write_number(paper_least),
    }


def _list_quoted(sets: Sequence[str]) -> Iterator[Quoted]:
    """Yield the rows of the paper's table that are not computed here."""
    for table in sets:
        if table in MISSING:
            yield from (quoted for quoted in QUOTED if quoted.table == table)
        else:
            yield from find_competitors(table)


def _write_quoted(quoted: Quoted) -> Line:
    own = quoted.method.startswith("DTI")
    notes = [quoted.note, MISSING.get(quoted.table, "") if own else ""]
    return {
        "set": TITLES.get(quoted.table) or PUBLISHED[quoted.table].title,
        "method": quoted.method,
        "runs": f"{quoted.runs}, {quoted.how}",
        "ACC": write_spread(quoted.value, quoted.spread),
        "NMI": write_number(quoted.nmi),
        "ACC of the run with the lowest loss": write_number(quoted.least),
        "NMI of the run with the lowest loss": write_number(quoted.least_nmi),
        "note": "; ".join(filter(None, notes)),
    }


def _note(row: Row, found: Sequence[SeedResult]) -> Iterator[str]:
    yield from dict.fromkeys(result.data for result in found)
    if isinstance(row.config, ClusterConfig) and row.table in PUBLISHED:
        changed = list_differences(row.config, PUBLISHED[row.table].config)
        yield from (text for text in changed if not text.startswith("model"))


def _draw_seeds(results: Results) -> Iterator[Seeds]:
    """Yield a plot for each set: a point for each seed beside the paper's mean and spread."""
    for table in dict.fromkeys(row.table for row in results):
        own = {row: found for row, found in results.items() if row.table == table and found}
        if not own:
            continue
        measure = ACC if isinstance(next(iter(own)).config, ClusterConfig) else ERROR
        values = np.full((len(own), max(map(len, own.values()))), np.nan)
        for at, found in enumerate(own.values()):
            values[at, : len(found)] = read_values(found, measure)
        papers = [find_quoted(row) for row in own]
        yield Seeds(
            title=f"{TITLES[table]}: {measure} of every seed",
            y_title=f"{measure} [%]",
            names=tuple(row.title for row in own),
            values=values,
            means=tuple(paper.value for paper in papers),
            spreads=tuple(paper.spread or 0.0 for paper in papers),
        )


def _draw_curves(results: Results) -> Iterator[Curves]:
    """Yield plots with a line for each seed, over the epochs that all seeds have."""
    groups: dict[tuple[str, tuple[float, ...]], list[SeedResult]] = {}
    for row, found in results.items():
        for result in found:
            epochs = tuple(point[0] for point in result.curve)
            groups.setdefault((row.table, epochs), []).append(result)
    for (table, epochs), group in groups.items():
        name = group[0].columns[-1]
        yield Curves(
            title=f"{TITLES[table]}: {name} over the epochs",
            x_title="epoch",
            y_title=f"{name} [%]",
            names=tuple(f"{result.title}, seed {result.seed}" for result in group),
            x=np.array(epochs),
            y=np.array([[100 * point[-1] for point in result.curve] for result in group]),
            y_scale="log" if "error" in name else "linear",
        )
