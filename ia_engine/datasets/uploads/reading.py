"""Reads any uploaded files to one set of images; a bad file does not affect the others."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from ia_engine.datasets.uploads.archive import Member, is_system_file, kind_of_archive, open_archive
from ia_engine.datasets.uploads.arrays import read_idx_file, read_npy, read_npz, read_torch
from ia_engine.datasets.uploads.canvas import UploadConfig
from ia_engine.datasets.uploads.collector import Collector, UploadResult
from ia_engine.datasets.uploads.limits import (
    FREE_BYTES,
    FREE_PIXELS,
    PIXELS_PER_BYTE,
    READABLE,
    Budget,
    check_depth,
    recognise,
    refuse_kind,
    show_name,
)
from ia_engine.datasets.uploads.pictures import read_picture
from ia_engine.datasets.uploads.stack import File, Found, LabelList, Refusal, folders_of
from ia_engine.errors import EngineError

T = TypeVar("T")
Reader = Callable[[str, bytes, Budget], Iterator[Found]]
Progress = Callable[[float], None]

READERS: dict[str, Reader] = {
    "png": read_picture,
    "jpeg": read_picture,
    "webp": read_picture,
    "gif": read_picture,
    "npy": read_npy,
    "npz": read_npz,
    "idx": read_idx_file,
    "gzip": read_idx_file,
    "torch": read_torch,
}


PICTURES = ("png", "jpeg", "webp", "gif")


@dataclass(frozen=True)
class UploadEntry:
    """A file, its kind, and the share of its zip that has been read."""

    file: File
    kind: str
    share: float = 0.0


def read_upload(
    files: Sequence[File], config: UploadConfig, progress: Progress = lambda share: None
) -> UploadResult:
    """All images in the files on one canvas, with a background of 0, and the refused files.

    One file is read at a time. Of unsupported files, and of pictures beyond the limit, only the
    first bytes are read. `progress` receives the share that has been read, at every file in a zip
    and every part of a file; an exception that it raises stops the reading.
    """
    collector = Collector(config)
    size = sum(file.size for file in files)
    pixels = FREE_PIXELS + PIXELS_PER_BYTE * size
    budget = Budget(collector.free, pixels, FREE_BYTES + size, config.scale)
    before, hopeless = 0, dict[int, tuple[Refusal, ...]]()
    for place, file in enumerate(files):
        name, refused, found = show_name(file.name), len(collector.refused), collector.found
        for entry in _or_refusal(name, "zip", partial(_open, name, file, collector, budget)):
            share = (before + getattr(entry, "share", 0.0) * file.size) / max(1, size)
            progress(share)
            if isinstance(entry, Refusal):
                collector.refuse(entry)
            else:
                _read(entry, collector, budget, partial(progress, share))
        before += file.size
        if collector.found == found:
            hopeless[place] = tuple(collector.refused[refused:])
    progress(1.0)
    return replace(collector.empty(), hopeless=hopeless)


def _open(
    name: str, file: File, collector: Collector, budget: Budget
) -> Iterator[UploadEntry | Refusal]:
    """The file itself, or the files in it if it is a zip."""
    check_depth(file.name)
    kind = recognise(file.head)
    if kind != "zip":
        yield UploadEntry(file, kind)
        return
    with open_archive(name, file.content) as archive:
        kind = kind_of_archive(archive)
        if kind != "zip":
            yield UploadEntry(file, kind)
            return
        files = [info for info in archive.infolist() if not info.is_dir()]
        useful = [info for info in files if not is_system_file(info.filename)]
        collector.passed_over += len(files) - len(useful)
        if not useful:
            raise EngineError(f"{name}: expected pictures in the zip, got none; put some in")
        for at, info in enumerate(useful):
            member = Member(archive, info, budget)
            share = at / len(useful)
            for found in _or_refusal(show_name(info.filename), "file", member.recognise):
                yield found if isinstance(found, Refusal) else UploadEntry(member, found, share)
            if not budget.bytes:  # nothing more can be unpacked, as the last refusal says
                return


def _read(
    entry: UploadEntry, collector: Collector, budget: Budget, progress: Callable[[], None]
) -> None:
    """Put one file into the collector, or its refusal."""
    file, kind = entry.file, entry.kind
    name = collector.title(show_name(file.name))
    reader = READERS.get(kind)
    if reader is None:
        collector.refuse(Refusal(name, refuse_kind(name, kind)))
        return
    if kind in PICTURES and not collector.free:
        collector.left_out += 1
        return
    budget.images = collector.free

    def put_all() -> Iterator[Refusal]:
        """Put all stacks; errors become refusals in the caller."""
        for found in reader(name, file.content, budget):
            progress()
            if isinstance(found, LabelList):
                collector.lists[name] = found
            else:
                collector.put(name, folders_of(file.name), found)
        yield from ()

    for refusal in _or_refusal(name, READABLE[kind], put_all):
        collector.refuse(refusal)


def _or_refusal(name: str, what: str, find: Callable[[], Iterator[T]]) -> Iterator[T | Refusal]:
    """Items until the end or the first failure, which becomes a refusal."""
    try:
        yield from find()
    except EngineError as error:
        yield Refusal(name, str(error))
    except Exception:  # decoders can raise any error on hostile bytes
        reason = f"{name}: expected a whole {what}, got one that is damaged; export it again"
        yield Refusal(name, reason)
