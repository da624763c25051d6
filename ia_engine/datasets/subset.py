"""A named set, or a random sample of its images."""

from dataclasses import dataclass, replace
from typing import Annotated

import torch
from torch import Generator, Tensor

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.generated import SEED
from ia_engine.datasets.named import ALL, ANY, choose_split, read_split
from ia_engine.datasets.published import NAMED
from ia_engine.params import Choice, Config, Range


@dataclass(frozen=True)
class NamedConfig(Config):
    """The name of a set, its split, and the number of images to read."""

    set: Annotated[str, Choice("set", tuple(NAMED), "name of the published set")] = "mnist"
    split: Annotated[
        str,
        Choice(
            "split",
            (ANY, "train", "test", "sample", ALL),
            "split; any: the first available one; all: train and test",
        ),
    ] = ANY
    count: Annotated[int, Range("n", 0, 500_000, "number of images, drawn at random; 0: all")] = 0
    seed: Annotated[int, SEED] = 0


def load_named(config: NamedConfig) -> ImageSet:
    """Return the images with values in [0, 1]. The recipe in the result states which split was
    read."""
    named = NAMED[config.set]
    split = choose_split(named, config.split)
    images, labels = read_split(named, split)
    rows = choose_rows(len(images), config.count or len(images), config.seed)
    labels = labels[rows]
    return ImageSet(
        images=images[rows].float() / 255,
        names=name_images(labels, rows, named.classes, len(images)),
        recipe=Recipe(config.set, replace(config, split=split)),
        labels=labels,
        classes=named.classes,
        notes=(_note_split(named.title, split, len(images)), *note_choice(len(rows), len(images))),
    )


def _note_split(title: str, split: str, n: int) -> str:
    if split == "sample":
        return f"{title}: a sample of {n:,} images, not the whole set"
    return f"{title}, {split}: {n:,} images"


def choose_rows(n: int, count: int, seed: int) -> Tensor:
    """Draw `count` of n rows at random, or return all of them in order if `count` is 0."""
    if count >= n:
        return torch.arange(n, device="cpu")
    generator = Generator(device="cpu").manual_seed(seed)
    return torch.randperm(n, generator=generator, device="cpu")[:count]


def note_choice(count: int, n: int) -> tuple[str, ...]:
    return (f"{count:,} of {n:,} images, drawn at random",) if count < n else ()


def name_images(
    labels: Tensor, rows: Tensor, classes: tuple[str, ...], total: int
) -> tuple[str, ...]:
    """Name each image by its class and its number in the whole set, counted from 1.

    For a part of a set, the name includes the total, because the numbers in the whole set would
    differ.
    """
    of = f" of {total}" if len(rows) < total else ""
    pairs = zip(labels.tolist(), rows.tolist(), strict=True)
    return tuple(f"{classes[label]}, no. {row + 1}{of}" for label, row in pairs)
