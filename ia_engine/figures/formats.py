"""What files of every kind of run have in common: arrays, a table, a film, a script."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Cell = str | int | float | None

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet may evaluate a text that begins with one of these characters."""
PAUSE: Final = 900
"""Milliseconds that a page of a film is seen."""
LONG: Final = 6000
"""A film of many pages takes about so many milliseconds."""
SHORTEST: Final = 40
LAST: Final = 1500
"""The last page stays so long at least."""
HEAD: Final = '''"""{title}

In the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

'''
BROUGHT: Final = """# These images were brought: read the same files with
# ia_engine.datasets.uploads, and put them in the place of make(load_recipe(RECIPE)).
"""


def write_npz(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Compressed, and without pickles."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def write_csv(rows: Sequence[Mapping[str, Cell]]) -> bytes:
    """A line for every row, all with the columns of the first; unknown values stay empty.

    >>> write_csv([{"name": "=1+1", "n": -2}]).decode("utf-8-sig").split()
    ['name,n', "'=1+1,-2"]
    """
    head = list(rows[0]) if rows else []
    return write_table(head, ([row.get(name) for name in head] for row in rows))


def write_table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The only CSV writer: no spreadsheet runs a name in the file as a formula.

    >>> write_table(["image"], [["@SUM(A1)"]]).decode("utf-8-sig").split()
    ['image', "'@SUM(A1)"]
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    for row in (head, *rows):
        writer.writerow([_quote_formula(cell) for cell in row])
    return file.getvalue().encode("utf-8-sig")


def _quote_formula(cell: Cell) -> Cell:
    """A text that begins like a formula gets a leading quote, so that it is read as text."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def write_gif(pages: Sequence[bytes]) -> bytes:
    """Pages, each a PNG of the same size, as a film that begins again."""
    file = io.BytesIO()
    first, *rest = map(_flatten, pages)
    pause = max(SHORTEST, min(PAUSE, LONG // len(pages)))
    durations = [pause] * len(rest) + [max(pause, LAST)]
    first.save(file, "GIF", save_all=True, append_images=rest, duration=durations, loop=0)
    return file.getvalue()


def write_script(title: str, body: str, *, brought: bool = False) -> bytes:
    """A script with its title, and a word on images that no recipe makes."""
    quiet = title.replace("\\", "/").replace('"', "'")
    return ((BROUGHT if brought else "") + HEAD.format(title=quiet) + body).encode()


def _flatten(png: bytes) -> Image.Image:
    """On white, since a GIF knows no half transparency."""
    with Image.open(io.BytesIO(png)) as picture:
        layer = picture.convert("RGBA")
    page = Image.new("RGBA", layer.size, "white")
    page.alpha_composite(layer)
    return page.convert("P", palette=Image.Palette.ADAPTIVE)
