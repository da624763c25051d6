"""Converts a comparison and its sweeps to JSON values and arrays, and back."""

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
class PrecomputedComparison:
    """A precomputed comparison with its sweeps."""

    plan: ComparisonPlan
    results: tuple[Result, ...]
    sweeps: tuple[tuple[SweepPlan, Swept], ...]


def pack_comparison(kept: PrecomputedComparison) -> dict[str, NDArray[Any]]:
    """Convert a comparison to arrays: its numbers become JSON, and its centres bytes. The centres
    of sweeps are omitted."""
    known = {
        "plan": encode_plan(kept.plan),
        "results": [encode_result(result) for result in kept.results],
        "sweeps": [
            {
                **encode_sweep(plan),
                "results": {
                    str(at): [encode_result(result) for result in own] for at, own in found.items()
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


def unpack_comparison(arrays: Arrays) -> PrecomputedComparison:
    """Read what `pack_comparison` returned. The centres of sweeps are empty."""
    known = json.loads(arrays["known"].tobytes())
    return PrecomputedComparison(
        decode_plan(known["plan"]),
        tuple(decode_result(values, arrays) for values in known["results"]),
        tuple(
            (decode_sweep(values), _decode_results(values["results"])) for values in known["sweeps"]
        ),
    )


def encode_plan(plan: ComparisonPlan) -> dict[str, Any]:
    """Convert a plan to JSON values."""
    return {**asdict(plan), "config": json.loads(plan.config.to_json())}


def decode_plan(values: Mapping[str, Any]) -> ComparisonPlan:
    """Read a plan that `encode_plan` converted."""
    config = ComparisonConfig.from_values(values["config"])
    return ComparisonPlan(**{**values, "config": config, "classes": tuple(values["classes"])})


def encode_sweep(plan: SweepPlan) -> dict[str, Any]:
    """Convert the plan of a sweep to JSON values."""
    return {"sweep": json.loads(plan.sweep.to_json()), "config": json.loads(plan.config.to_json())}


def decode_sweep(values: Mapping[str, Any]) -> SweepPlan:
    """Read a plan that `encode_sweep` converted."""
    config = ComparisonConfig.from_values(values["config"])
    return SweepPlan(SweepConfig.from_values(values["sweep"]), config)


def encode_result(result: Result) -> dict[str, Any]:
    """Convert a result, without its tensors, to JSON values."""
    names = ("method", "seconds", "memory", "finished", "note", "clusters", "error")
    measures = asdict(result.measures) if result.measures else None
    return {**{name: getattr(result, name) for name in names}, "measures": measures}


def pack_result(result: Result) -> dict[str, NDArray[Any]]:
    """Convert the tensors of a result to arrays; the centres become bytes [k c h w]."""
    levels = (result.centres * 255).round().clamp(0, 255).byte()
    return {
        f"centres {result.method}": levels.cpu().numpy(),
        f"assignments {result.method}": result.assignments.cpu().numpy().astype(np.int16),
    }


def decode_result(values: Mapping[str, Any], arrays: Arrays) -> Result:
    """Read a result that `encode_result` and `pack_result` converted. Missing arrays become empty
    tensors."""
    centres = arrays.get(f"centres {values['method']}", np.zeros((0, 1, 1, 1), np.uint8))
    found = arrays.get(f"assignments {values['method']}", np.zeros(0, np.int16))
    return Result(
        **{
            **values,
            "measures": Measures(**values["measures"]) if values["measures"] else None,
            "assignments": torch.from_numpy(found.astype(np.int64)),
            "centres": torch.from_numpy(centres.astype(np.float32) / 255),
        }
    )


def _decode_results(values: Mapping[str, Any]) -> Swept:
    return {int(at): [decode_result(own, {}) for own in all_] for at, all_ in values.items()}
