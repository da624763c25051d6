"""Isotropic Gaussian blobs in the plane, as in Figure 2 of Invariant Attention."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import torch
from torch import Generator, Tensor

from ia_engine.datasets.generated import SEED
from ia_engine.datasets.imageset import Recipe, digest_bytes, digest_recipe, list_labels
from ia_engine.params import Config, Range
from ia_engine.shapes import Labels


@dataclass(frozen=True)
class BlobsConfig(Config):
    """Number of blobs and points, their spread, and their distance."""

    blobs: Annotated[int, Range("K", 1, 12, "how many blobs")] = 3
    points: Annotated[int, Range("n_b", 1, 500, "how many points in each blob")] = 40
    spread: Annotated[float, Range("s", 0.0, 3.0, "standard deviation of a blob")] = 0.25
    radius: Annotated[float, Range("r", 0.0, 10.0, "of the circle of the centres")] = 1.5
    seed: Annotated[int, SEED] = 0


@dataclass(frozen=True, eq=False)
class PointSet:
    """Points [n 2] in the plane and the blob that each was drawn from."""

    points: Tensor
    labels: Labels
    recipe: Recipe
    made: str = ""
    """As in `ImageSet`."""

    @cached_property
    def digest(self) -> str:
        """As in `ImageSet`."""
        if not self.made:
            return self.pixel_digest
        return digest_recipe(self.made, tuple(self.points.shape), list_labels(self.labels))

    @cached_property
    def pixel_digest(self) -> str:
        """SHA-256 over every point and label."""
        return digest_bytes(self.points, self.labels)


def make_blobs(config: BlobsConfig) -> PointSet:
    """Blobs whose centres are evenly spaced on a circle, starting at a random angle."""
    generator = Generator(device="cpu").manual_seed(config.seed)
    labels = torch.arange(config.blobs, device="cpu").repeat_interleave(config.points)
    start = torch.rand((), generator=generator, device="cpu")
    angle = 2 * math.pi * (start + labels / config.blobs)
    centres = config.radius * torch.stack([angle.cos(), angle.sin()], -1)
    noise = torch.randn(centres.shape, generator=generator, device="cpu", dtype=torch.float32)
    return PointSet(centres + config.spread * noise, labels, Recipe("blobs", config))
