"""Lists what differs between saved runs: settings with their ranges and units, and results.

Settings come from what the record of a run states (`RunKind.statement`), so a setting that an
earlier version did not store has no value.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

from ia_engine.datasets.recipes import DATASETS
from ia_engine.datasets.uploads import UploadConfig
from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config, Range, parameters
from ia_engine.runs.catalogue import RUN_KINDS, count_done, last_numbers
from ia_engine.runs.folder import Record, SavedRun, reports_damage
from ia_engine.runs.kinds.attention import ATTENTION, state_clusters
from ia_engine.runs.kinds.kind import ABSENT, OWN, UPLOAD
from ia_engine.runs.paragraphs import Statement, StoredConfig, format_setting

DATA: Final = "data"
"""The value of `Line.of` for settings of the data set."""
DIGEST_LENGTH: Final = 12
MAX_VALUE: Final = 200
"""Maximum number of characters of a value."""

About = Range | Choice | None


@dataclass(frozen=True)
class Line:
    """A setting or a result, with its value in each run."""

    name: str
    """The name of the field, such as "beta", or of the result."""
    values: tuple[str, ...]
    """The value in each run with its unit; ABSENT if a run has none."""
    about: About = None
    """The range or the options of the setting, from which a page makes its label."""
    of: str = ""
    """What the setting belongs to: "invariant attention", DATA, or "" if there is only one part."""
    result: bool = False


@dataclass(frozen=True)
class Value:
    """The value of a setting as text with its unit, and the range or the options of the setting."""

    text: str
    about: About = None


Key = tuple[str, str]
"""What a setting belongs to, and its name."""


def compare_runs(runs: Sequence[SavedRun]) -> list[Line]:
    """List the settings in which the runs differ, followed by their results.

    A setting that a run lacks is a difference only from runs of the same kind.

    >>> compare_runs(Library().runs()[:2])  # doctest: +SKIP
    [Line(name='beta', values=('2', '8'), about=Range(symbol='β', ...), of='invariant attention')]
    """
    settings, results = [read_settings(kept) for kept in runs], [read_results(r) for r in runs]
    kinds = [kept.kind for kept in runs]
    lines = [line for line in _join(settings, result=False) if _differs(line, kinds)]
    return [*lines, *_join(results, result=True)]


@reports_damage
def read_settings(kept: SavedRun) -> Mapping[Key, Value]:
    """Return the settings of a saved run by what they belong to and their name."""
    found: dict[Key, Value] = {}
    for key, value in _list_settings(kept):
        found.setdefault(key, value)  # the seed of the config precedes that of the record
    return found


@reports_damage
def read_results(kept: SavedRun) -> Mapping[Key, Value]:
    """Return how much of a run is finished, and the metrics of its last step."""
    done, unit = count_done(kept)
    finished = f"{done:,} {unit}{'' if done == 1 else 's'}, {kept.state}"
    numbers = {"computed": finished, **last_numbers(kept)}
    return {("", name): Value(text) for name, text in numbers.items()}


def _list_settings(kept: SavedRun) -> Iterator[tuple[Key, Value]]:
    kind, record = RUN_KINDS.get(kept.kind), kept.record
    yield ("", "kind"), Value(kind.title if kind else kept.kind)
    if kind is not None and kind.statement is not None:
        yield from _list_method(kept, kind.statement)
    yield from _list_data(record.recipe, record.digest)
    yield ("", "seed"), Value(str(record.seed))
    yield ("", "device"), Value(record.device)
    for name, version in record.versions.items():
        yield ("", f"version of {name}"), Value(str(version))


def _list_method(
    kept: SavedRun, state: Callable[[Record], Statement]
) -> Iterator[tuple[Key, Value]]:
    """Yield what the record states or, if it has settings that this version does not know, its
    settings as they are stored."""
    try:
        stated = state(kept.record)
    except EngineError:
        for name, value in json.loads(kept.record.config).items():
            yield ("", name), _to_value(value, None)
        return
    if kept.kind == ATTENTION.id:
        given = kept.given()  # the record of these runs has no K
        stated = state_clusters(stated, int(given["k"]) if "k" in given else None)
    yield from _list_stated(stated)


def _list_stated(stated: Statement) -> Iterator[tuple[Key, Value]]:
    for stored in stated.configs:
        yield from _list_config(stored)
    if stated.on:
        yield ("", "used"), Value(stated.on)
    for name, text in stated.facts.items():
        yield ("", name), Value(text)


def _list_config(stored: StoredConfig[Config]) -> Iterator[tuple[Key, Value]]:
    about = _read_parameters(stored.config)
    for part in fields(stored.config):
        if part.name in stored.names:
            value = getattr(stored.config, part.name)
            yield (stored.title, part.name), _to_value(value, about.get(part.name))


def _list_data(recipe: str, digest: str) -> Iterator[tuple[Key, Value]]:
    if recipe == OWN:
        yield (DATA, "source"), Value("generated by the run")
        return
    known = json.loads(recipe)
    source = str(known.get("source", ""))
    defaults: dict[str, Config] = {name: entry.default for name, entry in DATASETS.items()}
    default = (defaults | {UPLOAD: UploadConfig()}).get(source)
    about = {} if default is None else _read_parameters(default)
    yield (DATA, "source"), Value("uploaded images" if source == UPLOAD else source)
    for name, value in known.get("config", {}).items():
        yield (DATA, name), _to_value(value, about.get(name))
    yield (DATA, "digest"), Value(digest[:DIGEST_LENGTH])


def _read_parameters(config: Config) -> dict[str, Range | Choice]:
    return {parameter.name: parameter.about for parameter in parameters(type(config))}


def _to_value(value: object, about: About) -> Value:
    unit = about.unit if isinstance(about, Range) else ""
    text = f"{format_setting(value)} {unit}".strip()
    return Value(text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 1]}…", about)


def _differs(line: Line, kinds: Sequence[str]) -> bool:
    known = {value for value in line.values if value != ABSENT}
    pairs = {*zip(kinds, line.values, strict=True)}
    return len(known) > 1 or len(pairs) > len({*kinds})


def _join(runs: Sequence[Mapping[Key, Value]], *, result: bool) -> list[Line]:
    """Return a line for each setting of any run, without the data's settings if their sources
    differ."""
    sources = {run[DATA, "source"].text for run in runs if (DATA, "source") in run}
    known = {key: value for run in reversed(runs) for key, value in run.items()}
    lines = []
    for of, name in dict.fromkeys(key for run in runs for key in run):
        if of == DATA and name not in ("source", "digest") and len(sources) > 1:
            continue
        found = tuple(run.get((of, name), Value(ABSENT)).text for run in runs)
        lines.append(Line(name, found, known[of, name].about, of, result))
    return lines
