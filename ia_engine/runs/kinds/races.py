"""Networks trained side by side: a file for every measurement, and the newest weights."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import numpy as np
import torch
from safetensors.numpy import load, save

from ia_engine.equivariant.checkpoint import Checkpoint
from ia_engine.equivariant.race import Race, RaceConfig, RacePoint, count_steps, revive, run_race
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.runs.folder import Arrays, Kept, reports_damage
from ia_engine.runs.kinds.kind import Resumption, RunKind, format_number, from_text, to_text

KNOWN: Final = "known"


def pack(race: Race) -> dict[str, Any]:
    """The curves so far."""
    lanes = {name: [asdict(point) for point in lane] for name, lane in race.curves.items()}
    return {KNOWN: to_text({"about": race.about, "digest": race.digest, "lanes": lanes})}


def state_of(race: Race) -> bytes:
    """The curves so far, and everything that the next steps depend on."""
    told = {name: _tell(checkpoint) for name, checkpoint in race.checkpoints.items()}
    tensors = {
        f"{lane}/{name}": np.asarray(x.numpy(), order="C")
        for lane, checkpoint in race.checkpoints.items()
        for name, x in checkpoint.tensors.items()
    }
    return save({**pack(race), "checkpoints": to_text(told), **tensors})


@reports_damage
def unpack(kept: Kept) -> Sequence[Race]:
    """The race as it grew; the last item has the networks, and can be resumed."""
    config = RaceConfig.from_json(kept.record.config)
    races = [_read(config, kept.arrays(step)) for step in range(1, kept.steps + 1)]
    state = kept.kept_state()
    if state is None:
        return races
    newest = _revive(config, load(state))  # written before its curves: it may be ahead of them
    ahead = bool(races) and races[-1].curves != newest.curves
    return [*(races if ahead else races[:-1]), newest]


def read_curves(arrays: Arrays) -> dict[str, tuple[RacePoint, ...]]:
    """The measurements of every network."""
    lanes = from_text(arrays[KNOWN])["lanes"]
    return {name: tuple(RacePoint(**point) for point in lane) for name, lane in lanes.items()}


def _read(config: RaceConfig, arrays: Arrays) -> Race:
    known = from_text(arrays[KNOWN])
    return Race(config, known["about"], known["digest"], read_curves(arrays), {})


def _revive(config: RaceConfig, arrays: Arrays) -> Race:
    race = _read(config, arrays)
    told = from_text(arrays["checkpoints"])
    checkpoints = {name: _hear(name, values, arrays) for name, values in told.items()}
    networks = {
        name: revive(name, checkpoint, ended=race.curves[name][-1].test is not None)
        for name, checkpoint in checkpoints.items()
        if race.curves[name]
    }
    return replace(race, networks=networks, checkpoints=checkpoints)


def _tell(checkpoint: Checkpoint) -> dict[str, Any]:
    return {
        "config": checkpoint.config.to_json(),
        "seed": checkpoint.seed,
        "digest": checkpoint.digest,
        "numbers": dict(checkpoint.numbers),
    }


def _hear(lane: str, told: Mapping[str, Any], arrays: Arrays) -> Checkpoint:
    own = {name: x for name, x in arrays.items() if name.startswith(f"{lane}/")}
    return Checkpoint(
        config=TrainingConfig.from_json(told["config"]),
        seed=told["seed"],
        digest=told["digest"],
        numbers=told["numbers"],
        tensors={
            name.removeprefix(f"{lane}/"): torch.from_numpy(np.array(x)) for name, x in own.items()
        },
    )


def _count(kept: Kept) -> int:
    lanes = read_curves(kept.arrays(kept.steps)).values()
    return max((lane[-1].iteration for lane in lanes if lane), default=0)


def _compared_numbers(kept: Kept) -> dict[str, str]:
    curves = read_curves(kept.arrays(kept.steps))
    ends = {name: lane[-1] for name, lane in curves.items() if lane}
    errors = {f"{name}: validation error": format_number(end.error) for name, end in ends.items()}
    return errors | {f"{name}: test error": format_number(end.test) for name, end in ends.items()}


def _resume(history: Sequence[Race]) -> Resumption:
    race = history[-1]
    return Resumption(race.config, race)


RACES: Final = RunKind[Race](
    id="race",
    title="Equivariance",
    unit="iteration",
    work=lambda config, _, race: run_race(config, race),
    expected=count_steps,
    describe=lambda config: config.to_json(),
    seed=lambda config: config.seed,
    pack=pack,
    unpack=unpack,
    state=state_of,
    count=_count,
    numbers=_compared_numbers,
    resume=_resume,
)
