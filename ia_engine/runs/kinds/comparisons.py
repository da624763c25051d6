"""Comparisons of methods, and sweeps, which are saved with one file per result."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ia_engine.datasets.data import ImageSet
from ia_engine.runs.comparison.compare import (
    Moment,
    Result,
    compare,
    expected_moments,
    results_of,
    to_arrays,
    to_row,
)
from ia_engine.runs.comparison.config import TITLES, ComparisonPlan
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
    SweepMoment,
    SweepPlan,
    expected_sweep,
    sweep,
    swept_results,
)
from ia_engine.runs.folder import Arrays, SavedRun, reports_damage
from ia_engine.runs.kinds.kind import Resumption, Row, RunKind, format_number, from_text, to_text


def describe(plan: ComparisonPlan) -> str:
    """Convert the plan of a comparison to text for the record."""
    return json.dumps(encode_plan(plan), ensure_ascii=False)


def describe_sweep(plan: SweepPlan) -> str:
    """Convert the plan of a sweep to text for the record."""
    return json.dumps(encode_sweep(plan), ensure_ascii=False)


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
    return None if arrays is None else {**arrays, "at": np.array(item.at)}


@reports_damage
def unpack(kept: SavedRun) -> Sequence[Moment]:
    """Read the moments of a comparison that have a result."""
    return [_read(kept.arrays(step)) for step in range(1, kept.steps + 1)]


@reports_damage
def unpack_sweep(kept: SavedRun) -> Sequence[SweepMoment]:
    """Read the moments of a sweep that have a result."""
    plan = decode_sweep(json.loads(kept.record.config))
    steps = (kept.arrays(step) for step in range(1, kept.steps + 1))
    return [SweepMoment(plan, int(arrays["at"]), _read(arrays)) for arrays in steps]


@reports_damage
def name_results(kept: SavedRun) -> dict[str, Result]:
    """Return the results, named by the title of their method and, in a sweep, their strength."""
    if kept.kind == COMPARISONS.id:
        return {TITLES[found.method]: found for found in results_of(unpack(kept))}
    plan = decode_sweep(json.loads(kept.record.config))
    return {
        f"{TITLES[item.moment.method]} at {plan.steps[item.at]:g}": item.moment.result
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
    return sweep(plan, swept_results(start or ()))


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
    return [{"strength": item.plan.steps[item.at], **row} for row in _rows(item.moment)]


@reports_damage
def _export(kept: SavedRun) -> Arrays:
    return to_arrays(results_of(unpack(kept)))


@reports_damage
def _export_sweep(kept: SavedRun) -> Arrays:
    """Return the strengths, and the scores and seconds of each method; NaN where they were not
    computed."""
    plan, found = decode_sweep(json.loads(kept.record.config)), swept_results(unpack_sweep(kept))
    arrays = {"strength": np.array(plan.steps)}
    for method in plan.config.methods:
        for name in ("acc", "nmi", "ari", "seconds"):
            values = np.full(len(plan.steps), np.nan)
            for at, results in found.items():
                for result in results:
                    value = to_row(result)[name]
                    if result.method == method and isinstance(value, float):
                        values[at] = value
            arrays[f"{name}_{method.replace('-', '_')}"] = values
    return arrays


COMPARISONS: Final = RunKind[Moment](
    id="comparison",
    title="Compare",
    unit="result",
    work=_compare,
    expected=lambda plan, _: expected_moments(plan.config),
    describe=describe,
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
    seed=lambda plan: plan.config.seed,
    pack=pack_sweep,
    unpack=unpack_sweep,
    numbers=_compared_numbers,
    resume=_resume,
    rows=_sweep_rows,
    export=lambda kept, _: _export_sweep(kept),
)
