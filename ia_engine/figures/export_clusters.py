"""Which image is in which cluster, as a table: counted from 1, as on the screen."""

from collections.abc import Mapping, Sequence

from ia_engine.figures.formats import write_table
from ia_engine.figures.history import Numbers


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
    return write_table(head, lines)
