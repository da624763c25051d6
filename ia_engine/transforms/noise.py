"""Noisy and missing pixels: Gaussian noise, salt-and-pepper noise, an erased rectangle."""

from collections.abc import Iterator

import torch
from torch import Tensor

from ia_engine.images import Images, Poses, check_axes, pixel_grid
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Transform

LEVEL = Range("σ_n", 0, 1, "standard deviation of the noise, including that of the background")
SEED = Range("seed", 0, 2**24 - 1, "seed of the random pattern, rounded down to an integer")
SHARE = Range("a", 0, 1, "share of the pixels that are set to 0 or 1, which are equally likely")
EXTENT = Range("e", 0, 256, "height, then width of the rectangle", "px")
CENTRE = Range(
    "c",
    -128,
    128,
    "centre of the rectangle, relative to that of the canvas: down, then right",
    "px",
)


class Noise(Transform):
    """v + level · ε(seed) with coordinates (level, seed), where ε has one standard normal number
    per value.

    The same coordinates give the same noise on every device. Like camera noise, it does not depend
    on the content of the image, so the background is noisy too. Values can leave [0, 1]; clamp them
    for display. The gradient with respect to the level is exact; with respect to the seed, it is 0.
    """

    name = "noise"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("level", LEVEL), Coordinates("seed", SEED))

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} 2", "tau")
        noise = torch.empty(v.shape, dtype=torch.float32, device="cpu")
        for image, generator in zip(noise, seeded_generators(tau[:, 1]), strict=True):
            image.normal_(generator=generator)
        return v + tau[:, 0, None, None, None] * noise.to(v)


class SaltAndPepper(Transform):
    """Sets a random share of the pixels to 0 or 1 in all channels, with coordinates (share, seed).

    With the same seed, a larger share changes all the pixels that a smaller share changes. The
    coordinates have no gradient; unchanged pixels have a gradient of 1.
    """

    name = "salt-and-pepper"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("share", SHARE, typical=0.2), Coordinates("seed", SEED))

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} 2", "tau")
        drawn = torch.empty(len(v), 2, *v.shape[2:], dtype=torch.float32, device="cpu")
        for image, generator in zip(drawn, seeded_generators(tau[:, 1]), strict=True):
            image.uniform_(generator=generator)
        place, value = drawn.to(v).split(1, 1)
        return torch.where(place < tau[:, 0, None, None, None].detach(), value.round(), v)


class Erasing(Transform):
    """Sets a rectangle with coordinates (height, width, row, column) to 0 (random erasing).

    A pixel that is partly covered keeps the uncovered fraction of its value, so that all
    coordinates have gradients.
    """

    name = "erasing"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (
            Coordinates("extent", EXTENT, count=2, typical=0.6),
            Coordinates("centre", CENTRE, count=2),
        )

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} 4", "tau")
        points = pixel_grid(v.shape[-2], v.shape[-1], v)
        reach, centre = tau[:, None, None, :2] / 2, tau[:, None, None, 2:]
        end = torch.minimum(points + 0.5, centre + reach)
        start = torch.maximum(points - 0.5, centre - reach)
        covered = (end - start).clamp(0, 1).prod(-1)
        return v * (1 - covered[:, None])


def seeded_generators(seeds: Tensor) -> Iterator[torch.Generator]:
    """Yield a random number generator for each seed [n], on the CPU, so that its numbers are the
    same for every device."""
    for seed in seeds.detach().long().tolist():
        yield torch.Generator(device="cpu").manual_seed(seed)
