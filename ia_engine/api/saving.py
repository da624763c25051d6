"""Writes the folder of a result: pictures, a table and arrays, which replace an earlier result.

All files are written to a draft first, so that a result that cannot be written leaves no traces.
"""

import re
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final

from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.figures.formats import read_column, write_csv
from ia_engine.files import write_whole

ARRAYS: Final = ".npz"
PAGE: Final = ".html"
OTHER_FILES: Final = (
    *(".csv", ".gif", ".htm", ".jpeg", ".jpg", ".json", ".npy", ".pdf", ".pkl", ".png", ".svg"),
    *(".tif", ".tiff", ".txt", ".xlsx", ".zip"),
)
"""Endings that suggest that a file is expected, not a folder."""
LONGEST_STEM: Final = 60
TABLE: Final = "images.csv"
PACKED: Final = "arrays.npz"
OWN_FILE: Final = re.compile(r"\d{4,}-[\w-]*\.png")
"""The names of the pictures that `save_folder` writes."""


def find_kind(target: Path, with_originals: bool) -> str:
    """Return ARRAYS, PAGE or "" for a folder. Raises EngineError if no result has this form."""
    kind = target.suffix.lower()
    if kind in (ARRAYS, PAGE):
        if with_originals:
            raise EngineError(
                f"originals are saved in a folder; got {target.name}: choose a path without {kind}"
            )
        return kind
    if kind in OTHER_FILES and not target.is_dir():
        raise EngineError(
            f"a result is saved as {ARRAYS}, as {PAGE} or in a folder; got {target.name}: change "
            "the ending"
        )
    return ""


def save_folder(
    folder: Path, names: Sequence[str], pictures: Iterable[bytes], columns: Mapping[str, Any],
    arrays: bytes,
) -> None:  # fmt: skip
    """Write a PNG for each image, a table with a row for each, and the arrays.

    The pictures of an earlier result in the folder are removed; other files are kept.
    """
    stems = (re.sub(r"[^\w-]+", "_", Path(name).stem) for name in names)
    files = [f"{at:04d}-{stem[:LONGEST_STEM]}.png" for at, stem in enumerate(stems, 1)]
    table = {"image": names, "file": files, **columns}
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    token = secrets.token_hex(4)
    exists = folder.is_dir()
    draft = folder / f".{token}" if exists else folder.with_name(f".{folder.name}.{token}")
    draft.mkdir()
    try:
        for file, png in zip(files, pictures, strict=True):
            write_whole(draft / file, png)
        write_whole(draft / TABLE, write_csv(rows))
        write_whole(draft / PACKED, arrays)
        if not exists:
            draft.rename(folder)
            return
        stale = _list_pictures(folder) - set(files)
        for file in (*files, TABLE, PACKED):
            (draft / file).replace(folder / file)
        for file in stale:
            (folder / file).unlink(missing_ok=True)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def check_folder(folder: Path, data: ImageSet, originals: str | PathLike[str] | None) -> None:
    """Raise EngineError if the folder has the pictures that were read."""
    read = bool(data.placements) and any((folder / name).is_file() for name in data.names)
    if read or (originals is not None and folder.resolve() == Path(originals).resolve()):
        raise EngineError(
            f"{folder} has the pictures that were read: save the result in another folder"
        )


def _list_pictures(folder: Path) -> set[str]:
    """Return the pictures that the table of an earlier result lists."""
    try:
        text = (folder / TABLE).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return set()
    return {name for name in read_column(text, "file") if OWN_FILE.fullmatch(name)}
