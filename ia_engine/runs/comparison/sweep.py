"""Measures the quality of each method as one transformation becomes stronger.

Every strength has its own data set: the same pictures, transformed by up to this strength.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import GeneratedConfig, generate
from ia_engine.params import Choice, Config, Range
from ia_engine.runs.comparison.compare import Moment, Result, compare, expected_moments
from ia_engine.runs.comparison.config import ComparisonConfig, plan_comparison
from ia_engine.runs.comparison.helper import Helper

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
class SweptTransformation:
    """A transformation whose strength is varied."""

    title: str
    unit: str
    least: float
    most: float
    distort: Callable[[float], Distortion]


def _scale(factor: float) -> Distortion:
    bound = min(math.log(factor), math.log(2))
    return Distortion("similarity", (0.0, -bound, 0.0), (0.0, bound, 0.0))


SWEPT: Final[Mapping[str, SweptTransformation]] = {
    "rotation": SweptTransformation(
        "rotated by up to", "°", 0, 180,
        lambda s: Distortion("rotation", (-math.radians(s),), (math.radians(s),)),
    ),
    "shift": SweptTransformation(
        "shifted by up to", "% of the width", 0, 30,
        lambda s: Distortion("translation", (-s / 100 * SIDE,), (s / 100 * SIDE,)),
    ),
    "scale": SweptTransformation("maximum scaling", "×", 1, 2, _scale),
    "colour": SweptTransformation(
        "colours changed by up to", "%", 0, 80,
        lambda s: Distortion("color", (-s / 100, 0.0), (s / 100, LIFT * s / 100)),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class SweepConfig(Config):
    """The transformation, the pictures, and the number of strengths."""

    sweep: Annotated[str, Choice("", tuple(SWEPT), "transformation whose strength increases")] = (
        "rotation"
    )
    pictures: Annotated[
        str, Choice("", ("drawings", "digits"), "three drawings, or handwritten digits from 0 to 4")
    ] = "drawings"
    strengths: Annotated[int, Range("", 2, 10, "number of strengths, from none to the maximum")] = 5
    copies: Annotated[int, Range("", 3, 40, "number of copies of each picture")] = 8


@dataclass(frozen=True)
class SweepPlan:
    """The settings and data that are needed to repeat a sweep."""

    sweep: SweepConfig
    config: ComparisonConfig

    @property
    def steps(self) -> tuple[float, ...]:
        """The strengths, in the unit of the transformation."""
        swept, last = SWEPT[self.sweep.sweep], self.sweep.strengths - 1
        return tuple(swept.least + (swept.most - swept.least) * k / last for k in range(last + 1))


@dataclass(frozen=True, eq=False)
class SweepMoment:
    """A moment of the comparison at one strength."""

    plan: SweepPlan
    at: int
    moment: Moment

    @property
    def nbytes(self) -> int:
        return self.moment.nbytes


Known = Mapping[int, Sequence[Result]]
"""Results by the index of their strength."""


def sweep(plan: SweepPlan, known: Known | None = None) -> Iterator[SweepMoment]:
    """Run all methods at each strength. If K is set, it is replaced with the number of classes."""
    with Helper() as helper:
        for at, strength in enumerate(plan.steps):
            data = make_set(plan.sweep, strength, plan.config.seed)
            k = len(data.classes) if plan.config.k else 0
            config = replace(plan.config, k=k, images=len(data.images))
            planned, before = plan_comparison(config, data), (known or {}).get(at, ())
            for moment in compare(planned, data, before, helper):
                yield SweepMoment(plan, at, moment)


def make_set(config: SweepConfig, strength: float, seed: int) -> ImageSet:
    """Generate copies of the pictures, each transformed by up to the given strength."""
    made = GeneratedConfig(
        bases=bases_of(config),
        copies=config.copies,
        size=SIDE,
        fill=FILL,
        distortions=(SWEPT[config.sweep].distort(strength),),
        seed=seed,
    )
    return replace(generate(made), recipe=Recipe("generated", made))


def bases_of(config: SweepConfig) -> tuple[str, ...]:
    """Return the names of the pictures. Colour sweeps use coloured icons."""
    if config.sweep == "colour":
        return COLOURED
    return DRAWN if config.pictures == "drawings" else WRITTEN


def expected_sweep(plan: SweepPlan) -> int:
    return plan.sweep.strengths * expected_moments(plan.config)


def swept_results(history: Sequence[SweepMoment]) -> dict[int, list[Result]]:
    """Return all results so far, grouped by the index of their strength."""
    found: dict[int, list[Result]] = {}
    for item in history:
        if item.moment.result is not None:
            found.setdefault(item.at, []).append(item.moment.result)
    return found
