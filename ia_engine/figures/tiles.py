"""What can be generated from, as small pictures: drawings, icons, and the classes of digits."""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator

from ia_engine.datasets.bases import BASES, DIGIT_CLASSES, FASHION_CLASSES
from ia_engine.datasets.generated import Canvas, load_copies, load_sources
from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import MNIST
from ia_engine.figures.mosaic import draw_mosaic

SIDE: Final = 56
COLUMNS: Final = 10
FILL: Final = 0.9
FAMILIES: Final = {
    "drawings": "Drawings",
    "icons": "Icons",
    "digits": "Digits (another one for every copy)",
    "fashion": "Garments (another one for every copy)",
    "mnist": "MNIST (another one for every copy)",
}
_CLASSES: Final = {"digits": DIGIT_CLASSES, "fashion": FASHION_CLASSES, "mnist": DIGIT_CLASSES}


@dataclass(frozen=True)
class Tile:
    """One thing to generate from: its name in a recipe, its title, and its family."""

    name: str
    title: str
    family: str


def list_tiles() -> tuple[Tile, ...]:
    """Everything that is here: MNIST only where its files are."""
    single = [Tile(name, base.title, base.family) for name, base in BASES.items()]
    sources = [name for name in _CLASSES if name != "mnist" or is_here(MNIST)]
    classes = [
        Tile(f"{source}:{i}", f"{title} ({source})", source)
        for source in sources
        for i, title in enumerate(_CLASSES[source])
    ]
    return (*single, *classes)


def draw_tiles(tiles: tuple[Tile, ...]) -> bytes:
    """All of them in one PNG, row by row, `COLUMNS` wide, `SIDE` px each, without gaps."""
    names = [tile.name if tile.name in BASES else f"{tile.name}:0" for tile in tiles]
    sources, canvas = load_sources(tuple(names)), Canvas(1, SIDE, FILL)
    generator = Generator(device="cpu").manual_seed(0)
    drawn = [load_copies(name, sources, canvas, generator)[1] for name in names]
    images = torch.cat([v.expand(-1, 3, -1, -1) for v in drawn])
    places = [divmod(i, COLUMNS) for i in range(len(tiles))]
    return draw_mosaic(images, places, COLUMNS, gap=0, width=COLUMNS * SIDE)
