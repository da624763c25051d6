"""Uploaded files, and the files in a zip.

A zip is read member by member in memory. No header is trusted, and nothing is written to disk.
"""

import io
import re
import stat
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from pathlib import Path, PurePosixPath
from typing import Protocol

from ia_engine.datasets.uploads.limits import (
    HEAD,
    MOST_BYTES,
    MOST_MEMBERS,
    MOST_RATIO,
    Budget,
    check_depth,
    recognise,
    show_name,
)
from ia_engine.errors import EngineError

_ENTRY = b"PK\x01\x02"
_LOCAL_HEADER = 30
_PIECE = 1 << 20
_ENCRYPTED = 1
SYSTEM_FILES = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


class File(Protocol):
    """Interface of readable files: bytes in memory, or a file that is opened only when it is
    read."""

    @property
    def name(self) -> str:
        """The name of the file, which may contain folders."""

    @property
    def size(self) -> int:
        """Size in bytes."""

    @property
    def head(self) -> bytes:
        """The first bytes of the file, used to recognise its kind."""

    @property
    def content(self) -> bytes:
        """All bytes of the file."""


@dataclass(frozen=True)
class Upload:
    """An uploaded file: its name, which may contain folders, and its bytes."""

    name: str
    content: bytes

    @property
    def size(self) -> int:
        return len(self.content)

    @property
    def head(self) -> bytes:
        return self.content[:HEAD]


def open_archive(name: str, source: bytes | Path, most: int = MOST_MEMBERS) -> zipfile.ZipFile:
    """Open a zip after checking that it does not have too many members, and that no members share
    bytes."""
    entries = _count_entries(source)
    if entries > most:
        raise EngineError(
            f"{name}: expected a zip of at most {most:,} files; got {entries:,}: "
            "split it into smaller zips"
        )
    archive = zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source))
    places = sorted((member.header_offset, _packed_size(member)) for member in archive.infolist())
    if any(start + size > after for (start, size), (after, _) in pairwise(places)):
        raise EngineError(
            f"{name}: expected files one after another in the zip; got files that share bytes: "
            "pack the zip again"
        )
    return archive


def _count_entries(source: bytes | Path) -> int:
    """Return an upper bound for the number of entries that does not depend on the directory of the
    zip."""
    if isinstance(source, bytes):
        return source.count(_ENTRY)
    with source.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return sum(1 for _ in re.finditer(_ENTRY, content))


def kind_of_archive(archive: zipfile.ZipFile) -> str:
    """Return "zip", or the kind of an npz or torch file, which is also a zip; the names of its
    members distinguish them."""
    names = archive.namelist()
    if any(base_name(name) == "data.pkl" for name in names):
        return "torch"
    if names and all(name.endswith(".npy") for name in names):
        return "npz"
    return "zip"


@dataclass(frozen=True, eq=False)
class Member:
    """A file in a zip; only the requested bytes are unpacked."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo
    budget: Budget

    @property
    def name(self) -> str:
        return self.info.filename

    @property
    def size(self) -> int:
        return self.info.file_size

    @property
    def head(self) -> bytes:
        name = show_name(self.name)
        _check_member(name, self.info)
        with self._damage_refused(), self.archive.open(self.info) as stream:
            head = stream.read(HEAD)
        self.budget.unpack(name, len(head))
        return head

    @property
    def content(self) -> bytes:
        with self._damage_refused():
            return bytes(unpack(self.archive, self.info, self.budget))

    def recognise(self) -> Iterator[str]:
        """Yield the kind of the file, recognised from its first bytes."""
        yield recognise(self.head)

    @contextmanager
    def _damage_refused(self) -> Iterator[None]:
        try:
            yield
        except EngineError:
            raise
        except Exception as error:  # a hostile member can cause any error in zipfile or zlib
            raise EngineError(
                f"{show_name(self.name)}: expected an intact file; got a damaged file: pack the "
                "zip again"
            ) from error


def base_name(name: str) -> str:
    """Return the last part of a path, without splitting the whole path."""
    return name.rpartition("/")[2]


def is_system_file(name: str) -> bool:
    """Return True for files that file managers add to a zip."""
    return any(f"/{part}/" in f"/{name}/" for part in SYSTEM_FILES)


def folders_of(path: str) -> tuple[str, ...]:
    """Return the folders in a path, outermost first."""
    return PurePosixPath(path.replace("\\", "/").lstrip("/")).parts[:-1]


def classes_by_folder(folders: Sequence[tuple[str, ...]]) -> list[str | None]:
    """Return for each path the outermost folder at which the paths differ; None for all paths if
    there is none."""
    depth = 0
    while len({path[depth : depth + 1] for path in folders}) == 1:
        if depth >= len(folders[0]):
            return [None] * len(folders)
        depth += 1
    named = [show_name(path[depth]) if len(path) > depth else None for path in folders]
    return named if None not in named else [None] * len(folders)


def unpack(
    archive: zipfile.ZipFile,
    member: zipfile.ZipInfo,
    budget: Budget,
    most: int = MOST_BYTES,
    ratio: int = MOST_RATIO,
) -> bytearray:
    """Return the bytes of a member, which are charged to the budget piece by piece."""
    name = show_name(member.filename)
    _check_member(name, member)
    content = bytearray()
    with archive.open(member) as stream:
        while piece := stream.read(_PIECE):
            content += piece
            budget.unpack(name, len(piece))
            if len(content) > most:
                raise EngineError(
                    f"{name}: expected at most {most >> 20} MB of unpacked data; got more: "
                    "split the zip or make the file smaller"
                )
            if len(content) > _PIECE and len(content) > ratio * member.compress_size:
                raise EngineError(
                    f"{name}: expected a file compressed to at least 1/{ratio} of its size; "
                    "got a stronger compression, as in a zip bomb: upload the file by itself"
                )
    return content


def _check_member(name: str, member: zipfile.ZipInfo) -> None:
    check_depth(member.filename)
    path = PurePosixPath(member.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts:
        wrong = "got a path that leads outside the zip; pack it again"
    elif stat.S_ISLNK(member.external_attr >> 16):
        wrong = "got a link to another file; pack the file itself"
    elif member.flag_bits & _ENCRYPTED:
        wrong = "got a file with a password; pack it without a password"
    elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        wrong = "got an unsupported compression method; pack it as an ordinary zip"
    else:
        return
    raise EngineError(f"{name}: expected a plain file inside the zip; {wrong}")


def _packed_size(member: zipfile.ZipInfo) -> int:
    return _LOCAL_HEADER + len(member.orig_filename) + member.compress_size
