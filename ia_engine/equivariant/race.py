"""Trains several networks in alternation on the same rotated digits."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Final

from torch import Generator, nn

from ia_engine.datasets.data import is_of_first_pixels
from ia_engine.equivariant.checkpoint import Checkpoint, NetworkRecord
from ia_engine.equivariant.networks import build_network
from ia_engine.equivariant.recipes import RECIPES, TrainingConfig
from ia_engine.equivariant.splits import Splits, rotated_digits
from ia_engine.equivariant.training import Progress, train
from ia_engine.errors import EngineError
from ia_engine.params import Config, Range

NETWORKS_RACED: Final = ("z2", "p4", "alpha-f-p4")
POINTS: Final = 20
"""Approximate number of measurements of each network."""
SPLIT: Final = 500
"""Maximum number of digits for validation, and for testing."""


@dataclass(frozen=True)
class RaceConfig(Config):
    """Settings of a race: the number of iterations, the number of digits, and the seed."""

    iterations: Annotated[
        int, Range("n", 10, 20_000, "number of batches of 64 images for each network", log=True)
    ] = 200
    digits: Annotated[
        int, Range("N", 200, 10_000, "number of rotated digits for training", log=True)
    ] = 1000
    seed: Annotated[int, Range("s", 0, 99, "seed of the data, the weights and the batches")] = 0


@dataclass(frozen=True)
class RacePoint:
    """The errors of a network after a number of iterations."""

    iteration: int
    seconds: float
    loss: float
    error: float
    test: float | None


@dataclass(frozen=True, eq=False)
class Race:
    """The current state of a race."""

    config: RaceConfig
    about: str
    """The source and the number of the digits."""
    digest: str
    curves: Mapping[str, tuple[RacePoint, ...]]
    networks: Mapping[str, nn.Module]
    """The networks as they were last measured; after the last step, with their best weights."""
    checkpoints: dict[str, Checkpoint] = field(default_factory=dict)
    """The latest checkpoint of each network. All `Race` objects of a run share this dict."""

    @property
    def lanes(self) -> Mapping[str, tuple[RacePoint, ...]]:
        """The old name of `curves`, which exported scripts still use."""
        return self.curves


def run_race(config: RaceConfig, begun: Race | None = None) -> Iterator[Race]:
    """Train the networks in turn, so that all of them advance together, and yield after every
    measurement.

    A resumed race ends with the same weights as a race that was not interrupted.
    """
    data = _load(config)
    race = replace(begun, checkpoints=dict(begun.checkpoints)) if begun else _begin(config, data)
    if not _is_of(race, config, data):
        raise EngineError(
            "a race must be resumed with the digits that it started with; got different digits: "
            "start a new race"
        )
    for name, kept in race.checkpoints.items():
        race.checkpoints[name] = replace(kept, digest=data.digest)
    runs = {
        name: train(_recipe(config, name), data, config.seed, race.checkpoints.get(name))
        for name in NETWORKS_RACED
        if not _ended(race.curves[name])
    }
    while runs:
        for name in tuple(runs):
            progress = _next(runs[name])
            if progress is None:
                del runs[name]
                continue
            race.checkpoints[name] = progress.keep()
            race = replace(
                race,
                curves={**race.curves, name: (*race.curves[name], _measured(progress))},
                networks={**race.networks, name: _copy(name, progress.network)},
            )
            yield race


def record(race: Race, name: str) -> NetworkRecord:
    """Return the record of one network in a race."""
    last = race.curves[name][-1]
    return NetworkRecord(
        network=name,
        config=_recipe(race.config, name).to_json(),
        data=race.about,
        digest=race.digest,
        seed=race.config.seed,
        iterations=last.iteration,
        validation_error=min(point.error for point in race.curves[name]),
        test_error=math.nan if last.test is None else last.test,
        command="trained on the Equivariance page",
    )


def count_steps(config: RaceConfig, begun: Race | None = None) -> int:
    """Return the number of steps that `run_race` yields."""
    done = sum(map(len, begun.curves.values())) if begun else 0
    return len(NETWORKS_RACED) * -(-config.iterations // _every(config)) - done


def revive(name: str, checkpoint: Checkpoint, *, ended: bool) -> nn.Module:
    """Return the network in a checkpoint as it was measured, or with its best weights if its
    training has ended."""
    found = build_network(name, Generator(device="cpu").manual_seed(0))
    found.load_state_dict(checkpoint.under("best." if ended else "network."))
    return found.eval()


def _load(config: RaceConfig) -> Splits:
    split = min(SPLIT, config.digits)
    return rotated_digits(config.digits, split, split, config.seed)


def _begin(config: RaceConfig, data: Splits) -> Race:
    curves = dict.fromkeys(NETWORKS_RACED, ())
    return Race(config, _describe(data), data.digest, curves, {})


def _is_of(race: Race, config: RaceConfig, data: Splits) -> bool:
    """Return True if a race used these digits.

    Races from before 2026-11-19 have a digest of pixels, which depends on how the processor rounds.
    In this case, their configs and the descriptions of the data are compared.
    """
    if race.digest in (data.digest, data.pixel_digest):
        return True
    same = (race.config, race.about) == (config, _describe(data))
    return same and is_of_first_pixels(race.digest)


def _describe(data: Splits) -> str:
    counts = f"{len(data.train):,} to learn, {len(data.validation):,} to validate"
    return f"{data.about}; {counts}"


def _recipe(config: RaceConfig, name: str) -> TrainingConfig:
    quick = RECIPES["quick"]
    return replace(quick, network=name, iterations=config.iterations, every=_every(config))


def _ended(curve: tuple[RacePoint, ...]) -> bool:
    return bool(curve) and curve[-1].test is not None


def _every(config: RaceConfig) -> int:
    return max(5, config.iterations // POINTS)


def _next(run: Iterator[Progress]) -> Progress | None:
    """Return the next measurement of a run, or None at its end."""
    return next((step for step in run if step.validation_error is not None), None)


def _measured(progress: Progress) -> RacePoint:
    error = progress.validation_error
    assert error is not None
    return RacePoint(
        progress.iteration, progress.seconds, progress.loss, error, progress.test_error
    )


def _copy(name: str, network: nn.Module) -> nn.Module:
    """Return a copy of a network whose training continues."""
    found = build_network(name, Generator(device="cpu").manual_seed(0))
    found.load_state_dict(network.state_dict())
    return found.eval()
