"""Generated data: copies of a few drawings, each transformed by its own pose, which is kept."""

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Generator

from ia_engine.datasets.bases import FILL
from ia_engine.datasets.distortion import Distortion
from ia_engine.datasets.imageset import ImageSet, Recipe
from ia_engine.datasets.posing import check_pixels, pose_copies
from ia_engine.datasets.sources import Canvas, check_base, load_copies, load_sources
from ia_engine.errors import EngineError
from ia_engine.params import Config, Range
from ia_engine.shapes import Images, Poses
from ia_engine.transforms import TRANSFORMS

SEED = Range("seed", 0, 2**31 - 1, "which random numbers: the same seed makes the same data")

MOST_DISTORTIONS = 8


@dataclass(frozen=True)
class GeneratedConfig(Config):
    """Which drawings, how many copies of each, and what is done to them in which order."""

    bases: tuple[str, ...] = ("crab", "seven", "snail")
    copies: Annotated[int, Range("n_b", 1, 500, "how many copies of each drawing")] = 6
    size: Annotated[int, Range("w", 16, 256, "how many pixels wide and high", "px")] = 64
    fill: Annotated[float, FILL] = 0.54
    distortions: tuple[Distortion, ...] = (Distortion(),)
    seed: Annotated[int, SEED] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.bases, tuple) or not self.bases:
            raise EngineError(f"bases must be a tuple of names such as crab; got {self.bases!r}")
        for base in self.bases:
            check_base(base)
        if not isinstance(self.distortions, tuple):
            raise EngineError(f"distortions must be a tuple; got {self.distortions!r}")
        if len(self.distortions) > MOST_DISTORTIONS:
            raise EngineError(
                f"at most {MOST_DISTORTIONS} distortions follow one another; got "
                f"{len(self.distortions)}"
            )
        check_pixels(len(self.bases) * self.copies, self.size, self.size)


def generate(config: GeneratedConfig) -> ImageSet:
    """Copies of every base, each under its own pose; labels are the numbers of the bases."""
    generator = Generator(device="cpu").manual_seed(config.seed)
    titles, v = _start(config, generator)

    def draw(n: int) -> Poses:
        parts = [part.sample(n, v.shape[1], generator) for part in config.distortions]
        return torch.cat([v.new_zeros(n, 0), *parts], 1)

    transforms = tuple(TRANSFORMS[part.transform] for part in config.distortions)
    posed = pose_copies(v, transforms, draw)
    return ImageSet(
        images=posed.images,
        names=tuple(f"{t.lower()} {i + 1}" for t in titles for i in range(config.copies)),
        recipe=Recipe("generated", config),
        labels=torch.arange(len(titles), device="cpu").repeat_interleave(config.copies),
        classes=titles,
        poses=posed.poses,
        notes=posed.notes,
    )


def undistorted(config: GeneratedConfig) -> Images:
    """The images that `generate` starts from, in the same order."""
    return _start(config, Generator(device="cpu").manual_seed(config.seed))[1]


def _start(config: GeneratedConfig, generator: Generator) -> tuple[tuple[str, ...], Images]:
    """The titles of the bases and the images before any distortion, all with as many channels."""
    titles, stacks = [], []
    sources = load_sources(config.bases)
    canvas = Canvas(config.copies, config.size, config.fill)
    for base in config.bases:
        title, v = load_copies(base, sources, canvas, generator)
        titles.append(title)
        stacks.append(v)
    channels = max(v.shape[1] for v in stacks)
    return tuple(titles), torch.cat([v.expand(-1, channels, -1, -1) for v in stacks])
