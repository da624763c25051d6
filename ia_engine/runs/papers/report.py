"""All entries as one table: the paper's numbers, our numbers, and the status."""

from collections.abc import Mapping
from typing import Final

from ia_engine.runs.papers import ENTRIES, PAPERS
from ia_engine.runs.papers.entry import IMPOSSIBLE, NEEDS_DATA, Entry, Number
from ia_engine.runs.papers.shipped import ShippedResult

MOST: Final = 3
"""Maximum number of an entry's numbers in the table."""
BEGIN: Final = "<!-- papers: made by make papers -->"
END: Final = "<!-- end of papers -->"


def tabulate(results: Mapping[str, ShippedResult]) -> str:
    """The table in Markdown, paper by paper."""
    lines = ["| id | what | figure | paper | ours | |", "|---|---|---|---|---|---|"]
    for paper, title in PAPERS.items():
        own = [entry for entry in ENTRIES.values() if entry.paper == paper]
        lines.append(f"| | **{title}** | | | | |")
        lines += [_row(entry, results.get(entry.id)) for entry in own]
    return "\n".join(lines)


def insert(readme: str, table: str) -> str:
    """Insert this table between the two marks of the README."""
    before, _, rest = readme.partition(BEGIN)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"


def choose_numbers(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
    """The numbers that the paper also gives, shares before counts; otherwise the first ones."""
    measured = [number for number in numbers if number.ours is not None]
    known = [number for number in measured if number.paper is not None]
    return tuple(sorted(known, key=lambda n: n.unit != "%") or measured)[:MOST]


def write_number(value: float | None, unit: str = "") -> str:
    """Format a number with three digits and its unit."""
    if value is None:
        return "–"
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{text} {unit}".strip()


def _row(entry: Entry, kept: ShippedResult | None) -> str:
    what = f"| `{entry.id}` | {entry.label}: {entry.title}"
    if kept is None and entry.kind == IMPOSSIBLE:
        return f"{what} | {entry.why} | | | {IMPOSSIBLE} |"
    if kept is None:
        files = "; ".join(need.name for need in entry.needs)
        return f"{what} | needs {files} | | | {NEEDS_DATA} |"
    chosen = choose_numbers(kept.outcome.numbers)
    names = [number.name for number in chosen]
    left = len(kept.outcome.numbers) - len(chosen)
    cells = (
        [*names, *([f"and {left} more"] if left else [])],
        [write_number(n.paper, n.unit) for n in chosen if n.paper is not None],
        [write_number(n.ours, n.unit) for n in chosen],
    )
    columns = " | ".join("<br>".join(cell) for cell in cells)
    return f"{what} | {columns} | {kept.status} |"
