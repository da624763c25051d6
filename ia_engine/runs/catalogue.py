"""Lists all kinds of runs, and compares two saved runs."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ia_engine.datasets.published import Fetched, count_steps, fetch_steps
from ia_engine.figures.mean_figures import EXPECTED, OtherStarts, solve_other_starts
from ia_engine.runs.folder import SavedRun, reports_damage
from ia_engine.runs.kinds.attention import ATTENTION
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from ia_engine.runs.kinds.comparisons import COMPARISONS, SWEEPS
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.kinds.kind import ABSENT, RunKind, format_number
from ia_engine.runs.kinds.means import MEANS
from ia_engine.runs.kinds.races import RACES
from ia_engine.runs.papers.entry import Progress, run_entry

OTHER_POSES: Final = RunKind[OtherStarts](
    id="other-poses",
    title="Mean, other poses",
    unit="iteration",
    work=lambda few, _, __: solve_other_starts(few),
    expected=lambda _, __: EXPECTED,
)
PAPER_ENTRY: Final = RunKind[Progress](
    id="paper-entry",
    title="Papers",
    unit="step",
    work=lambda plan, _, __: run_entry(*plan),  # the plan is an entry and an effort
    expected=lambda plan, _: plan[0].steps + 1,
)
FETCH: Final = RunKind[Fetched](
    id="fetch",
    title="Data, fetch a set",
    unit="step",
    work=lambda name, _, __: fetch_steps(name),
    expected=lambda name, _: count_steps(name),
)


RUN_KINDS: Final[Mapping[str, RunKind[Any]]] = {
    kind.id: kind
    for kind in (
        *(ITERATIONS, ATTENTION, MEANS, CLUSTERINGS, COMPARISONS, SWEEPS, RACES),
        *(OTHER_POSES, PAPER_ENTRY, FETCH),
    )
}
OMITTED: Final = ("names", "labels", "classes")
"""Settings that are not compared, because they are long and follow from the data."""


@dataclass(frozen=True)
class Line:
    """A setting or a metric, with its values in two runs."""

    name: str
    one: str
    other: str


@reports_damage
def count_done(kept: SavedRun) -> tuple[int, str]:
    """Return the progress of a saved run, and its unit. For an unknown kind, the files are counted.

    >>> count_done(kept)  # doctest: +SKIP
    (10, 'iteration')
    """
    kind = RUN_KINDS.get(kept.kind)
    if kind is None:
        return kept.steps, "step"
    return (kind.count(kept) if kept.steps else 0), kind.unit


def compare_runs(one: SavedRun, other: SavedRun) -> list[Line]:
    """List the settings in which two runs differ, followed by the metrics of their last steps."""
    settings = _pair(read_settings(one), read_settings(other))
    numbers = _pair(last_numbers(one), last_numbers(other))
    return [*(line for line in settings if line.one != line.other), *numbers]


@reports_damage
def read_settings(kept: SavedRun) -> dict[str, str]:
    """Return the settings of a saved run by name."""
    return dict(_settings(kept))


@reports_damage
def last_numbers(kept: SavedRun) -> Mapping[str, str]:
    """Return the metrics of the last step of a saved run by name."""
    kind = RUN_KINDS.get(kept.kind)
    return kind.numbers(kept) if kind is not None and kept.steps else {}


def _pair(one: Mapping[str, str], other: Mapping[str, str]) -> list[Line]:
    names = dict.fromkeys([*one, *other])
    return [Line(name, one.get(name, ABSENT), other.get(name, ABSENT)) for name in names]


def _settings(kept: SavedRun) -> Iterator[tuple[str, str]]:
    yield "data", kept.record.digest[:12]
    yield "seed", str(kept.record.seed)
    yield "device", kept.record.device
    yield "torch", kept.record.versions.get("torch", ABSENT)
    yield from _flatten("", json.loads(kept.record.config))


def _flatten(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Flatten nested values. A config within a config is a string that `to_json` wrote."""
    if isinstance(value, str) and value.startswith("{"):
        value = json.loads(value)
    if isinstance(value, dict):
        for name, part in value.items():
            if name not in OMITTED:
                yield from _flatten(f"{path}.{name}".strip("."), part)
    else:
        yield path.removeprefix("configs.").removeprefix("config."), format_number(value)
