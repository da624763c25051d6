"""A question of the quiz with its pictures, and posed drawings from which questions are made."""

import io
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image
from torch import Tensor

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.bases import BASES, load_base
from ia_engine.images import Images, Matrix
from ia_engine.transforms import GROUPS

SIZE: Final = 32
"""Width and height of the images [px]."""
FILL: Final = 0.72
SHIFT: Final = 2.5
"""Maximum translation in each direction [px]."""
SHOWN: Final = 120
"""Height of a picture on the screen [px]."""
SAME: Final = 0.08
"""A squared distance below this means: equal up to the group and to interpolation errors."""
APART: Final = 0.2
"""A squared distance above this means: clearly different."""
NAMES: Final = "ABCDEF"


@dataclass(frozen=True)
class QuizPicture:
    """A picture as PNG, its name below it and its description for screen readers."""

    png: bytes
    name: str
    about: str


@dataclass(frozen=True)
class QuizChoice:
    """An answer to choose, and its explanation."""

    text: str
    explanation: str
    right: bool


@dataclass(frozen=True)
class QuizQuestion:
    """A question with its pictures and two to four choices, of which one is right."""

    kind: str
    text: str
    pictures: tuple[QuizPicture, ...]
    choices: tuple[QuizChoice, ...]


class Unclear(Exception):
    """The pictures have no clear answer, so others must be drawn."""


def draw_names(rng: random.Random, count: int) -> list[str]:
    """Return the names of different drawings in random order."""
    names = [name for name, base in BASES.items() if base.family == "drawings"]
    if not names:
        load_base("crab", SIZE)  # raises an error that names the missing file
    return rng.sample(names, count)


def pose(rng: random.Random, name: str, *, mirrored: bool = False, degrees: float = 180) -> Images:
    """Return a drawing [1 1 SIZE SIZE], rotated by up to `degrees` and translated at random."""
    v = load_base(name, SIZE, FILL).mean(0, keepdim=True)[None]
    theta = math.radians(rng.uniform(-degrees, degrees))
    tau = v.new_tensor([[theta, rng.uniform(-SHIFT, SHIFT), rng.uniform(-SHIFT, SHIFT)]])
    return GROUPS["se2"].act(v.flip(-1) if mirrored else v, tau).clamp(0, 1)


def measure(images: Images, group: str = "se2") -> Matrix:
    """Return the squared distances of all pairs up to a group, for images of norm 1."""
    return GlobalSearch(GROUPS[group]).align(normalise(images)).d2


def measure_pixels(images: Images) -> Matrix:
    """Return the squared distances of unaligned images of norm 1."""
    flat = normalise(images).flatten(1)
    return (flat[:, None] - flat).square().sum(-1)


def list_pictures(images: Images) -> tuple[QuizPicture, ...]:
    """Return a picture for each image [n 1 h w], with the names A, B, C and so on."""
    white = images.amax((1, 2, 3), keepdim=True).clamp_min(1e-6)
    return tuple(
        QuizPicture(write_png(v[0]), name, f"Picture {name}")
        for v, name in zip(images / white, NAMES, strict=False)
    )


def write_png(values: Tensor, *, smooth: bool = True) -> bytes:
    """Return a PNG of values [h w] in [0, 1], enlarged to a height of SHOWN px."""
    pixels = Image.fromarray((255 * values.clamp(0, 1)).round().byte().cpu().numpy())
    size = (round(SHOWN * pixels.width / pixels.height), SHOWN)
    kind = Image.Resampling.BICUBIC if smooth else Image.Resampling.NEAREST
    file = io.BytesIO()
    pixels.resize(size, kind).save(file, "PNG")
    return file.getvalue()


def arrange(choices: Sequence[QuizChoice]) -> tuple[QuizChoice, ...]:
    """Return the choices; exactly one must be right.

    They stay in their natural order, such as A, B, C, because the pictures are shuffled.
    """
    if sum(choice.right for choice in choices) != 1:
        raise Unclear
    return tuple(choices)
