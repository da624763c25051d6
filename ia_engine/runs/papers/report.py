"""Formats all entries as one table with the values in the papers, our values and the verdict."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ia_engine.runs.papers import ENTRIES, PAPERS
from ia_engine.runs.papers.entry import (
    DEFINITIONS,
    FAILED,
    IMPOSSIBLE,
    NEEDS_DATA,
    PARAMETERS,
    Entry,
    Number,
    Outcome,
    status,
)
from ia_engine.runs.papers.judge import TABLES, is_begun, judge, read_results
from ia_engine.runs.papers.numbers import write_number, write_spread
from ia_engine.runs.papers.shipped import ShippedResult

MOST: Final = 3
"""Maximum number of values per entry in the table."""
BEGIN: Final = "<!-- papers: made by make papers -->"
END: Final = "<!-- end of papers -->"
DEFINED: Final = "<!-- verdicts: made by make papers -->"
END_DEFINED: Final = "<!-- end of verdicts -->"


def tabulate(results: Mapping[str, ShippedResult]) -> str:
    """Return the table as Markdown, paper by paper."""
    lines = ["| ID | entry | quantity | paper | ours | seeds, schedule | computed | verdict |",
             "|---|---|---|---|---|---|---|---|"]  # fmt: skip
    for paper, title in PAPERS.items():
        own = [entry for entry in ENTRIES.values() if entry.paper == paper]
        lines.append(f"| | **{title}** | | | | | | |")
        lines += [_row(entry, results.get(entry.id)) for entry in own]
    return "\n".join(lines)


def insert(readme: str, table: str) -> str:
    """Insert the definitions of the verdicts and this table between their markers in the README."""
    readme = _replace(readme, DEFINED, list_verdicts(), END_DEFINED)
    return _replace(readme, BEGIN, table, END)


def list_verdicts() -> str:
    """Return the verdicts with their definitions as a list in Markdown, strongest first."""
    return "\n".join(f"- **{verdict}**: {text}" for verdict, text in DEFINITIONS.items())


def _replace(readme: str, begin: str, text: str, end: str) -> str:
    before, _, rest = readme.partition(begin)
    return f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}"


def choose_numbers(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
    """Select values that the paper also gives; by default, the first values.

    Shares come first, then numbers with a note, such as an exception. If nothing has been computed,
    the values of the paper are selected.
    """
    measured = [number for number in numbers if number.ours is not None] or numbers
    known = [number for number in measured if number.paper is not None]
    return tuple(sorted(known, key=lambda n: (n.unit != "%", not n.note)) or measured)[:MOST]


def decide(entry: Entry, kept: ShippedResult | None) -> tuple[str, Outcome | None]:
    """Return the verdict of an entry and the outcome behind it.

    For a table that `make tables` computes, these follow from the files of its seeds. Without any,
    nothing is known about a table whose data are missing.
    """
    outcome = kept.outcome if kept else None
    if entry.id in TABLES:
        found = judge(entry.id, read_results(entry.id)).outcome
        outcome = found if is_begun(entry, found) else None
    return status(entry, outcome), outcome


def _row(entry: Entry, kept: ShippedResult | None) -> str:
    what = f"| `{entry.id}` | {entry.label}: {entry.title}"
    verdict, outcome = decide(entry, kept)
    if outcome is None:
        reason = entry.why[:1].upper() + entry.why[1:]
        if entry.kind != IMPOSSIBLE and entry.needs:
            needed = f"needs {list_files([need.name for need in entry.needs])}"
            reason = f"{needed}; {entry.why}" if entry.kind == NEEDS_DATA else needed
        return f"{what} | {reason} | | | | | {verdict} |"
    chosen = choose_numbers(outcome.numbers)
    cells = (
        [*(number.name for number in chosen), *_describe_rest(entry, outcome, len(chosen))],
        [_write_paper(n) for n in chosen if n.paper is not None],
        [_write_ours(entry, number) for number in chosen],
        [describe_seeds(entry, outcome), *([outcome.schedule] if outcome.schedule else [])],
        _describe_computation(kept) if kept else ["`make tables`"],
        [f"{verdict}: {entry.why}" if verdict == FAILED and entry.why else verdict],
    )
    columns = " | ".join("<br>".join(cell) for cell in cells)
    return f"{what} | {columns} |"


def _describe_computation(kept: ShippedResult) -> list[str]:
    """Return the digest of the program, the CPU time and the machine of a result."""
    return [f"`{kept.program}`", f"{kept.seconds:.3g} CPU s, budget {kept.budget:g} s",
            kept.machine]  # fmt: skip


def _describe_rest(entry: Entry, outcome: Outcome, listed: int) -> Iterator[str]:
    """Describe how many values the table does not list, and how many have no result."""
    measured = sum(number.ours is not None for number in outcome.numbers)
    missing = len(outcome.numbers) - measured
    state = "finished" if entry.id in TABLES else "computed"
    if measured > listed:
        yield f"and {measured - listed} more"
    if missing:
        yield f"{missing} not {state}" if measured else f"{missing} quantities, none {state}"


def list_files(names: Iterable[str]) -> str:
    """Join the names of needed files, and group those that have the same source.

    >>> list_files(["MNIST", "MegaDepth: a.npz", "MegaDepth: b.npz", "MegaDepth: c.npz"])
    'MNIST; a.npz, b.npz and c.npz from MegaDepth'
    """
    sources: dict[str, list[str]] = {}
    for name in names:
        source, _, file = name.partition(": ")
        sources.setdefault(source, []).extend([file] if file else [])
    groups = []
    for source, files in sources.items():
        most, last = ", ".join(files[:-1]), files[-1:]
        listed = " and ".join([most, *last] if most else last)
        groups.append(f"{listed} from {source}" if listed else source)
    return "; ".join(groups)


def _write_ours(entry: Entry, number: Number) -> str:
    """Format our value; each row of a computed table has its own number of seeds."""
    value = write_spread(number.ours, number.spread, number.unit)
    if number.least_loss is not None:
        value += f", lowest loss {write_number(number.least_loss, number.unit)}"
    if number.note.startswith("of "):
        value += f" {number.note}"
    noted = entry.id in TABLES or entry.kind == PARAMETERS
    return f"{value} ({number.note})" if noted and number.note else value


def _write_paper(number: Number) -> str:
    value = write_spread(number.paper, number.paper_spread, number.unit)
    if number.paper_least_loss is None:
        return value
    return f"{value}, lowest loss {write_number(number.paper_least_loss, number.unit)}"


def describe_seeds(entry: Entry, outcome: Outcome) -> str:
    """Return how many seeds an outcome has, and how many the verdict needs.

    >>> describe_seeds(ENTRIES["dti-table-1"], Outcome(seeds=2))
    '2 of 10'
    """
    if outcome.seeds >= entry.min_seeds:
        return str(outcome.seeds)
    return f"{outcome.seeds} of {entry.min_seeds}"
