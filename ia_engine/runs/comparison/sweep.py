"""Measures each method as one quantity increases: a transformation of the pictures, their number,
noise, β or σ.

Every value has its own data set, except those of β and σ, which change the methods. Repetitions use
other seeds, for the data and for the methods.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Annotated, Final, NamedTuple

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import SEED, GeneratedConfig, generate
from ia_engine.params import Choice, Config, Range
from ia_engine.runs.comparison.catalogue import METHODS
from ia_engine.runs.comparison.compare import (
    MEGABYTE,
    Moment,
    Result,
    compare,
    expected_moments,
)
from ia_engine.runs.comparison.config import ComparisonConfig, plan_comparison
from ia_engine.runs.comparison.helper import Helper
from ia_engine.transforms.noise import SEED as SEEDS

SEED_END: Final = int(SEED.high)
SIDE: Final = 56
FILL: Final = 0.4
"""Size of a picture relative to the canvas. It is so small that pictures shifted by 30 % or scaled
by 2 stay on the canvas."""
LIFT: Final = 0.5
"""Ratio of the colour offset to the colour factor. Larger values would make all pictures white."""
DRAWN: Final = ("crab", "seven", "snail")
COLOURED: Final = ("icon-tropical-fish", "icon-parrot", "icon-tractor")
WRITTEN: Final = tuple(f"digits:{digit}" for digit in range(5))


@dataclass(frozen=True)
class SweptQuantity:
    """A quantity that is varied: a distortion of the pictures, a setting, or their number."""

    title: str
    unit: str
    """"" if the quantity has none."""
    least: float
    most: float
    distort: Callable[[float], Distortion] | None = None
    setting: str = ""
    """The setting of the methods that is varied, if it is one."""
    log: bool = False
    """True if consecutive values have a constant ratio."""


def _scale(factor: float) -> Distortion:
    bound = min(math.log(factor), math.log(2))
    return Distortion("similarity", (0.0, -bound, 0.0), (0.0, bound, 0.0))


def _rotate(degrees: float) -> Distortion:
    return Distortion("rotation", (-math.radians(degrees),), (math.radians(degrees),))


COUNT: Final = "n"
SWEPT: Final[Mapping[str, SweptQuantity]] = {
    "rotation": SweptQuantity("rotated by up to", "°", 0, 180, _rotate),
    "shift": SweptQuantity(
        "shifted by up to", "% of the width", 0, 30,
        lambda s: Distortion("translation", (-s / 100 * SIDE,), (s / 100 * SIDE,)),
    ),
    "scale": SweptQuantity("maximum scaling", "×", 1, 2, _scale),
    "colour": SweptQuantity(
        "colours changed by up to", "%", 0, 80,
        lambda s: Distortion("color", (-s / 100, 0.0), (s / 100, LIFT * s / 100)),
    ),
    "noise": SweptQuantity(
        "standard deviation of the noise", "", 0, 0.5,
        lambda s: Distortion("noise", (s, SEEDS.low), (s, SEEDS.high)),
    ),
    COUNT: SweptQuantity("number of images n", "images", 3, 200, log=True),
    "beta": SweptQuantity("bandwidth β", "", 1, 100, setting="beta", log=True),
    "sigma": SweptQuantity("smoothing σ", "px", 0, 4, setting="sigma"),
}  # fmt: skip
ROTATED: Final = ("noise", COUNT, "beta", "sigma")
"""Sweeps in which the pictures are rotated as well, by up to a fixed angle."""


@dataclass(frozen=True)
class SweepConfig(Config):
    """The quantity, the pictures, and the number of values and of repetitions."""

    sweep: Annotated[str, Choice("", tuple(SWEPT), "quantity that increases")] = "rotation"
    pictures: Annotated[
        str, Choice("", ("drawings", "digits"), "three drawings, or handwritten digits from 0 to 4")
    ] = "drawings"
    strengths: Annotated[
        int,
        Range(
            "",
            2,
            10,
            "number of values, from the least to the most; a sweep over n has at most one for each "
            "number of copies",
        ),
    ] = 5
    copies: Annotated[
        int, Range("", 3, 200, "number of copies of each picture; the maximum if n is varied")
    ] = 8
    repeats: Annotated[int, Range("", 1, 10, "number of repetitions with different seeds")] = 1
    angle: Annotated[
        float,
        Range("θ", 0, 180, "maximum rotation of the pictures in sweeps over n, noise, β or σ", "°"),
    ] = 60.0


@dataclass(frozen=True)
class SweepPlan:
    """The settings and data that are needed to repeat a sweep."""

    sweep: SweepConfig
    config: ComparisonConfig

    @property
    def steps(self) -> tuple[float, ...]:
        """The values, in the unit of the quantity."""
        swept, last = SWEPT[self.sweep.sweep], self.sweep.strengths - 1
        shares = [k / last for k in range(last + 1)]
        if self.sweep.sweep == COUNT:
            return self._list_counts(shares)
        if swept.log:
            return tuple(swept.least * (swept.most / swept.least) ** share for share in shares)
        return tuple(swept.least + (swept.most - swept.least) * share for share in shares)

    def _list_counts(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Return increasing numbers of images, equally many of each picture. There are fewer values
        than shares if the numbers of copies from the least to the most are fewer."""
        least, counts = SWEPT[COUNT].least, list[int]()
        for share in shares:
            wanted = round(least * (self.sweep.copies / least) ** share)
            count = max([wanted, *(last + 1 for last in counts[-1:])])
            if count <= self.sweep.copies:
                counts.append(count)
        return tuple(float(count * len(bases_of(self.sweep))) for count in counts)


@dataclass(frozen=True, eq=False)
class SweepMoment:
    """A moment of the comparison at one strength."""

    plan: SweepPlan
    at: int
    moment: Moment
    repeat: int = 0

    @property
    def nbytes(self) -> int:
        return self.moment.nbytes


Known = Mapping[tuple[int, int], Sequence[Result]]
"""Results by the index of their value and by their repetition."""


def sweep(plan: SweepPlan, known: Known | None = None) -> Iterator[SweepMoment]:
    """Run all methods at each value. If K is set, it is replaced with the number of classes."""
    found = {place: list(results) for place, results in (known or {}).items()}
    with Helper() as helper:
        for repeat in range(plan.sweep.repeats):
            for at, value in enumerate(plan.steps):
                config = configure(plan, value, repeat)
                data = make_set(plan.sweep, value, config.seed)
                k = len(data.classes) if config.k else 0
                planned = plan_comparison(replace(config, k=k, images=len(data.images)), data)
                own = found.setdefault((at, repeat), [])
                before = [*own, *_reusable(plan, found.get((0, repeat), ()), own)]
                for moment in compare(planned, data, before, helper):
                    yield SweepMoment(plan, at, moment, repeat)
                    if moment.result is not None and moment.result not in own:
                        own.append(moment.result)


def configure(plan: SweepPlan, value: float, repeat: int) -> ComparisonConfig:
    """Return the config of the methods at a value. β needs an averaging step to have an effect."""
    config = replace(plan.config, seed=(plan.config.seed + repeat) % (SEED_END + 1))
    match SWEPT[plan.sweep.sweep].setting:
        case "beta":
            return replace(config, beta=value, averagings=max(1, config.averagings))
        case "sigma":
            return replace(config, sigma=value)
        case _:
            return config


def _reusable(plan: SweepPlan, first: Sequence[Result], own: Sequence[Result]) -> Iterator[Result]:
    """Yield the results at the first value that do not depend on the varied setting."""
    if setting := SWEPT[plan.sweep.sweep].setting:
        done = {result.method for result in own}
        for result in first:
            if result.method not in done and setting not in METHODS[result.method].settings:
                yield result


def make_set(config: SweepConfig, value: float, seed: int) -> ImageSet:
    """Generate copies of the pictures, transformed by up to the given value."""
    swept, bases = SWEPT[config.sweep], bases_of(config)
    distortions = [_rotate(config.angle)] if config.sweep in ROTATED else []
    if swept.distort is not None:
        distortions.append(swept.distort(value))
    made = GeneratedConfig(
        bases=bases,
        copies=round(value / len(bases)) if config.sweep == COUNT else config.copies,
        size=SIDE,
        fill=FILL,
        distortions=tuple(distortions),
        seed=seed,
    )
    return replace(generate(made), recipe=Recipe("generated", made))


def bases_of(config: SweepConfig) -> tuple[str, ...]:
    """Return the names of the pictures. Colour sweeps use coloured icons."""
    if config.sweep == "colour":
        return COLOURED
    return DRAWN if config.pictures == "drawings" else WRITTEN


def expected_sweep(plan: SweepPlan) -> int:
    return plan.sweep.repeats * len(plan.steps) * expected_moments(plan.config)


def limit_seconds(plan: SweepPlan, history: Sequence[SweepMoment] = ()) -> float:
    """Return the maximum CPU seconds of the methods that have not finished yet.

    Methods without the varied setting run only at its first value.
    """
    setting, values = SWEPT[plan.sweep.sweep].setting, range(len(plan.steps))
    runs = {
        (at, repeat, method)
        for method in plan.config.methods
        for repeat in range(plan.sweep.repeats)
        for at in (values if not setting or setting in METHODS[method].settings else values[:1])
    }
    done = {(one.at, one.repeat, one.moment.method) for one in history if one.moment.result}
    return len(runs - done) * plan.config.budget


def swept_results(history: Sequence[SweepMoment]) -> dict[int, list[Result]]:
    """Return all results so far, grouped by the index of their value."""
    found: dict[int, list[Result]] = {}
    for item in history:
        if item.moment.result is not None:
            found.setdefault(item.at, []).append(item.moment.result)
    return found


def known_results(history: Sequence[SweepMoment]) -> Known:
    """Return all results so far by value and repetition, to continue the sweep."""
    found: dict[tuple[int, int], list[Result]] = {}
    for item in history:
        if item.moment.result is not None:
            found.setdefault((item.at, item.repeat), []).append(item.moment.result)
    return found


class Spread(NamedTuple):
    """The median, the smallest and the largest value of the repetitions."""

    middle: float
    low: float
    high: float


TIME: Final = "CPU time [s]"
MEASURES: Final[Mapping[str, Callable[[Result], float | None]]] = {
    "ARI": lambda result: result.measures.ari if result.measures else None,
    "NMI": lambda result: result.measures.nmi if result.measures else None,
    "ACC": lambda result: result.measures.acc if result.measures else None,
    TIME: lambda result: result.seconds,
    "memory [MB]": lambda result: None if result.memory is None else result.memory / MEGABYTE,
}
"""The measures of a sweep that can be plotted, with their units."""


def spread_of(results: Sequence[Result], method: str, measure: str) -> Spread | None:
    """Return the spread of a measure over the repetitions; None if there is no value."""
    read = MEASURES[measure]
    found = [read(result) for result in results if result.method == method]
    values = [float(value) for value in found if value is not None]
    return Spread(median(values), min(values), max(values)) if values else None
