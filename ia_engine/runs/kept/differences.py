"""Two kept runs side by side: the settings in which they differ, and their results."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ia_engine.runs.kept import clusters, comparisons, iterations, means, races
from ia_engine.runs.kept.keeping import from_text, tell_damage
from ia_engine.runs.library import Kept
from ia_engine.runs.record import Arrays

ABSENT: Final = "–"
QUIET: Final = ("names", "labels", "classes")
"""What is long, and said by the data."""
TOLD: Final = ("clusters", "ari", "block_mass", "d2_within", "d2_between")


@dataclass(frozen=True)
class Line:
    """One setting or number of both runs."""

    name: str
    one: str
    other: str


def compare(one: Kept, other: Kept) -> list[Line]:
    """What differs in data and settings, then the numbers of the last steps."""
    settings = _lines(read_settings(one), read_settings(other))
    numbers = _lines(last_numbers(one), last_numbers(other))
    return [*(line for line in settings if line.one != line.other), *numbers]


@tell_damage
def read_settings(kept: Kept) -> dict[str, str]:
    """The settings by name."""
    return dict(_settings(kept))


@tell_damage
def last_numbers(kept: Kept) -> dict[str, str]:
    """What the last step says."""
    if not kept.steps:
        return {}
    if kept.kind in (comparisons.KIND, comparisons.SWEEP):
        return _of_results(kept)
    return _NUMBERS[kept.kind](kept.arrays(kept.steps)) if kept.kind in _NUMBERS else {}


def _lines(one: Mapping[str, str], other: Mapping[str, str]) -> list[Line]:
    names = dict.fromkeys([*one, *other])
    return [Line(name, one.get(name, ABSENT), other.get(name, ABSENT)) for name in names]


def _settings(kept: Kept) -> Iterator[tuple[str, str]]:
    yield "data", kept.record.digest[:12]
    yield "seed", str(kept.record.seed)
    yield "device", kept.record.device
    yield "torch", kept.record.versions.get("torch", ABSENT)
    yield from _flatten("", json.loads(kept.record.config))


def _flatten(path: str, value: object) -> Iterator[tuple[str, str]]:
    """A config within a config is text, as `to_json` wrote it."""
    if isinstance(value, str) and value.startswith("{"):
        value = json.loads(value)
    if isinstance(value, dict):
        for name, part in value.items():
            if name not in QUIET:
                yield from _flatten(f"{path}.{name}".strip("."), part)
    else:
        yield path.removeprefix("configs.").removeprefix("config."), _write(value)


def _of_iterations(arrays: Arrays) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in arrays:
        if name.endswith(".known"):
            numbers = from_text(arrays[name])["numbers"]
            method = name.removesuffix(".known")
            found |= {f"{method}: {told}": _write(numbers[told]) for told in TOLD}
    return found


def _of_mean(arrays: Arrays) -> dict[str, str]:
    step = means.read_steps(arrays)[-1]
    return {"objective": _write(step.objective), "sharpness": _write(step.sharpness)}


def _of_clusters(arrays: Arrays) -> dict[str, str]:
    known = from_text(arrays["known"])
    score = known["score"] or {}
    told = {name: known[name] for name in ("iteration", "seconds", "loss")}
    return {name: _write(x) for name, x in (told | {"ACC": score.get("acc")}).items()}


def _of_race(arrays: Arrays) -> dict[str, str]:
    ends = {name: lane[-1] for name, lane in races.read_curves(arrays).items() if lane}
    validated = {f"{name}: validation error": _write(end.error) for name, end in ends.items()}
    return validated | {f"{name}: test error": _write(end.test) for name, end in ends.items()}


def _of_results(kept: Kept) -> dict[str, str]:
    found = comparisons.name_results(kept).items()
    return {
        f"{name}: ARI": _write(result.measures.ari if result.measures else None)
        for name, result in found
    }


def _write(value: object) -> str:
    if value is None:
        return ABSENT
    return f"{value:.4g}" if isinstance(value, float) else str(value)


_NUMBERS: Final[dict[str, Callable[[Arrays], dict[str, str]]]] = {
    iterations.KIND: _of_iterations,
    means.KIND: _of_mean,
    clusters.KIND: _of_clusters,
    races.KIND: _of_race,
}
