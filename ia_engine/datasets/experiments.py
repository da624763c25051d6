"""The data of Invariant Attention: the two experiments of section 5, and the points of Figure 2."""

import math
from dataclasses import dataclass, replace
from typing import Annotated

import torch
from torch import Generator

from ia_engine.datasets.bases import BASES
from ia_engine.datasets.data import ImageSet, PointSet, Recipe
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import SEED, GeneratedConfig, generate, resolve
from ia_engine.datasets.handwriting import SOURCE
from ia_engine.params import Config, Range


@dataclass(frozen=True)
class BlobsConfig(Config):
    """The number of blobs and of points, the spread of the blobs and the distance between them."""

    blobs: Annotated[int, Range("K", 1, 12, "number of blobs")] = 3
    points: Annotated[int, Range("n_b", 1, 500, "number of points per blob")] = 40
    spread: Annotated[float, Range("s", 0.0, 3.0, "standard deviation of a blob")] = 0.25
    radius: Annotated[
        float, Range("r", 0.0, 10.0, "radius of the circle on which the centres lie")
    ] = 1.5
    seed: Annotated[int, SEED] = 0


def make_blobs(config: BlobsConfig) -> PointSet:
    """Draw blobs whose centres are evenly spaced on a circle, starting at a random angle."""
    generator = Generator(device="cpu").manual_seed(config.seed)
    labels = torch.arange(config.blobs, device="cpu").repeat_interleave(config.points)
    start = torch.rand((), generator=generator, device="cpu")
    angle = 2 * math.pi * (start + labels / config.blobs)
    centres = config.radius * torch.stack([angle.cos(), angle.sin()], -1)
    noise = torch.randn(centres.shape, generator=generator, device="cpu", dtype=torch.float32)
    return PointSet(centres + config.spread * noise, labels, Recipe("blobs", config))


# A circle whose diameter is 0.54 times the width of the canvas stays inside 64×64 pixels under any
# rotation and a shift by (10, 10) px.
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
    digit: Annotated[int, Range("class", 0, 9, "class of the digit (or garment)")] = 3
    copies: Annotated[int, Range("n", 2, 100, "number of images")] = 10
    seed: Annotated[int, SEED] = 0


def make_experiment_1(config: GeneratedConfig) -> ImageSet:
    """Return six copies of each of three drawings, rotated by up to 65° and shifted by up to 10
    px."""
    return replace(generate(config), recipe=Recipe("experiment-1", config))


def make_experiment_2(config: Experiment2Config) -> ImageSet:
    """Return images of one digit, rotated by 0-90° and shifted by up to 0.1 w horizontally and 0.2
    h vertically."""
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
