"""The data of the two experiments of Invariant Attention, section 5."""

import math
from dataclasses import dataclass, replace
from typing import Annotated

from ia_engine.datasets.bases import BASES
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import SEED, GeneratedConfig, generate, resolve
from ia_engine.datasets.handwriting import SOURCE
from ia_engine.datasets.imageset import ImageSet, Recipe
from ia_engine.params import Config, Range

# A circle 0.54 canvases wide stays inside 64×64 under any rotation and a shift of (10, 10) px.
EXPERIMENT_1 = GeneratedConfig(
    bases=tuple(list(BASES)[:3]),
    copies=6,
    size=64,
    fill=0.54,
    distortions=(Distortion("se2", (-math.radians(65), -10.0), (math.radians(65), 10.0)),),
)


@dataclass(frozen=True)
class Experiment2Config(Config):
    """Ten 3s with different shapes and poses."""

    source: Annotated[str, SOURCE] = "digits"
    digit: Annotated[int, Range("class", 0, 9, "which digit (or garment)")] = 3
    copies: Annotated[int, Range("n", 2, 100, "how many of them")] = 10
    seed: Annotated[int, SEED] = 0


def make_experiment_1(config: GeneratedConfig) -> ImageSet:
    """Three drawings, six copies of each, rotated by up to 65° and shifted by up to 10 px."""
    return replace(generate(config), recipe=Recipe("experiment-1", config))


def make_experiment_2(config: Experiment2Config) -> ImageSet:
    """One digit rotated by 0-90°; columns shift by up to 0.1 w, rows by up to 0.2 h."""
    config = replace(config, source=resolve(config.source))
    turned = Distortion("se2", (0.0, -0.2 * 64, -0.1 * 64), (math.pi / 2, 0.2 * 64, 0.1 * 64))
    plan = GeneratedConfig(
        bases=(f"{config.source}:{config.digit}",),
        copies=config.copies,
        size=64,
        fill=0.75,
        distortions=(turned,),
        seed=config.seed,
    )
    return replace(generate(plan), recipe=Recipe("experiment-2", config))
