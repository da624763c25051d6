"""A comparison and some sweeps as arrays for one file, and back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.runs.comparison.compare import Measures, Result
from ia_engine.runs.comparison.config import ComparisonConfig, ComparisonPlan
from ia_engine.runs.comparison.sweep import SweepConfig, SweepPlan

Arrays = Mapping[str, NDArray[Any]]
Swept = Mapping[int, Sequence[Result]]


@dataclass(frozen=True, eq=False)
class Kept:
    """What was compared beforehand."""

    plan: ComparisonPlan
    results: tuple[Result, ...]
    sweeps: tuple[tuple[SweepPlan, Swept], ...]


def pack_kept(kept: Kept) -> dict[str, NDArray[Any]]:
    """Numbers as JSON; centres as bytes, of the comparison alone."""
    known = {
        "plan": tell_plan(kept.plan),
        "results": [tell_result(result) for result in kept.results],
        "sweeps": [
            {
                **tell_sweep(plan),
                "results": {
                    str(at): [tell_result(result) for result in own] for at, own in found.items()
                },
            }
            for plan, found in kept.sweeps
        ],
    }
    text = json.dumps(known, ensure_ascii=False).encode()
    arrays: dict[str, NDArray[Any]] = {"known": np.frombuffer(text, np.uint8)}
    for result in kept.results:
        arrays |= pack_result(result)
    return arrays


def unpack_kept(arrays: Arrays) -> Kept:
    """The inverse of `pack_kept`; of sweeps the centres are empty."""
    known = json.loads(arrays["known"].tobytes())
    return Kept(
        hear_plan(known["plan"]),
        tuple(hear_result(told, arrays) for told in known["results"]),
        tuple((hear_sweep(told), _hear_results(told["results"])) for told in known["sweeps"]),
    )


def tell_plan(plan: ComparisonPlan) -> dict[str, Any]:
    """A plan in words and numbers."""
    return {**asdict(plan), "config": json.loads(plan.config.to_json())}


def hear_plan(told: Mapping[str, Any]) -> ComparisonPlan:
    """The inverse of `tell_plan`."""
    config = ComparisonConfig.from_values(told["config"])
    return ComparisonPlan(**{**told, "config": config, "classes": tuple(told["classes"])})


def tell_sweep(plan: SweepPlan) -> dict[str, Any]:
    """A sweep's plan in words and numbers."""
    return {"sweep": json.loads(plan.sweep.to_json()), "config": json.loads(plan.config.to_json())}


def hear_sweep(told: Mapping[str, Any]) -> SweepPlan:
    """The inverse of `tell_sweep`."""
    config = ComparisonConfig.from_values(told["config"])
    return SweepPlan(SweepConfig.from_values(told["sweep"]), config)


def tell_result(result: Result) -> dict[str, Any]:
    """All of a result but its tensors."""
    names = ("method", "seconds", "memory", "finished", "note", "clusters", "error")
    measures = asdict(result.measures) if result.measures else None
    return {**{name: getattr(result, name) for name in names}, "measures": measures}


def pack_result(result: Result) -> dict[str, NDArray[Any]]:
    """Its tensors, centres as the bytes that a picture shows."""
    levels = (result.centres * 255).round().clamp(0, 255).byte()
    return {
        f"centres {result.method}": levels.cpu().numpy(),
        f"assignments {result.method}": result.assignments.cpu().numpy().astype(np.int16),
    }


def hear_result(told: Mapping[str, Any], arrays: Arrays) -> Result:
    """The inverse of both; what is not among the arrays is empty."""
    centres = arrays.get(f"centres {told['method']}", np.zeros((0, 1, 1, 1), np.uint8))
    found = arrays.get(f"assignments {told['method']}", np.zeros(0, np.int16))
    return Result(
        **{
            **told,
            "measures": Measures(**told["measures"]) if told["measures"] else None,
            "assignments": torch.from_numpy(found.astype(np.int64)),
            "centres": torch.from_numpy(centres.astype(np.float32) / 255),
        }
    )


def _hear_results(told: Mapping[str, Any]) -> Swept:
    return {int(at): [hear_result(own, {}) for own in all_] for at, all_ in told.items()}
