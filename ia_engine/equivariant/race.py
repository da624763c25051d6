"""Alternate training of several networks on the same rotated digits."""

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
"""Approximate number of measurements per network."""
SPLIT: Final = 500
"""Largest number of digits for validation, and for testing."""


@dataclass(frozen=True)
class RaceConfig(Config):
    """Iterations, number of digits and seed."""

    iterations: Annotated[
        int, Range("n", 10, 20_000, "batches of 64 images for each network", log=True)
    ] = 200
    digits: Annotated[int, Range("N", 200, 10_000, "rotated digits for training", log=True)] = 1000
    seed: Annotated[int, Range("s", 0, 99, "seed of data, weights and batches")] = 0


@dataclass(frozen=True)
class RacePoint:
    """Errors of a network after a number of iterations."""

    iteration: int
    seconds: float
    loss: float
    error: float
    test: float | None


@dataclass(frozen=True, eq=False)
class Race:
    """The current state of all networks."""

    config: RaceConfig
    about: str
    """Source and number of the digits."""
    digest: str
    curves: Mapping[str, tuple[RacePoint, ...]]
    networks: Mapping[str, nn.Module]
    """The networks at their last measurement; after the last step, with their best weights."""
    checkpoints: dict[str, Checkpoint] = field(default_factory=dict)
    """The newest checkpoint of each network; all moments of a run share them."""

    @property
    def lanes(self) -> Mapping[str, tuple[RacePoint, ...]]:
        """The old name of `curves`, which exported scripts use."""
        return self.curves


def run_race(config: RaceConfig, begun: Race | None = None) -> Iterator[Race]:
    """Yield after each measurement of one network, in turn, so that all networks advance together.

    A resumed race reaches the weights that it would have reached without the interruption.
    """
    data = _load(config)
    race = replace(begun, checkpoints=dict(begun.checkpoints)) if begun else _begin(config, data)
    if not _is_of(race, config, data):
        raise EngineError(
            "the race must be resumed with the digits that it started with; got different "
            "digits: start a new race"
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
    """The record of one network of the race."""
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
    """Number of races that `run_race` yields."""
    done = sum(map(len, begun.curves.values())) if begun else 0
    return len(NETWORKS_RACED) * -(-config.iterations // _every(config)) - done


def revive(name: str, checkpoint: Checkpoint, *, ended: bool) -> nn.Module:
    """The network of a checkpoint as it was measured; with its best weights if it has ended."""
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
    """True if a race used these digits, which its config generates from the named files.

    Races from before 2026-11-19 have a digest of pixels, which depends on the rounding of the
    processor.
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
    """The next measurement of the run; None at its end."""
    return next((step for step in run if step.validation_error is not None), None)


def _measured(progress: Progress) -> RacePoint:
    error = progress.validation_error
    assert error is not None
    return RacePoint(
        progress.iteration, progress.seconds, progress.loss, error, progress.test_error
    )


def _copy(name: str, network: nn.Module) -> nn.Module:
    """A copy, because the training of the network continues."""
    found = build_network(name, Generator(device="cpu").manual_seed(0))
    found.load_state_dict(network.state_dict())
    return found.eval()
