"""The result of one seed: a small JSON file with a digest of its recipe and module versions."""

import hashlib
import json
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Final

import numpy as np
import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PUBLISHED, list_differences
from ia_engine.errors import EngineError
from ia_engine.figures.papers.panels import Curves
from ia_engine.files import ASSETS, write_whole, writing
from ia_engine.runs.tables.rows import ROWS, Row, Task

FOLDER: Final = ASSETS / "papers" / "tables"
FORMAT: Final = 1

Curve = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, eq=False)
class Moment:
    """The state of a seed after one iteration."""

    iteration: int
    total: int
    seconds: float
    """CPU seconds so far, over all resumptions."""
    curve: Curve
    columns: tuple[str, ...]
    save: Callable[[Path, str], None]
    """Write a checkpoint with a note."""
    about: str
    figures: dict[str, float] | None = None
    """The result; None before the end."""


@dataclass(frozen=True)
class SeedResult:
    """The stored data of a finished seed."""

    table: str
    row: str
    title: str
    seed: int
    paper: str
    figures: Mapping[str, float]
    columns: tuple[str, ...]
    """Names of the numbers in a point of the curve."""
    curve: Curve
    data: str
    """The name of the data set, and how it differs from the paper's."""
    recipe: Mapping[str, Any]
    versions: Mapping[str, int]
    seconds: float
    """CPU seconds of one thread."""
    processor: str
    torch: str
    date: str
    digest: str


def digest_recipe(recipe: Mapping[str, Any], versions: Mapping[str, int], seed: int) -> str:
    """SHA-256 of everything that a result depends on; file names and paths are not part of it.

    >>> digest_recipe({"batch": 128}, {"training": 1}, 0)[:8]
    '35e86fbb'
    """
    parts = {"recipe": dict(recipe), "versions": dict(versions), "seed": seed}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def digest_task(task: Task) -> str:
    """The digest that a fresh result of this task has."""
    return digest_recipe(read_recipe(task.row), task.row.versions, task.seed)


def read_recipe(row: Row) -> dict[str, Any]:
    """The recipe of a row as JSON values."""
    return {**json.loads(row.config.to_json()), "data": row.data}


def make_result(task: Task, last: Moment) -> SeedResult:
    """The result of a seed that ended with this moment on this machine."""
    row = task.row
    return SeedResult(
        table=row.table,
        row=row.name,
        title=row.title,
        seed=task.seed,
        paper=row.paper,
        figures=last.figures or {},
        columns=last.columns,
        curve=last.curve,
        data=last.about,
        recipe=read_recipe(row),
        versions=row.versions,
        seconds=round(last.seconds, 1),
        processor=describe_processor(),
        torch=torch.__version__,
        date=datetime.now(UTC).date().isoformat(),
        digest=digest_task(task),
    )


def save_result(result: SeedResult, task: Task, folder: Path = FOLDER) -> Path:
    """Write the file of a seed atomically."""
    path = folder / f"{task.name}.json"
    text = json.dumps({"format": FORMAT, **asdict(result)}, ensure_ascii=False, indent=1)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, (_shorten(text) + "\n").encode())
    return path


def load_result(task: Task, folder: Path = FOLDER) -> SeedResult | None:
    """The result of a seed; None if there is none. EngineError if it is stale or damaged."""
    path = folder / f"{task.name}.json"
    if not path.is_file():
        return None
    try:
        values = json.loads(path.read_text("utf-8"))
        if values.pop("format") != FORMAT:
            raise ValueError(f"expected format {FORMAT}")
        values["columns"] = tuple(values["columns"])
        values["curve"] = tuple(tuple(map(float, point)) for point in values["curve"])
        result = SeedResult(**{part.name: values[part.name] for part in fields(SeedResult)})
        stale = find_change(result, task)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise EngineError(
            f"{task.name}.json cannot be read ({error}): remove it and run make tables"
        ) from error
    if stale:
        raise EngineError(f"{task.name}.json is stale, {stale}: remove it and run make tables")
    return result


def load_results(tasks: Iterable[Task], folder: Path = FOLDER) -> list[SeedResult]:
    """The fresh results of these tasks; stale and damaged files are left out."""
    found = []
    for task in tasks:
        try:
            result = load_result(task, folder)
        except EngineError:
            continue
        if result is not None:
            found.append(result)
    return found


def find_change(result: SeedResult, task: Task) -> str:
    """Why a result is stale: what has changed since; "" for a fresh one.

    A config field that was added since then gets its default in the stored recipe, as in old runs.
    """
    row = task.row
    stored = dict(result.recipe)
    same_data = stored.pop("data") == row.data
    if not same_data or type(row.config).from_json(json.dumps(stored)) != row.config:
        return "its recipe differs from the current one"
    if dict(result.versions) != row.versions:
        changed = {*result.versions.items()} ^ {*row.versions.items()}
        return f"these modules have changed: {', '.join(sorted({name for name, _ in changed}))}"
    named = (result.table, result.row, result.seed) == (row.table, row.name, task.seed)
    if not named or result.digest != digest_recipe(result.recipe, result.versions, result.seed):
        return "its digest does not match its content"
    return ""


def describe_processor() -> str:
    """The name of the processor and the instruction set that torch uses."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {torch.backends.cpu.get_cpu_capability()}"


def _shorten(text: str) -> str:
    """JSON with every innermost list on one line."""
    return re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found[0].split()), text)


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
    """The displayed results of the finished seeds of an entry."""

    lines: tuple[dict[str, str], ...]
    """One for each row of the table that has a finished seed."""
    notes: tuple[str, ...]
    """Data and recipes, and how they differ from the paper's."""
    curves: tuple[Curves, ...]


def show_finished(entry: str, folder: Path = FOLDER) -> Finished:
    """The finished seeds of an entry; empty if there are none.

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
        "CPU min per seed": f"{mean(result.seconds for result in results) / 60:.0f}",
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
