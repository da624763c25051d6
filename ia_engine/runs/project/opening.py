"""Opens a project: adds its runs to the runs folder, and reads its data sets.

No file of a project is trusted: everything is unpacked beside the runs and checked first, and a
project that is refused leaves nothing behind.
"""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import load_recipe
from ia_engine.datasets.uploads.archive import open_archive
from ia_engine.datasets.uploads.limits import FREE_BYTES, MOST_RATIO, show_name
from ia_engine.errors import EngineError
from ia_engine.files import OWN
from ia_engine.runs.folder import (
    PARTS,
    RECORD,
    Note,
    SavedRun,
    read_arrays,
    read_run,
    set_owner,
    write_json,
)
from ia_engine.runs.kinds.kind import UPLOAD, read_upload
from ia_engine.runs.library import PRIVATE, TIME, Library
from ia_engine.runs.project.manifest import (
    MANIFEST,
    MAX_FILES,
    MAX_JSON,
    DataEntry,
    DataSet,
    FileEntry,
    Manifest,
    digest_run,
    not_a_project,
    read_manifest,
    refusing,
    to_entry,
    unexpected_file,
)
from ia_engine.runs.project.writing import read_files

ZIP: Final = b"PK\x03\x04"
PIECE: Final = 1 << 20
HEX: Final = frozenset("0123456789abcdef")
RESERVE: Final = 1 << 28
"""Space that a project must leave free on the disk [bytes], for runs that are computing."""
NAME_BYTES: Final = 8
"""Number of random bytes in a new name, as in the names of new runs."""


@dataclass(frozen=True)
class Opened:
    """The result of opening a project."""

    added: tuple[SavedRun, ...]
    known: tuple[SavedRun, ...]
    """Runs that existed already, and were kept."""
    data: tuple[DataSet, ...]


def open_project(name: str, source: bytes | Path, library: Library, owner: str = "") -> Opened:
    """Add the runs of a project to the runs folder. They belong to `owner` ("": everyone).

    `name` is the name of the file in messages. If the owner can already
    see a run with the same files, that run is kept; it gets the name and the note of the project
    only if it has none.

    >>> open_project("project.zip", Path("project.zip"), Library()).added  # doctest: +SKIP
    (SavedRun(id='20261120-101500-000000-1f2e3d4c5b6a7988', ...),)
    """
    with _open(name, source) as archive:
        manifest = _read_manifest(name, archive)
        _check_ratio(name, manifest, archive)
        draft = f".{datetime.now(UTC).strftime(TIME)}-"  # stale drafts with such names are removed
        with _storing(name):
            library.check_writable()
            _check_space(name, manifest, library)
            with TemporaryDirectory(prefix=draft, dir=library.folder) as folder:
                for path in ("data", *(f"runs/{run}" for run in manifest.runs())):
                    Path(folder, path).mkdir(PRIVATE, parents=True)
                for path, entry in manifest.files.items():
                    _extract(name, archive, path, entry, Path(folder, path))
                runs = [_prepare(Path(folder, "runs", run), owner) for run in manifest.runs()]
                data = tuple(_read_data(name, Path(folder), entry) for entry in manifest.data)
                return _add_runs(runs, manifest, library, owner, data)


@contextmanager
def _storing(name: str) -> Iterator[None]:
    """Convert a system error, such as a full disk, to one sentence without a path."""
    try:
        yield
    except OSError as cause:
        raise EngineError(
            f"{name} could not be opened ({cause.strerror}): make the runs folder writable or free "
            "space on its disk, and try again"
        ) from cause


def _open(name: str, source: bytes | Path) -> ZipFile:
    with refusing(name):
        if isinstance(source, Path):
            with source.open("rb") as file:
                head = file.read(len(ZIP))
        else:
            head = source[: len(ZIP)]
        if head != ZIP:
            raise not_a_project(name, "a file of another kind" if head else "an empty file")
        return open_archive(name, source, MAX_FILES)


def _read_manifest(name: str, archive: ZipFile) -> Manifest:
    """Read the manifest, and check that the zip contains exactly the files that it lists."""
    with refusing(name):
        names = archive.namelist()
        if MANIFEST not in names:
            raise not_a_project(name, "a zip without project.json")
        info = _find(archive, MANIFEST)
        if info.file_size > MAX_JSON:
            raise not_a_project(name, "a zip with a project.json that is too large")
        with archive.open(info) as file:
            manifest = read_manifest(name, file.read(MAX_JSON))
        known = {*manifest.files, MANIFEST}
        for other in names:
            if other not in known:
                raise unexpected_file(name, other)
        if len(names) != len(known):
            raise ValueError("a file is missing or duplicated")
    return manifest


def _find(archive: ZipFile, path: str) -> ZipInfo:
    """Return the entry of a file. Other methods of compression, which `project save` never uses,
    can raise any error."""
    info = archive.getinfo(path)
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise ValueError(path)
    return info


def _check_ratio(name: str, manifest: Manifest, archive: ZipFile) -> None:
    """Refuse a small file that would fill the disk. Single files may have a high ratio, for example
    the frames of a run whose images have become equal."""
    packed = sum(info.compress_size for info in archive.infolist())
    if manifest.size > FREE_BYTES + MOST_RATIO * packed:
        raise EngineError(
            f"{name} must unpack to at most {MOST_RATIO} times its size of {packed >> 10:,} KB, "
            f"and {FREE_BYTES >> 20} MB; got {manifest.size >> 20:,} MB, as in a zip bomb: open "
            "only projects that this program has saved"
        )


def _check_space(name: str, manifest: Manifest, library: Library) -> None:
    free = shutil.disk_usage(library.folder).free
    if manifest.size + RESERVE > free:
        raise EngineError(
            f"{name} needs {manifest.size >> 20:,} MB, and {RESERVE >> 20} MB must stay free, but "
            f"the disk of the runs folder has only {free >> 20:,} MB left: free space on it and "
            "open the project again"
        )


def _extract(name: str, archive: ZipFile, path: str, entry: FileEntry, target: Path) -> None:
    """Unpack a file whose size and checksum the manifest states."""
    with refusing(name):
        info = _find(archive, path)
        if info.file_size != entry.size:
            raise ValueError(path)
        found, left = hashlib.sha256(), entry.size
        with (
            archive.open(info) as packed,
            _storing(name),
            open(target, "xb", opener=_open_own) as file,
        ):
            while piece := packed.read(min(PIECE, left + 1)):
                left -= len(piece)
                if left < 0:
                    break
                found.update(piece)
                file.write(piece)
        if left or found.hexdigest() != entry.sha256:
            raise ValueError(path)


def _open_own(path: str, flags: int) -> int:
    return os.open(path, flags, OWN)


def _prepare(folder: Path, owner: str) -> SavedRun:
    """Give an unpacked run to its new owner, and read it."""
    read_run(folder)
    write_json(folder / RECORD, set_owner((folder / RECORD).read_bytes(), owner))
    return read_run(folder)


def _read_data(name: str, folder: Path, entry: DataEntry) -> DataSet:
    if not entry.file:
        _check_recipe(name, entry.recipe)
        return DataSet(entry.recipe)
    with refusing(name):
        try:
            data = read_upload(entry.recipe, read_arrays(folder / entry.file))
            uploaded = json.loads(entry.recipe)["source"] == UPLOAD
            same = data.pixel_digest == entry.digest
            if not (uploaded and same and _has_sound_labels(data)):
                raise ValueError(entry.file)
        except EngineError as cause:
            raise ValueError(entry.file) from cause
        return DataSet(entry.recipe, data)


def _check_recipe(name: str, recipe: str) -> None:
    with refusing(name):
        try:
            load_recipe(recipe)
        except EngineError as cause:
            raise EngineError(
                f"{name} must contain recipes of data sets that this program knows; got "
                f"{show_name(recipe)!r}: update the program, or save the project again without "
                "this data set"
            ) from cause


def _has_sound_labels(data: ImageSet) -> bool:
    labels = data.labels
    if labels is None or not len(labels):
        return True
    whole = labels.ndim == 1 and not (labels.is_floating_point() or labels.is_complex())
    return whole and int(labels.min()) >= 0 and int(labels.max()) < len(data.classes)


def _add_runs(
    runs: Sequence[SavedRun],
    manifest: Manifest,
    library: Library,
    owner: str,
    data: tuple[DataSet, ...],
) -> Opened:
    """Move the unpacked runs that do not exist yet to the runs folder."""
    local = [
        kept for kept in library.runs() if not (owner and kept.owner) or kept.belongs_to(owner)
    ]
    taken, files = set(library.names()), manifest.runs()
    added, known = list[SavedRun](), list[SavedRun]()
    for run in runs:
        same = _find_same(run, digest_run(files[run.id]), local)
        if same is not None:
            if same.note == Note() != run.note:
                library.write_note(same.id, run.note)
            known.append(same)
            continue
        time, name = _split(run.id)
        if name in taken or not HEX.issuperset(name):  # the names of examples are not hexadecimal
            name = secrets.token_hex(NAME_BYTES)
        taken.add(name)
        run.folder.rename(library.folder / f"{time}-{name}")
        added.append(library.open(f"{time}-{name}"))
    return Opened(tuple(added), tuple(known), data)


def _split(run: str) -> tuple[str, str]:
    """Return the time and the name in an ID."""
    *time, name = run.split("-", PARTS - 1)
    return "-".join(time), name


def _find_same(run: SavedRun, digest: str, local: Sequence[SavedRun]) -> SavedRun | None:
    """Return the local run with the same files, if there is one."""
    for kept in local:
        if (kept.kind, kept.record, kept.steps) == (run.kind, run.record, run.steps):
            try:
                found: Mapping[str, bytes] = read_files(kept)
            except EngineError:  # it is still running, so it will have more steps
                continue
            if digest_run({name: to_entry(x) for name, x in found.items()}) == digest:
                return kept
    return None
