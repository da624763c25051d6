"""Writes runs and data sets to a project."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.files import is_locked
from ia_engine.runs.folder import RECORD, SavedRun, encode_json, seal, set_owner
from ia_engine.runs.kinds.kind import to_given
from ia_engine.runs.project.manifest import (
    MANIFEST,
    MAX_BYTES,
    MAX_FILES,
    RUN,
    RUN_FILE,
    DataEntry,
    DataSet,
    FileEntry,
    Manifest,
    check_sets,
    to_entry,
    too_large,
)

LEVEL: Final = 1
"""Level of compression. Higher levels take longer and save little, because most values are
floats."""
OPEN_MODE: Final = 0o600 << 16
"""Mode of unpacked files, for programs that unpack a project."""


@dataclass(frozen=True)
class Written:
    """The IDs of the runs in a project, and the reason for each run that was left out."""

    runs: tuple[str, ...]
    left_out: Mapping[str, str]


def write_project(
    file: BinaryIO, runs: Sequence[SavedRun], data: Sequence[DataSet] = ()
) -> Written:
    """Write a project. Runs that are still running are left out, because they are incomplete.

    >>> with open("project.zip", "wb") as file:  # doctest: +SKIP
    ...     write_project(file, Library().runs())
    """
    files: dict[str, FileEntry] = {}
    sets, left_out, written = list[DataEntry](), dict[str, str](), list[str]()
    size = 0
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for kept in runs:
            try:
                contents = read_files(kept)
            except EngineError as error:
                left_out[kept.id] = str(error)
                continue
            size += sum(map(len, contents.values()))
            if size > MAX_BYTES:
                raise too_large("a project", size)
            if len(files) + len(contents) >= MAX_FILES - len(data):
                raise EngineError(
                    f"a project must contain fewer than {MAX_FILES:,} files; got more: save fewer "
                    "runs in one project"
                )
            for name, content in contents.items():
                files[f"runs/{kept.id}/{name}"] = _add(archive, f"runs/{kept.id}/{name}", content)
            written.append(kept.id)
        images = 0
        for one in data:
            entry, content = _encode_data(one, f"data/{len(sets) + 1}.safetensors")
            images += len(content)
            check_sets("a project", len(data), images)
            if entry.file:
                files[entry.file] = _add(archive, entry.file, content)
            sets.append(entry)
        _add(archive, MANIFEST, Manifest(files, tuple(sets)).to_json())
    return Written(tuple(written), left_out)


def read_files(kept: SavedRun) -> dict[str, bytes]:
    """Return the files of a run, with the owner removed from its record. Raises EngineError if the
    run cannot be saved in a project."""
    if is_locked(kept.folder / "lock"):
        raise EngineError("it is still running: save the project again when it has finished")
    if not RUN.fullmatch(kept.id):
        raise EngineError("its folder was renamed: restore the old name")
    try:
        paths = [path for path in sorted(kept.folder.iterdir()) if RUN_FILE.fullmatch(path.name)]
        contents = {path.name: path.read_bytes() for path in paths}
    except OSError as cause:
        raise EngineError(
            f"its files could not be read ({cause.strerror}): save the project again"
        ) from cause
    contents[RECORD] = encode_json(set_owner(contents[RECORD], ""))
    return contents


def _encode_data(one: DataSet, file: str) -> tuple[DataEntry, bytes]:
    arrays = _to_arrays(one.data)
    if one.data is None or not arrays:
        return DataEntry(one.recipe), b""
    content = seal(save({name: np.asarray(x, order="C") for name, x in arrays.items()}))
    return DataEntry(one.recipe, file, one.data.pixel_digest), content


def _to_arrays(data: Data | None) -> Mapping[str, NDArray[Any]]:
    return {} if data is None else to_given(data)


def _add(archive: ZipFile, name: str, content: bytes) -> FileEntry:
    """Add a file with a fixed date, so that equal projects have equal bytes."""
    info = ZipInfo(name)
    info.compress_type, info.external_attr = ZIP_DEFLATED, OPEN_MODE
    archive.writestr(info, content, compresslevel=LEVEL)
    return to_entry(content)
