"""Which image is in which cluster, as a table: counted from 1, as on the screen."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Final

from ia_engine.figures.history import Numbers

Cell = str | int | float

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes what begins like this for a formula."""


def write_rows(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bytes:
    """A table whose words somebody brought: none of them is run by a spreadsheet."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(head)
    for row in rows:
        writer.writerow([_safe(cell) if isinstance(cell, str) else cell for cell in row])
    return file.getvalue().encode("utf-8-sig")


def name_classes(labels: Sequence[int], classes: Sequence[str], n: int) -> list[str]:
    """The class of each of n images; nothing where classes are unknown."""
    return [classes[label] for label in labels] if labels else [""] * n


def write_clusters(
    last: Mapping[str, Numbers],
    rows: Sequence[int],
    names: Sequence[str],
    classes: Sequence[str],
) -> bytes:
    """A line for every image: its cluster by each method, at the last step of the run."""
    head = ("image", "name", "class", *(f"cluster {method}" for method in last), "iteration")
    p = min(numbers.p for numbers in last.values())
    found = zip(*(numbers.assignments for numbers in last.values()), strict=True)
    lines = [
        (row + 1, name, known, *(k + 1 for k in clusters), p)
        for row, name, known, clusters in zip(rows, names, classes, found, strict=True)
    ]
    return write_rows(head, lines)


def _safe(text: str) -> str:
    """Spreadsheets run what begins like a formula; a quote in front keeps it a text."""
    return f"'{text}" if text.startswith(FORMULAS) else text
