"""Comparisons of methods, and sweeps, which are saved with one file per result."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ia_engine.datasets.data import ImageSet
from ia_engine.runs.comparison.catalogue import METHODS
from ia_engine.runs.comparison.compare import (
    Moment,
    Result,
    compare,
    expected_moments,
    results_of,
    to_arrays,
    to_row,
)
from ia_engine.runs.comparison.config import TITLES, ComparisonConfig, ComparisonPlan
from ia_engine.runs.comparison.store import (
    decode_plan,
    decode_result,
    decode_sweep,
    encode_plan,
    encode_result,
    encode_sweep,
    pack_result,
)
from ia_engine.runs.comparison.sweep import (
    SWEPT,
    SweepConfig,
    SweepMoment,
    SweepPlan,
    expected_sweep,
    known_results,
    spread_of,
    sweep,
    swept_results,
)
from ia_engine.runs.folder import Arrays, Record, SavedRun, reports_damage
from ia_engine.runs.kinds.kind import Resumption, Row, RunKind, format_number, from_text, to_text
from ia_engine.runs.paragraphs import (
    DTI,
    INVARIANT,
    Citation,
    Statement,
    count_images,
    list_words,
    read_stored,
)

EXPORTED: Final = {"acc": "ACC", "nmi": "NMI", "ari": "ARI", "seconds": "CPU time [s]"}
"""The exported arrays, by the measure that each holds."""


def describe(plan: ComparisonPlan) -> str:
    """Convert the plan of a comparison to text for the record."""
    return json.dumps(encode_plan(plan), ensure_ascii=False)


def describe_sweep(plan: SweepPlan) -> str:
    """Convert the plan of a sweep to text for the record."""
    return json.dumps(encode_sweep(plan), ensure_ascii=False)


def state_run(record: Record) -> Statement:
    """Return what a record states. That of a precomputed example contains only the config."""
    known = json.loads(record.config)
    plan = known if "config" in known else {}
    stored = read_stored(ComparisonConfig, json.dumps(plan.get("config", known)))
    on = count_images(plan["size"], plan["total"]) if plan else ""
    facts = {"images": "reduced to fewer pixels"} if plan.get("reduced") else {}
    done = f"The images were clustered by {_describe_methods(stored.config)}"
    return Statement(done, [stored], _list_papers(stored.config), on, facts)


def state_sweep(record: Record) -> Statement:
    """Return what the record of a sweep states."""
    known = json.loads(record.config)
    swept = read_stored(SweepConfig, json.dumps(known["sweep"]), "sweep")
    stored = read_stored(ComparisonConfig, json.dumps(known["config"]), "methods")
    what = SWEPT[swept.config.sweep]
    config = swept.config
    steps = SweepPlan(config, stored.config).steps
    unit = what.unit and f" {what.unit}"
    repeated = f", {config.repeats} repetitions each" if config.repeats > 1 else ""
    done = (
        f"Copies of {config.pictures} were clustered at {len(steps)} values of one quantity "
        f"({what.title}: {steps[0]:g} to {steps[-1]:g}{unit}{repeated}) by "
        f"{_describe_methods(stored.config)}"
    )
    return Statement(done, [swept, stored], _list_papers(stored.config))


def _describe_methods(config: ComparisonConfig) -> str:
    k = f"K = {config.k} given" if config.k else "K estimated"
    names = list_words([_name_method(TITLES[method]) for method in config.methods])
    return f"{names}, with {k}, each within {config.budget:.12g} s of computing time on one core"


def _name_method(title: str) -> str:
    """Return a title without a comma, for a list.

    >>> _name_method("Invariant attention, SE(2)")
    'Invariant attention (SE(2))'
    """
    name, _, group = title.partition(", ")
    return f"{name} ({group})" if group else name


def _list_papers(config: ComparisonConfig) -> tuple[Citation, ...]:
    """Return the papers of the methods; those of baselines are not listed."""
    attention = any("beta" in METHODS[name].settings for name in config.methods)
    learned = any(name == "ti" or name.startswith("dti-") for name in config.methods)
    return (*(INVARIANT,) * attention, *(DTI,) * learned)


def pack(moment: Moment) -> dict[str, Any] | None:
    """Convert a result to arrays, or return None if the method is still running."""
    if moment.result is None:
        return None
    known = {
        "plan": encode_plan(moment.plan),
        "waited": moment.waited,
        "result": encode_result(moment.result),
    }
    return {"known": to_text(known), **pack_result(moment.result)}


def pack_sweep(item: SweepMoment) -> Arrays | None:
    """Convert a result at one strength to arrays, or return None if the method is still running."""
    arrays = pack(item.moment)
    if arrays is None:
        return None
    return {**arrays, "at": np.array(item.at), "repeat": np.array(item.repeat)}


@reports_damage
def unpack(kept: SavedRun) -> Sequence[Moment]:
    """Read the moments of a comparison that have a result."""
    return [_read(kept.arrays(step)) for step in range(1, kept.steps + 1)]


@reports_damage
def unpack_sweep(kept: SavedRun) -> Sequence[SweepMoment]:
    """Read the moments of a sweep that have a result."""
    plan = decode_sweep(json.loads(kept.record.config))
    steps = (kept.arrays(step) for step in range(1, kept.steps + 1))
    return [
        SweepMoment(plan, int(arrays["at"]), _read(arrays), int(arrays.get("repeat", 0)))
        for arrays in steps
    ]


@reports_damage
def name_results(kept: SavedRun) -> dict[str, Result]:
    """Return the results, named by the title of their method and, in a sweep, their strength."""
    if kept.kind == COMPARISONS.id:
        return {TITLES[found.method]: found for found in results_of(unpack(kept))}
    plan = decode_sweep(json.loads(kept.record.config))
    return {
        f"{TITLES[item.moment.method]} at {plan.steps[item.at]:g}"
        + (f", repetition {item.repeat + 1}" if item.repeat else ""): item.moment.result
        for item in unpack_sweep(kept)
        if item.moment.result is not None
    }


def _read(arrays: Arrays) -> Moment:
    known = from_text(arrays["known"])
    result = decode_result(known["result"], arrays)
    return Moment(decode_plan(known["plan"]), result.method, known["waited"], result)


def _compare(
    plan: ComparisonPlan, data: ImageSet, start: Sequence[Moment] | None
) -> Iterator[Moment]:
    """Run a comparison, without repeating methods that already have results."""
    return compare(plan, data, results_of(start or ()))


def _sweep(plan: SweepPlan, _: None, start: Sequence[SweepMoment] | None) -> Iterator[SweepMoment]:
    return sweep(plan, known_results(start or ()))


def _compared_numbers(kept: SavedRun) -> Mapping[str, str]:
    return {
        f"{name}: ARI": format_number(result.measures.ari if result.measures else None)
        for name, result in name_results(kept).items()
    }


def _resume(history: Sequence[Any]) -> Resumption | None:
    return Resumption(history[-1].plan, history, len(history)) if history else None


def _rows(moment: Moment) -> list[Row]:
    return [to_row(moment.result)] if moment.result else []


def _sweep_rows(item: SweepMoment) -> list[Row]:
    place = {"strength": item.plan.steps[item.at], "repeat": item.repeat}
    return [{**place, **row} for row in _rows(item.moment)]


@reports_damage
def _export(kept: SavedRun) -> Arrays:
    return to_arrays(results_of(unpack(kept)))


@reports_damage
def _export_sweep(kept: SavedRun) -> Arrays:
    """Return the values, and the scores and seconds of each method (the median of the
    repetitions); NaN where they were not computed."""
    plan, found = decode_sweep(json.loads(kept.record.config)), swept_results(unpack_sweep(kept))
    arrays = {"strength": np.array(plan.steps)}
    for method in plan.config.methods:
        for name, measure in EXPORTED.items():
            values = np.full(len(plan.steps), np.nan)
            for at, results in found.items():
                if spread := spread_of(results, method, measure):
                    values[at] = spread.middle
            arrays[f"{name}_{method.replace('-', '_')}"] = values
    return arrays


COMPARISONS: Final = RunKind[Moment](
    id="comparison",
    title="Compare",
    unit="result",
    work=_compare,
    expected=lambda plan, _: expected_moments(plan.config),
    describe=describe,
    statement=state_run,
    seed=lambda plan: plan.config.seed,
    pack=pack,
    unpack=unpack,
    numbers=_compared_numbers,
    resume=_resume,
    rows=_rows,
    export=lambda kept, _: _export(kept),
)
SWEEPS: Final = RunKind[SweepMoment](
    id="sweep",
    title="Compare, sweep",
    unit="result",
    work=_sweep,
    expected=lambda plan, _: expected_sweep(plan),
    describe=describe_sweep,
    statement=state_sweep,
    seed=lambda plan: plan.config.seed,
    pack=pack_sweep,
    unpack=unpack_sweep,
    numbers=_compared_numbers,
    resume=_resume,
    rows=_sweep_rows,
    export=lambda kept, _: _export_sweep(kept),
)
