"""A drawing, called the template, and images of pure noise: dots at random places."""

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Generator
from torch.nn import functional

from ia_engine.datasets.bases import load_base
from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.generated import SEED
from ia_engine.images import Images, pixel_grid
from ia_engine.params import Choice, Config, Range

SIZE = 48
"""Width and height of the images [px]."""
REACH = 0.33
"""Radius of the disc that contains the dots, and of the template, as a share of SIZE."""
DOT = ((0.25, 0.5, 0.25), (0.5, 1.0, 0.5), (0.25, 0.5, 0.25))


@dataclass(frozen=True)
class NoiseConfig(Config):
    """The template, the number of noise images, and the number of dots in each of them."""

    template: Annotated[
        str, Choice("template", ("crab", "seven", "snail"), "drawing beside the noise")
    ] = "seven"
    count: Annotated[int, Range("n", 2, 200, "number of images of pure noise")] = 39
    dots: Annotated[int, Range("dots", 1, 200, "number of dots in an image of noise")] = 30
    seed: Annotated[int, SEED] = 0


def make_noise(config: NoiseConfig) -> ImageSet:
    """Return the template and the images of noise, which do not depend on the template."""
    template = load_base(config.template, SIZE, 2 * REACH)[None]
    noise = draw_noise(config.count, config.dots, config.seed)
    return ImageSet(
        images=torch.cat([template, noise.expand(-1, template.shape[1], -1, -1)]),
        names=(config.template, *(f"noise {i + 1}" for i in range(config.count))),
        recipe=Recipe("noise", config),
        notes=(f"image 1 is the template; the other {config.count:,} are random dots",),
    )


def draw_noise(count: int, dots: int, seed: int) -> Images:
    """Return images [count 1 SIZE SIZE] with dots at random places of a disc."""
    generator = Generator(device="cpu").manual_seed(seed)
    grid = pixel_grid(SIZE, SIZE, torch.zeros((), device="cpu"))
    inside = (grid.norm(dim=-1).flatten() <= REACH * SIZE).nonzero()[:, 0]
    images = torch.zeros(count, SIZE * SIZE, device="cpu")
    for image in images:
        order = torch.randperm(len(inside), generator=generator, device="cpu")
        image[inside[order[:dots]]] = 1
    kernel = torch.tensor(DOT, device="cpu")[None, None]
    return functional.conv2d(images.view(-1, 1, SIZE, SIZE), kernel, padding=1).clamp(0, 1)
