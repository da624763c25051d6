"""Make the bundled images: `python -m assets.make_images [--icons NPZ] [--fashion NPZ]`.

The drawings are always drawn again. The icons and the garments come from the given files, each an
npz with `images` and `names` or `labels`. Without these files, the bundled images do not change.
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
"""Side of a tile of each sheet [px]."""
COLUMNS = 8
GARMENTS = 20
"""Number of garments of each class of Fashion-MNIST."""
LETTERED = (1, 142)
"""Omitted rows of Fashion-MNIST's test set, which show a readable brand name."""

Entry = dict[str, str | list[float]]


def main() -> None:
    """Make the images whose sources are given."""
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
    """Return a drawing, scaled so that its enclosing circle leaves a margin of one pixel."""
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
    """Write the first GARMENTS garments of every class, in their order."""
    with np.load(source, allow_pickle=False) as data:
        images, labels = data["images"], data["labels"]
    plain = ~np.isin(np.arange(len(labels)), LETTERED)
    firsts = [np.flatnonzero(plain & (labels == label))[:GARMENTS] for label in range(10)]
    rows = np.concatenate(firsts)
    np.savez_compressed(HERE / "fashion.npz", images=images[rows], labels=labels[rows])


def slug(title: str) -> str:
    """Return a title as a name, in lower case with hyphens."""
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
