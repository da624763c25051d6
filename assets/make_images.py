"""Make the bundled images: `python -m assets.make_images [--icons NPZ] [--fashion NPZ]`.

The drawings are always drawn anew. The icons and the garments are cut from the files named, each
an npz with `images` and `names` or `labels`; without them the bundled ones stay as they are.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from assets.circle import Circle, enclose_ink
from assets.drawings import DRAWINGS
from assets.icons import ICONS
from assets.pen import PAPER, Pen

HERE = Path(__file__).parent
CATALOGUE = HERE / "bases.json"
DRAWING, ICON = 128, 64
"""Sides of a tile of each sheet [px]."""
COLUMNS = 8
GARMENTS = 20
"""How many of each class of Fashion-MNIST."""
LETTERED = (1, 142)
"""Rows of Fashion-MNIST's test set left out: a maker's name is readable on them."""

Entry = dict[str, str | list[float]]


def main() -> None:
    """Make what can be made from the files given."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--icons", type=Path, help="npz with images [n 64 64 4] and names [n]")
    options.add_argument("--fashion", type=Path, help="npz with images [n 28 28] and labels [n]")
    given = options.parse_args()
    catalogue = json.loads(CATALOGUE.read_text("utf-8")) if CATALOGUE.exists() else {}
    catalogue["drawings"] = make_drawings()
    if given.icons:
        catalogue["icons"] = make_icons(given.icons)
    if given.fashion:
        make_fashion(given.fashion)
    CATALOGUE.write_text(json.dumps(catalogue, indent=1, ensure_ascii=False) + "\n", "utf-8")


def make_drawings() -> list[Entry]:
    """Draw every drawing, write the sheet, and return the catalogue's entries."""
    tiles = [draw(name) for name in DRAWINGS]
    _write_sheet(tiles, "drawings.png")
    circle = DRAWING / 2, DRAWING / 2, DRAWING / 2 - 1
    return [_entry(name, title, circle) for name, (title, _) in DRAWINGS.items()]


def draw(name: str) -> Image.Image:
    """One drawing, reduced so that its enclosing circle leaves a margin of a pixel in the tile."""
    pen = Pen()
    DRAWINGS[name][1](pen)
    x, y, radius = enclose_ink(np.asarray(pen.paper))
    reach = radius * DRAWING / (DRAWING - 2)
    x, y, paper = x + PAPER, y + PAPER, ImageOps.expand(pen.paper, border=PAPER)
    box = (x - reach, y - reach, x + reach, y + reach)
    return paper.resize((DRAWING, DRAWING), Image.Resampling.BOX, box=box)


def make_icons(source: Path) -> list[Entry]:
    """Cut the chosen icons, write the sheet, and return the catalogue's entries."""
    with np.load(source, allow_pickle=False) as data:
        rows = {name: row for row, name in enumerate(data["names"].tolist())}
        images = data["images"][[rows[name] for name in ICONS]]
    _write_sheet([Image.fromarray(image) for image in images], "icons.png")
    circles = (enclose_ink(image[..., 3]) for image in images)
    titles = zip(ICONS.values(), circles, strict=True)
    return [_entry(f"icon-{slug(title)}", title, circle) for title, circle in titles]


def make_fashion(source: Path) -> None:
    """Keep the first so many garments of every class, in their order."""
    with np.load(source, allow_pickle=False) as data:
        images, labels = data["images"], data["labels"]
    plain = ~np.isin(np.arange(len(labels)), LETTERED)
    firsts = [np.flatnonzero(plain & (labels == label))[:GARMENTS] for label in range(10)]
    rows = np.concatenate(firsts)
    np.savez_compressed(HERE / "fashion.npz", images=images[rows], labels=labels[rows])


def slug(title: str) -> str:
    """A title as a name: small letters and hyphens."""
    return title.lower().replace(" ", "-")


def _entry(name: str, title: str, circle: Circle) -> Entry:
    return {"name": name, "title": title, "circle": [round(number, 3) for number in circle]}


def _write_sheet(tiles: list[Image.Image], file: str) -> None:
    side = tiles[0].width
    size = (COLUMNS * side, -(-len(tiles) // COLUMNS) * side)
    sheet = Image.new(tiles[0].mode, size)
    for index, tile in enumerate(tiles):
        sheet.paste(tile, (index % COLUMNS * side, index // COLUMNS * side))
    sheet.save(HERE / file, optimize=True)


if __name__ == "__main__":
    main()
