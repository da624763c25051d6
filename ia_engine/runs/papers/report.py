"""All entries as one table: what the paper says in figures, what was found, and how it stands."""

from collections.abc import Mapping
from typing import Final

from ia_engine.runs.papers import ENTRIES, PAPERS
from ia_engine.runs.papers.entry import IMPOSSIBLE, NEEDS_DATA, Entry, Number
from ia_engine.runs.papers.shipped import ShippedResult

MOST: Final = 3
"""So many figures of an entry stand in the table."""
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
    """The README with this table between its two marks."""
    before, _, rest = readme.partition(BEGIN)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"


def choose_numbers(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
    """Those that the paper has too, shares before counts; else the first ones."""
    measured = [number for number in numbers if number.ours is not None]
    known = [number for number in measured if number.paper is not None]
    return tuple(sorted(known, key=lambda n: n.unit != "%") or measured)[:MOST]


def write_number(value: float | None, unit: str = "") -> str:
    """Three digits, and the unit."""
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
    told = " | ".join("<br>".join(cell) for cell in cells)
    return f"{what} | {told} | {kept.status} |"
