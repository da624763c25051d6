"""Handwritten digits in the style of published data sets: plain, rotated, warped and coloured."""

import math
from dataclasses import dataclass, replace
from typing import Annotated

import torch
from torch import Generator, Tensor
from torch.nn import functional

from ia_engine.datasets.bases import DIGIT_CLASSES, load_digits
from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.distortions import pose_copies
from ia_engine.datasets.generated import BEST, SEED, SOURCES, load_source, resolve
from ia_engine.datasets.subset import choose_rows, name_images, note_choice
from ia_engine.images import Homography, Poses
from ia_engine.params import Choice, Config, Range
from ia_engine.transforms import GROUPS

SIDE = 28
AFFNIST_MARGIN = 6
TURN, SHEAR, SCALE, SHIFT = math.radians(20), 0.2, (0.8, 1.2), 10.0
SOURCE = Choice(
    "source", (BEST, *SOURCES), "source of the images; best: MNIST if available, otherwise digits"
)


@dataclass(frozen=True)
class DigitsConfig(Config):
    """Settings of scikit-learn's digits, which need no download."""

    count: Annotated[int, Range("n", 0, 1797, "number of images, drawn at random; 0: all")] = 0
    size: Annotated[int, Range("w", 8, 128, "width and height", "px")] = SIDE
    seed: Annotated[int, SEED] = 0


@dataclass(frozen=True)
class WrittenConfig(Config):
    """The source of the digits to transform, and their number."""

    source: Annotated[str, SOURCE] = BEST
    count: Annotated[int, Range("n", 1, 70_000, "number of images, drawn at random")] = 1000
    seed: Annotated[int, SEED] = 0


def load_plain(config: DigitsConfig) -> ImageSet:
    """Return scikit-learn's digits, on a canvas with enough margin for any rotation."""
    images, labels = load_digits(config.size)
    rows = choose_rows(len(images), config.count or len(images), config.seed)
    return ImageSet(
        images=images[rows],
        names=name_images(labels[rows], rows, DIGIT_CLASSES, len(images)),
        recipe=Recipe("digits", config),
        labels=labels[rows],
        classes=DIGIT_CLASSES,
        notes=(
            f"scikit-learn's digits, enlarged from 8×8 to {config.size}×{config.size}",
            *note_choice(len(rows), len(images)),
        ),
    )


def make_affine(config: WrittenConfig) -> ImageSet:
    """Return digits as in affNIST: on a canvas of 40×40, rotated, sheared, scaled and shifted, but
    never cut off."""
    start = _choose(config, "affnist", "affNIST")
    generator = _generator(config)

    def draw(n: int) -> Poses:
        return GROUPS["affine"].pose(_affine_maps(n, generator))

    padded = functional.pad(start.images, (AFFNIST_MARGIN,) * 4)
    posed = pose_copies(padded, (GROUPS["affine"],), draw)
    notes = (*start.notes, *posed.notes)
    return replace(start, images=posed.images, poses=posed.poses, notes=notes)


def make_turned(config: WrittenConfig) -> ImageSet:
    """Return digits as in rotated MNIST, each rotated by a random angle, so that a 6 may look like
    a 9."""
    start = _choose(config, "rot-mnist", "rotated MNIST")
    generator = _generator(config)

    def draw(n: int) -> Poses:
        return _even(generator, n, 1, -math.pi, math.pi)

    # Do not draw poses again if ink is lost, because all angles must be equally likely.
    posed = pose_copies(start.images, (GROUPS["rotation"],), draw, tries=0)
    notes = (*start.notes, *posed.notes)
    return replace(start, images=posed.images, poses=posed.poses, notes=notes)


def make_colored(config: WrittenConfig) -> ImageSet:
    """Colour the digits as in DTI clustering: ink of a random colour on a background of a random
    colour."""
    start = _choose(config, "mnist-color", "colour MNIST")
    colours = _even(_generator(config), len(start.images), 6, 0, 1)[..., None, None]
    ink, ground = colours.chunk(2, dim=1)
    return replace(start, images=(ground + (ink - ground) * start.images).clamp(0, 1))


def _choose(config: WrittenConfig, recipe: str, manner: str) -> ImageSet:
    """Return the digits to transform. The recipe in the result states the actual source."""
    name = resolve(config.source)
    source = load_source(name)
    rows = choose_rows(len(source.labels), config.count, config.seed)
    labels = source.labels[rows]
    return ImageSet(
        images=source.read(rows, SIDE),
        names=name_images(labels, rows, source.classes, len(source.labels)),
        recipe=Recipe(recipe, replace(config, source=name)),
        labels=labels,
        classes=source.classes,
        notes=(
            f"generated in the style of {manner} from {source.title}; not the original files",
            *note_choice(len(rows), len(source.labels)),
        ),
    )


def _affine_maps(n: int, generator: Generator) -> Homography:
    """Return the maps [n 3 3] to the sampling points: rotation · shear · scale, followed by a
    shift."""
    turn = _even(generator, n, 1, -TURN, TURN)[:, 0]
    shear = _even(generator, n, 1, -SHEAR, SHEAR)[:, 0]
    scale = _even(generator, n, 2, *SCALE)
    maps = torch.eye(3, device="cpu").repeat(n, 1, 1)
    cos, sin = turn.cos(), turn.sin()
    turned = torch.stack([cos, sin, -sin, cos], -1).view(n, 2, 2)
    maps[:, 1, 0] = shear
    maps[:, :2, :2] = turned @ maps[:, :2, :2] / scale[:, None]
    maps[:, :2, 2] = _even(generator, n, 2, -SHIFT, SHIFT)
    return maps


def _even(generator: Generator, n: int, p: int, low: float, high: float) -> Tensor:
    """Draw uniformly distributed numbers [n p] between two bounds."""
    draw = torch.rand(n, p, generator=generator, device="cpu", dtype=torch.float32)
    return low + (high - low) * draw


def _generator(config: WrittenConfig) -> Generator:
    # The images are chosen with another seed, so that the choice and the poses are independent.
    return Generator(device="cpu").manual_seed(config.seed + (1 << 32))
