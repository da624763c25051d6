"""The bundled images from which data sets are generated: drawings, icons, digits and garments.

Every image has values in [0, 1] on a background of 0, and stays inside the canvas when it is
rotated.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt
from typing import Final

import numpy as np
import sklearn.datasets
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps
from torch import Tensor
from torch.nn import functional

from ia_engine.errors import EngineError
from ia_engine.files import find_shipped
from ia_engine.images import Images, Labels
from ia_engine.params import Range

SIZE = Range("w", 8, 1024, "width and height of an image", "px")
FILL = Range("s", 0.1, 1, "diameter of the circle around the object, as a share of the image width")

CATALOGUE: Final = "bases.json"
TILES: Final = {"drawings": 128, "icons": 64}
"""Families of single images, with the side of a tile in the sheet of the family [px]."""

FLOOR: Final = 0.25
"""Minimum brightness of the ink of an icon, so that black icons are visible on black."""

DIGIT_CLASSES: Final = tuple("0123456789")
FASHION_CLASSES: Final = (
    "T-shirt",
    "Trousers",
    "Pullover",
    "Dress",
    "Coat",
    "Sandal",
    "Shirt",
    "Trainer",
    "Bag",
    "Ankle boot",
)


@dataclass(frozen=True)
class Base:
    """A single image that can be transformed: its name, title and family."""

    name: str
    title: str
    family: str


@dataclass(frozen=True)
class _Place:
    """Location of a base: the index of its tile, and the circle around the base within the tile
    [px]."""

    index: int
    x: float
    y: float
    radius: float


def _read_catalogue() -> dict[str, tuple[Base, _Place]]:
    """Return the content of bases.json. If the file cannot be read, the result is empty, and
    `load_base` raises the error."""
    try:
        families = json.loads(find_shipped(CATALOGUE).read_text("utf-8"))
    except EngineError:
        return {}
    return {
        entry["name"]: (
            Base(entry["name"], entry["title"], family),
            _Place(index, *entry["circle"]),
        )
        for family in TILES
        for index, entry in enumerate(families[family])
    }


_CATALOGUE: Final = _read_catalogue()
BASES: Final = {name: base for name, (base, _) in _CATALOGUE.items()}


def load_base(name: str, size: int, fill: float = 0.65) -> Tensor:
    """Return a base as an image [c h w] with sides of `size` px; the base fills a centred circle
    with a diameter of fill·size px."""
    find_shipped(CATALOGUE)
    if name not in BASES:
        some = ", ".join(list(BASES)[:6])
        raise EngineError(f"a base must be one of {len(BASES)} names, such as {some}; got {name!r}")
    SIZE.check("size", size)
    FILL.check("fill", fill)
    base, place = _CATALOGUE[name]
    reach = place.radius / fill
    margin = ceil(reach)
    x, y = place.x + margin, place.y + margin
    tile = ImageOps.expand(_read_tile(base.family, place.index), border=margin)
    box = (x - reach, y - reach, x + reach, y + reach)
    # Next to an edge, bicubic interpolation only undershoots, and uint8 clips, so the background
    # stays 0.
    drawn = np.array(tile.resize((size, size), Image.Resampling.BICUBIC, box=box))
    return torch.from_numpy(np.atleast_3d(drawn).astype(np.float32) / 255).permute(2, 0, 1)


def load_digits(size: int) -> tuple[Images, Labels]:
    """Return scikit-learn's 1,797 digits, smoothly enlarged from 8×8 pixels."""
    digits = sklearn.datasets.load_digits()
    return _place_samples(digits.images / 16, size), torch.from_numpy(digits.target).long()


def load_fashion(size: int) -> tuple[Images, Labels]:
    """Return twenty garments from each class of Fashion-MNIST's test set, resized from 28×28
    pixels."""
    with np.load(find_shipped("fashion.npz"), allow_pickle=False) as sample:
        images, labels = sample["images"] / 255, sample["labels"]
    return _place_samples(images, size), torch.from_numpy(labels).long()


def _place_samples(images: NDArray[np.float64], size: int) -> Images:
    """Return images [n h w], centred on a canvas √2 times as wide, which is resized to `size`."""
    SIZE.check("size", size)
    margin = ceil((sqrt(2) - 1) / 2 * images.shape[-1])
    v = functional.pad(torch.from_numpy(images).float()[:, None], (margin,) * 4)
    return functional.interpolate(v, (size, size), mode="bicubic", antialias=True).clamp(0, 1)


def _read_tile(family: str, index: int) -> Image.Image:
    side = TILES[family]
    sheet = _read_sheet(family)
    columns = sheet.shape[1] // side
    top, left = index // columns * side, index % columns * side
    return Image.fromarray(sheet[top : top + side, left : left + side])


@lru_cache
def _read_sheet(family: str) -> NDArray[np.uint8]:
    """Return the sheet of a family: grey [h w], or colours on black [h w 3]. It is read-only,
    because it is shared."""
    with Image.open(find_shipped(f"{family}.png")) as file:
        sheet = np.array(file)
    if sheet.ndim == 3:
        sheet = _paint_on_black(sheet)
    sheet.flags.writeable = False
    return sheet


def _paint_on_black(rgba: NDArray[np.uint8]) -> NDArray[np.uint8]:
    colours, alpha = rgba[..., :3] / 255, rgba[..., 3:] / 255
    return np.rint(255 * alpha * (FLOOR + (1 - FLOOR) * colours)).astype(np.uint8)
