"""Generated data: drawings, or images from one class of a labelled source, in random poses."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Generator, Tensor
from torch.nn import functional

from ia_engine.datasets.bases import (
    BASES,
    DIGIT_CLASSES,
    FASHION_CLASSES,
    FILL,
    load_base,
    load_digits,
    load_fashion,
)
from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.distortions import Distortion, check_pixels, pose_copies
from ia_engine.datasets.named import ALL, ANY, choose_split, is_here, read_split
from ia_engine.datasets.published import MNIST
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, Poses, resize
from ia_engine.params import Config, Range
from ia_engine.transforms import TRANSFORMS

SOURCES = ("digits", "mnist", "fashion", "mnist-all")
BEST = "best"
"""Stands for MNIST if its files are available, otherwise for scikit-learn's digits."""


@dataclass(frozen=True)
class CopyCanvas:
    """Number of copies of a drawing, their size in pixels, and the fraction of the canvas that the
    drawing fills."""

    copies: int
    size: int
    fill: float


@dataclass(frozen=True, eq=False)
class Source:
    """Labelled images whose ink lies within the inscribed circle of the canvas."""

    title: str
    labels: Labels
    classes: tuple[str, ...]
    read: Callable[[Tensor, int], Images]
    """A function that returns the images of the given rows, with values in [0, 1] and the given
    side [px]."""


def resolve(source: str) -> str:
    """Return the actual source, which for "best" depends on the available files."""
    if source != BEST:
        return source
    return "mnist" if is_here(MNIST) else "digits"


def load_source(name: str) -> Source:
    """Load a labelled source. Images are resized only when they are read."""
    if name == "digits":
        title = "scikit-learn's digits, enlarged from 8×8"
        return Source(title, load_digits(8)[1], DIGIT_CLASSES, lambda r, w: load_digits(w)[0][r])
    if name == "fashion":
        title = "the bundled garments of Fashion-MNIST"
        return Source(
            title, load_fashion(8)[1], FASHION_CLASSES, lambda r, w: load_fashion(w)[0][r]
        )
    if name in ("mnist", "mnist-all"):
        split = choose_split(MNIST, ALL if name == "mnist-all" else ANY)
        images, labels = read_split(MNIST, split)
        return Source(f"MNIST, {split}", labels, DIGIT_CLASSES, lambda r, w: _scale(images[r], w))
    raise EngineError(f"a source must be one of {', '.join(SOURCES)}; got {name!r}")


def load_sources(bases: tuple[str, ...]) -> dict[str, Source]:
    """Load every source that the bases name, each only once."""
    names = dict.fromkeys(base.split(":")[0] for base in bases if base not in BASES)
    return {name: load_source(name) for name in names}


def load_copies(
    base: str, sources: dict[str, Source], canvas: CopyCanvas, generator: Generator
) -> tuple[str, Images]:
    """Return the title of a base, and the images [copies c size size] before transformation."""
    copies, size, fill = canvas.copies, canvas.size, canvas.fill
    if base in BASES:
        return BASES[base].title, load_base(base, size, fill).expand(copies, -1, -1, -1)
    name, label, *index = base.split(":")
    source = sources[name]
    rows = (source.labels == int(label)).nonzero()[:, 0]
    if index:
        selected = torch.full((copies,), int(index[0]) % len(rows), device="cpu")
    else:
        order = torch.randperm(len(rows), generator=generator, device="cpu")
        selected = order[torch.arange(copies, device="cpu") % len(rows)]
    margin = min(round((1 - fill) * size / 2), (size - 8) // 2)
    v = source.read(rows[selected], size - 2 * margin)
    return source.classes[int(label)], functional.pad(v, (margin,) * 4)


def check_base(base: object) -> None:
    """Check that a base is a name in BASES, a class such as "digits:3" (a different 3 for each
    copy), or one of its images, such as "digits:3:5" (copies of one 3)."""
    if isinstance(base, str) and (base in BASES or _names_class(*base.split(":"))):
        return
    raise EngineError(
        f"a base must be one of {', '.join(list(BASES)[:4])} …, or source:class, such as "
        f"digits:3, with a source from {', '.join(SOURCES)}; got {base!r}"
    )


def _names_class(source: str, label: str = "", index: str = "0", *rest: str) -> bool:
    one_digit = len(label) == 1 and label in "0123456789"
    return source in SOURCES and one_digit and index.isdecimal() and len(index) < 6 and not rest


def _scale(pixels: Tensor, size: int) -> Images:
    v = pixels.float() / 255
    return v if size == v.shape[-1] else resize(v, size, size)


SEED = Range("seed", 0, 2**31 - 1, "seed of the random numbers: the same seed gives the same data")

MOST_DISTORTIONS = 8


@dataclass(frozen=True)
class GeneratedConfig(Config):
    """The drawings, the number of copies of each, and the distortions in the order of their
    application."""

    bases: tuple[str, ...] = ("crab", "seven", "snail")
    copies: Annotated[int, Range("n_b", 1, 500, "number of copies of each drawing")] = 6
    size: Annotated[int, Range("w", 16, 256, "width and height", "px")] = 64
    fill: Annotated[float, FILL] = 0.54
    distortions: tuple[Distortion, ...] = (Distortion(),)
    seed: Annotated[int, SEED] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.bases, tuple) or not self.bases:
            raise EngineError(f"bases must be a tuple of names such as 'crab'; got {self.bases!r}")
        for base in self.bases:
            check_base(base)
        if not isinstance(self.distortions, tuple):
            raise EngineError(f"distortions must be a tuple; got {self.distortions!r}")
        if len(self.distortions) > MOST_DISTORTIONS:
            raise EngineError(
                f"expected at most {MOST_DISTORTIONS} distortions; got {len(self.distortions)}"
            )
        check_pixels(len(self.bases) * self.copies, self.size, self.size)


def generate(config: GeneratedConfig) -> ImageSet:
    """Return copies of every base, each with its own pose; labels are the indices of the bases."""
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
    """Return the untransformed images, in the same order as `generate`."""
    return _start(config, Generator(device="cpu").manual_seed(config.seed))[1]


def _start(config: GeneratedConfig, generator: Generator) -> tuple[tuple[str, ...], Images]:
    """Return the titles of the bases and the undistorted images, all with the same number of
    channels."""
    titles, stacks = [], []
    sources = load_sources(config.bases)
    canvas = CopyCanvas(config.copies, config.size, config.fill)
    for base in config.bases:
        title, v = load_copies(base, sources, canvas, generator)
        titles.append(title)
        stacks.append(v)
    channels = max(v.shape[1] for v in stacks)
    return tuple(titles), torch.cat([v.expand(-1, channels, -1, -1) for v in stacks])
