"""Disks of two sizes at random places."""

from dataclasses import dataclass
from typing import Annotated

import torch

from ia_engine.datasets.data import RANDOM_NUMBERS, Dataset, ImageSet, Recipe
from ia_engine.datasets.generated import SEED
from ia_engine.images import pixel_grid
from ia_engine.params import Config, Range

CLASSES = ("small", "large")


@dataclass(frozen=True)
class DisksConfig(Config):
    """The number of disks of each size."""

    copies: Annotated[int, Range("n", 2, 200, "number of disks of each size")] = 8
    seed: Annotated[int, SEED] = 0


def make_disks(config: DisksConfig) -> ImageSet:
    """Draw the disks on a canvas of 32×32 pixels."""
    generator = torch.Generator(device="cpu").manual_seed(config.seed)
    labels = torch.arange(2, device="cpu").repeat_interleave(config.copies)
    places = 12 * torch.rand(len(labels), 1, 1, 2, generator=generator, device="cpu") - 6
    distance = (pixel_grid(32, 32, places) - places).norm(dim=-1)
    radius = (4 + 4 * labels)[:, None, None]
    return ImageSet(
        images=(radius + 0.5 - distance).clamp(0, 1)[:, None],
        names=tuple(f"{CLASSES[label]} disk {i + 1}" for i, label in enumerate(labels.tolist())),
        recipe=Recipe("disks", config),
        labels=labels,
        classes=CLASSES,
    )


DISKS = Dataset(DisksConfig(), make_disks, "disks of two sizes at random places", RANDOM_NUMBERS)
