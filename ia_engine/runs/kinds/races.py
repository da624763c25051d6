"""Races between networks, which are saved with one file per measurement, and with the newest
weights."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import numpy as np
import torch
from safetensors.numpy import load, save

from ia_engine.equivariant.checkpoint import Checkpoint
from ia_engine.equivariant.race import Race, RaceConfig, RacePoint, count_steps, revive, run_race
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.runs.folder import Arrays, Record, SavedRun, reports_damage
from ia_engine.runs.kinds.kind import Resumption, Row, RunKind, format_number, from_text, to_text
from ia_engine.runs.paragraphs import ATTENTIVE, Statement, read_stored

KNOWN: Final = "known"


def state_run(record: Record) -> Statement:
    """Return what a record states; it contains the number of digits, not the networks."""
    stored = read_stored(RaceConfig, record.config)
    config = stored.config
    done = (
        "Networks with and without group convolutions were trained in alternation on "
        f"{config.digits:,} rotated digits, for {config.iterations:,} batches of 64 images each"
    )
    return Statement(done, [stored], (ATTENTIVE,))


def pack(race: Race) -> dict[str, Any]:
    """Convert the curves so far to arrays."""
    curves = {name: [asdict(point) for point in curve] for name, curve in race.curves.items()}
    return {KNOWN: to_text({"about": race.about, "digest": race.digest, "lanes": curves})}


def state_of(race: Race) -> bytes:
    """Return everything that the next steps need, including the curves so far."""
    known = {name: _encode(checkpoint) for name, checkpoint in race.checkpoints.items()}
    tensors = {
        f"{network}/{name}": np.asarray(x.numpy(), order="C")
        for network, checkpoint in race.checkpoints.items()
        for name, x in checkpoint.tensors.items()
    }
    return save({**pack(race), "checkpoints": to_text(known), **tensors})


@reports_damage
def unpack(kept: SavedRun) -> Sequence[Race]:
    """Return the state of a race after each measurement. Only the last one contains the
    networks."""
    config = RaceConfig.from_json(kept.record.config)
    races = [_read(config, kept.arrays(step)) for step in range(1, kept.steps + 1)]
    state = kept.kept_state()
    if state is None:
        return races
    newest = _revive(config, load(state))  # written before the curves, so the state may be newer
    ahead = bool(races) and races[-1].curves != newest.curves
    return [*(races if ahead else races[:-1]), newest]


def read_curves(arrays: Arrays) -> dict[str, tuple[RacePoint, ...]]:
    """Read the measurements of each network."""
    curves = from_text(arrays[KNOWN])["lanes"]
    return {name: tuple(RacePoint(**point) for point in curve) for name, curve in curves.items()}


def _read(config: RaceConfig, arrays: Arrays) -> Race:
    known = from_text(arrays[KNOWN])
    return Race(config, known["about"], known["digest"], read_curves(arrays), {})


def _revive(config: RaceConfig, arrays: Arrays) -> Race:
    race = _read(config, arrays)
    known = from_text(arrays["checkpoints"])
    checkpoints = {name: _decode(name, values, arrays) for name, values in known.items()}
    networks = {
        name: revive(name, checkpoint, ended=race.curves[name][-1].test is not None)
        for name, checkpoint in checkpoints.items()
        if race.curves[name]
    }
    return replace(race, networks=networks, checkpoints=checkpoints)


def _encode(checkpoint: Checkpoint) -> dict[str, Any]:
    return {
        "config": checkpoint.config.to_json(),
        "seed": checkpoint.seed,
        "digest": checkpoint.digest,
        "numbers": dict(checkpoint.numbers),
    }


def _decode(network: str, values: Mapping[str, Any], arrays: Arrays) -> Checkpoint:
    prefix = f"{network}/"
    own = {name: x for name, x in arrays.items() if name.startswith(prefix)}
    return Checkpoint(
        config=TrainingConfig.from_json(values["config"]),
        seed=values["seed"],
        digest=values["digest"],
        numbers=values["numbers"],
        tensors={
            name.removeprefix(prefix): torch.from_numpy(np.array(x)) for name, x in own.items()
        },
    )


def _count(kept: SavedRun) -> int:
    curves = read_curves(kept.arrays(kept.steps)).values()
    return max((curve[-1].iteration for curve in curves if curve), default=0)


def _compared_numbers(kept: SavedRun) -> dict[str, str]:
    curves = read_curves(kept.arrays(kept.steps))
    ends = {name: curve[-1] for name, curve in curves.items() if curve}
    errors = {f"{name}: validation error": format_number(end.error) for name, end in ends.items()}
    return errors | {f"{name}: test error": format_number(end.test) for name, end in ends.items()}


def _rows(race: Race) -> list[Row]:
    """Return a row for the newest measurement, with the same keys as the shell command `train`."""
    name = max(race.curves, key=lambda name: (len(race.curves[name]), [*race.curves].index(name)))
    if not race.curves[name]:
        return []
    point = race.curves[name][-1]
    return [
        {
            "network": name,
            "iteration": point.iteration,
            "seconds": point.seconds,
            "loss": point.loss,
            "validation_error": point.error,
            "test_error": point.test,
        }
    ]


@reports_damage
def _export(kept: SavedRun) -> Arrays:
    """Return the measurements of each network. Unknown test errors are NaN."""
    curves = read_curves(kept.arrays(kept.steps))
    return {
        f"{name}_{network.replace('-', '_')}": np.array(
            [getattr(point, name) for point in points], dtype=np.float64
        )
        for network, points in curves.items()
        for name in ("iteration", "seconds", "loss", "error", "test")
    }


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
    statement=state_run,
    seed=lambda config: config.seed,
    pack=pack,
    unpack=unpack,
    state=state_of,
    count=_count,
    numbers=_compared_numbers,
    resume=_resume,
    rows=_rows,
    export=lambda kept, _: _export(kept),
)
