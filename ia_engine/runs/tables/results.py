"""Stores the result of each seed as JSON, with a digest of its recipe and of module versions."""

import hashlib
import json
import platform
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import torch

from ia_engine.errors import EngineError
from ia_engine.files import ASSETS, write_whole, writing
from ia_engine.runs.tables.rows import Row, Task

FOLDER: Final = ASSETS / "papers" / "tables"
FORMAT: Final = 1

Curve = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, eq=False)
class Moment:
    """The state of a seed after one iteration."""

    iteration: int
    total: int
    seconds: float
    """CPU seconds so far, including those before the seed was resumed."""
    curve: Curve
    columns: tuple[str, ...]
    save: Callable[[Path, str], None]
    """A function that writes a checkpoint with a note to a path."""
    about: str
    figures: dict[str, float] | None = None
    """The result; None before the end."""


@dataclass(frozen=True)
class SeedResult:
    """The stored result of a finished seed."""

    table: str
    row: str
    title: str
    seed: int
    paper: str
    figures: Mapping[str, float]
    columns: tuple[str, ...]
    """Names of the values of a point on the curve."""
    curve: Curve
    data: str
    """The name of the data set, and how it differs from the data of the paper."""
    recipe: Mapping[str, Any]
    versions: Mapping[str, int]
    seconds: float
    """CPU seconds, with one thread."""
    processor: str
    torch: str
    date: str
    digest: str


def digest_recipe(recipe: Mapping[str, Any], versions: Mapping[str, int], seed: int) -> str:
    """Return the SHA-256 of everything on which a result depends. This does not include file names
    and paths.

    >>> digest_recipe({"batch": 128}, {"training": 1}, 0)[:8]
    'baa60301'
    """
    parts = {"recipe": dict(recipe), "versions": dict(versions), "seed": seed}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def digest_task(task: Task) -> str:
    """Return the digest that a fresh result of the task has."""
    return digest_recipe(read_recipe(task.row), task.row.versions, task.seed)


def read_recipe(row: Row) -> dict[str, Any]:
    """Return the recipe of a row as JSON values."""
    return {**json.loads(row.config.to_json()), "data": row.data}


def make_result(task: Task, last: Moment) -> SeedResult:
    """Return the result of a seed, given its last moment."""
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
    """Write the result of a seed to its file, atomically."""
    path = folder / f"{task.name}.json"
    text = json.dumps({"format": FORMAT, **asdict(result)}, ensure_ascii=False, indent=1)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, (_shorten(text) + "\n").encode())
    return path


def load_result(task: Task, folder: Path = FOLDER) -> SeedResult | None:
    """Load the result of a seed, or return None if there is none. Raises EngineError if it is stale
    or damaged."""
    path = folder / f"{task.name}.json"
    if not path.is_file():
        return None
    try:
        values = json.loads(path.read_text("utf-8"))
        if values.pop("format") != FORMAT:
            raise ValueError(f"the format must be {FORMAT}")
        values["columns"] = tuple(values["columns"])
        values["curve"] = tuple(tuple(map(float, point)) for point in values["curve"])
        result = SeedResult(**{part.name: values[part.name] for part in fields(SeedResult)})
        stale = find_change(result, task)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise EngineError(
            f"{task.name}.json cannot be read ({error}): remove it and run 'make tables'"
        ) from error
    if stale:
        raise EngineError(f"{task.name}.json is stale ({stale}): remove it and run 'make tables'")
    return result


def load_results(tasks: Iterable[Task], folder: Path = FOLDER) -> list[SeedResult]:
    """Load the fresh results of these tasks. Stale and damaged files are ignored."""
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
    """Return the reason why a result is stale, or "" if it is fresh.

    A config field that is missing from the stored recipe counts as having its default value, as in
    old runs.
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
    """Return the name of the processor, and the instruction set that torch uses."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {torch.backends.cpu.get_cpu_capability()}"


def _shorten(text: str) -> str:
    """Put each innermost list in JSON text on one line."""
    return re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found[0].split()), text)
