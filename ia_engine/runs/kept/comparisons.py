"""Methods compared, and sweeps: a file for every result, as it comes."""

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ia_engine.runs.comparison.compare import Moment, results_of
from ia_engine.runs.comparison.config import TITLES
from ia_engine.runs.comparison.plan import ComparisonPlan
from ia_engine.runs.comparison.result import Result
from ia_engine.runs.comparison.store import (
    hear_plan,
    hear_result,
    hear_sweep,
    pack_result,
    tell_plan,
    tell_result,
    tell_sweep,
)
from ia_engine.runs.comparison.sweep import SweepMoment, SweepPlan
from ia_engine.runs.kept.keeping import Codec, from_text, tell_damage, to_text
from ia_engine.runs.library import Kept
from ia_engine.runs.record import Arrays

KIND: Final = "comparison"
SWEEP: Final = "sweep"


def describe(plan: ComparisonPlan) -> str:
    """The plan as text, for the record."""
    return json.dumps(tell_plan(plan), ensure_ascii=False)


def describe_sweep(plan: SweepPlan) -> str:
    """A sweep's plan as text, for the record."""
    return json.dumps(tell_sweep(plan), ensure_ascii=False)


def pack(moment: Moment) -> dict[str, Any] | None:
    """A result; nothing of the moments in which a method computes."""
    if moment.result is None:
        return None
    known = {
        "plan": tell_plan(moment.plan),
        "waited": moment.waited,
        "result": tell_result(moment.result),
    }
    return {"known": to_text(known), **pack_result(moment.result)}


def pack_sweep(item: SweepMoment) -> Arrays | None:
    """A result at one of the strengths."""
    arrays = pack(item.moment)
    return None if arrays is None else {**arrays, "at": np.array(item.at)}


@tell_damage
def unpack(kept: Kept) -> Sequence[Moment]:
    """The moments that brought a result."""
    return [_read(kept.arrays(step)) for step in range(1, kept.steps + 1)]


@tell_damage
def unpack_sweep(kept: Kept) -> Sequence[SweepMoment]:
    """The same of a sweep."""
    plan = hear_sweep(json.loads(kept.record.config))
    steps = (kept.arrays(step) for step in range(1, kept.steps + 1))
    return [SweepMoment(plan, int(arrays["at"]), _read(arrays)) for arrays in steps]


@tell_damage
def name_results(kept: Kept) -> dict[str, Result]:
    """Every result by its method's title; of a sweep by its strength as well."""
    if kept.kind == KIND:
        return {TITLES[found.method]: found for found in results_of(unpack(kept))}
    plan = hear_sweep(json.loads(kept.record.config))
    return {
        f"{TITLES[item.moment.method]} at {plan.steps[item.at]:g}": item.moment.result
        for item in unpack_sweep(kept)
        if item.moment.result is not None
    }


def _read(arrays: Arrays) -> Moment:
    known = from_text(arrays["known"])
    result = hear_result(known["result"], arrays)
    return Moment(hear_plan(known["plan"]), result.method, known["waited"], result)


COMPARISONS: Final = Codec(KIND, pack, unpack)
SWEEPS: Final = Codec(SWEEP, pack_sweep, unpack_sweep)
