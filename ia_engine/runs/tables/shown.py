"""Finished seeds of an entry of Papers: a table of means beside the paper, and their curves."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Final

import numpy as np

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PUBLISHED, list_differences
from ia_engine.figures.papers.panels import Curves
from ia_engine.runs.tables.results import FOLDER, SeedResult, load_results
from ia_engine.runs.tables.rows import ROWS, Row, Task

TABLES: Final = {
    "gcnn-table-1": ("rot-mnist",),
    "dti-table-1": ("mnist-test", "fashion"),
    "dti-table-2": ("mnist-1k", "mnist-color"),
    "dti-table-3": ("table-3",),
}
"""Folders of results by entry."""
TITLES: Final = {
    "rot-mnist": "rotated MNIST",
    "fashion": "Fashion-MNIST",
    "mnist-test": "MNIST-test",
    "mnist-1k": "MNIST-1k",
    "mnist-color": "MNIST-color",
    "table-3": "ablations on MNIST-test",
}


@dataclass(frozen=True, eq=False)
class Finished:
    """What is shown of the finished seeds of an entry."""

    lines: tuple[dict[str, str], ...]
    """One for each row of the table that has a finished seed."""
    notes: tuple[str, ...]
    """Data and recipes, and how they differ from the paper's."""
    curves: tuple[Curves, ...]


def show_finished(entry: str, folder: Path = FOLDER) -> Finished:
    """The finished seeds of an entry; nothing in it for entries without any.

    >>> show_finished("ia-figure-4").lines
    ()
    """
    lines, notes, curves = [], dict[str, None](), []
    for table in TABLES.get(entry, ()):
        found: list[SeedResult] = []
        for row in (row for row in ROWS if row.table == table):
            results = load_results((Task(row, seed) for seed in range(row.seeds)), folder)
            if results:
                lines.append(_write_line(row, results))
                notes |= dict.fromkeys(_note(row, results))
                found += results
        curves += list(_draw(TITLES[table], found))
    return Finished(tuple(lines), tuple(notes), tuple(curves))


def _write_line(row: Row, results: list[SeedResult]) -> dict[str, str]:
    """One line of the table."""
    name = "ACC" if isinstance(row.config, ClusterConfig) else "test error"
    values = [100 * result.figures[name] for result in results]
    spread = f" ± {stdev(values):.2f}" if len(values) > 1 else ""
    line = {
        "row": f"{TITLES[row.table]}: {row.title}",
        "figure": name,
        "here": f"{mean(values):.2f}{spread} %",
        "paper": row.paper,
        "seeds": f"{len(results)} of {row.seeds}",
        "CPU min a seed": f"{mean(result.seconds for result in results) / 60:.0f}",
    }
    if name == "ACC":
        least = min(results, key=lambda result: result.figures["loss"])
        line["here"] += f"; {100 * least.figures['ACC']:.2f} % with the least loss"
    return line


def _note(row: Row, results: list[SeedResult]) -> Iterator[str]:
    yield results[0].data
    if isinstance(row.config, ClusterConfig) and row.table in PUBLISHED:
        changed = list_differences(row.config, PUBLISHED[row.table].config)
        yield from (text for text in changed if not text.startswith("model"))


def _draw(title: str, results: list[SeedResult]) -> Iterator[Curves]:
    """A line for each seed, over the epochs that they have in common."""
    groups: dict[tuple[float, ...], list[SeedResult]] = {}
    for result in results:
        groups.setdefault(tuple(point[0] for point in result.curve), []).append(result)
    for epochs, group in groups.items():
        name = group[0].columns[-1]
        yield Curves(
            title=f"{title}: {name} over the epochs",
            x_title="epoch",
            y_title=f"{name} [%]",
            names=tuple(f"{result.title}, seed {result.seed}" for result in group),
            x=np.array(epochs),
            y=np.array([[100 * point[-1] for point in result.curve] for result in group]),
        )
