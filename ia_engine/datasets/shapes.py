"""Arrows that point left or right, and ellipses of three shapes, at random places."""

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import torch
from torch import Generator, Tensor

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.generated import SEED
from ia_engine.images import Images, pixel_grid
from ia_engine.params import Config, Range

SIZE = 48
"""Width and height of the images [px]."""
SHIFT = 4.0
"""Maximum translation in each direction [px]."""
TILT = math.radians(15)
"""Maximum rotation of an arrow."""
RATIOS = (1.0, 1.6, 2.6)
"""Long axis divided by the short axis, for each class of ellipses."""
SHAPES = "Circle", "Ellipse", "Long ellipse"
COPIES = Range("n_b", 2, 100, "number of images of each class")


@dataclass(frozen=True)
class ArrowsConfig(Config):
    """The number of arrows in each direction."""

    max_rotation: ClassVar[float] = math.pi

    copies: Annotated[int, COPIES] = 6
    seed: Annotated[int, SEED] = 0


@dataclass(frozen=True)
class EllipsesConfig(Config):
    """The number of ellipses of each shape."""

    max_rotation: ClassVar[float] = math.pi

    copies: Annotated[int, COPIES] = 5
    seed: Annotated[int, SEED] = 0


def make_arrows(config: ArrowsConfig) -> ImageSet:
    """Return arrows of different lengths and widths, tilted by up to 15°."""
    n = 2 * config.copies
    drawn = _draw_even(n, 6, config.seed)
    angle = TILT * (2 * drawn[:, 0] - 1) + math.pi * (torch.arange(n, device="cpu") < config.copies)
    images = draw_arrows(
        angle, _spread(drawn[:, 1:3]), 10 + 4 * drawn[:, 3], 7 + 3 * drawn[:, 4], 1.2 + drawn[:, 5]
    )
    return _label(images, ("Arrow to the left", "Arrow to the right"), Recipe("arrows", config))


def make_ellipses(config: EllipsesConfig) -> ImageSet:
    """Return filled ellipses of different areas, at any angle."""
    drawn = _draw_even(len(RATIOS) * config.copies, 4, config.seed)
    ratio = torch.tensor(RATIOS, device="cpu").repeat_interleave(config.copies)
    images = draw_ellipses(
        math.pi * drawn[:, 0], _spread(drawn[:, 1:3]), 7.5 + 1.5 * drawn[:, 3], ratio
    )
    return _label(images, SHAPES, Recipe("ellipses", config))


def draw_arrows(angle: Tensor, centre: Tensor, half: Tensor, head: Tensor, width: Tensor) -> Images:
    """Draw arrows [n 1 SIZE SIZE] that point to the right at angle 0 [rad, anticlockwise].

    centre [n 2] is in pixels, down and right; half is half the length, head the length of the two
    strokes of the head, and width half the width of a stroke [n, px].
    """
    p, q = _local(angle, centre)
    tip = half[:, None, None]
    slant = 0.75 * head[:, None, None]
    distance = _to_segment(p, q, (0 * tip, -tip), (0 * tip, tip))
    for side in (-slant, slant):
        distance = torch.minimum(distance, _to_segment(p, q, (0 * tip, tip), (side, tip - slant)))
    return (0.5 + width[:, None, None] - distance).clamp(0, 1)[:, None]


def draw_ellipses(angle: Tensor, centre: Tensor, radius: Tensor, ratio: Tensor) -> Images:
    """Draw filled ellipses [n 1 SIZE SIZE] with the area of a circle with this radius [px]."""
    p, q = _local(angle, centre)
    long = (radius * ratio.sqrt())[:, None, None]
    short = (radius / ratio.sqrt())[:, None, None]
    level = torch.hypot(p / short, q / long)
    slope = torch.hypot(p / short**2, q / long**2).clamp_min(1e-6) / level.clamp_min(1e-6)
    return (0.5 + (1 - level) / slope).clamp(0, 1)[:, None]


def _local(angle: Tensor, centre: Tensor) -> tuple[Tensor, Tensor]:
    """Return the coordinates (down, right) of all pixels in the rotated frame of each shape."""
    grid = pixel_grid(SIZE, SIZE, angle) - centre[:, None, None]
    down, right = grid.unbind(-1)
    cos, sin = angle.cos()[:, None, None], angle.sin()[:, None, None]
    return cos * down + sin * right, cos * right - sin * down


def _to_segment(
    p: Tensor, q: Tensor, start: tuple[Tensor, Tensor], end: tuple[Tensor, Tensor]
) -> Tensor:
    """Return the distance of the points (p, q) to a segment."""
    along_p, along_q = end[0] - start[0], end[1] - start[1]
    share = (p - start[0]) * along_p + (q - start[1]) * along_q
    share = (share / (along_p**2 + along_q**2)).clamp(0, 1)
    return torch.hypot(p - start[0] - share * along_p, q - start[1] - share * along_q)


def _draw_even(n: int, columns: int, seed: int) -> Tensor:
    generator = Generator(device="cpu").manual_seed(seed)
    return torch.rand(n, columns, generator=generator, device="cpu", dtype=torch.float32)


def _spread(even: Tensor) -> Tensor:
    return SHIFT * (2 * even - 1)


def _label(images: Images, classes: tuple[str, ...], recipe: Recipe) -> ImageSet:
    """Return the images, which have equally many copies of each class, with names and labels."""
    copies = len(images) // len(classes)
    return ImageSet(
        images=images,
        names=tuple(f"{name.lower()} {i + 1}" for name in classes for i in range(copies)),
        recipe=recipe,
        labels=torch.arange(len(classes), device="cpu").repeat_interleave(copies),
        classes=classes,
    )
