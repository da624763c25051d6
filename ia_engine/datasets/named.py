"""Named sets: they are found in IA_DATA or in the cache, checked, and downloaded only on
request."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from ia_engine.datasets.cache import Progress, cache_folder, data_folder, download
from ia_engine.datasets.formats import DAMAGE, Arrays, Decoder, read_npz
from ia_engine.errors import EngineError

ANY = "any"
"""Stands for the first available split; complete splits come before samples."""
ALL = "all"
"""Stands for the train and the test split together, in this order."""


@dataclass(frozen=True)
class Split:
    """One part of a set: its files on the host, their decoder, and its npz file in IA_DATA.

    A sample has no files on the host; a bundled sample has no npz file either.
    """

    name: str
    files: tuple[str, ...]
    count: int
    decode: Decoder
    npz: str = ""
    sha256: str = ""
    """Hash of the decoded images and labels, if we could compute it from the published files."""

    @property
    def verified(self) -> str:
        return "SHA-256 of every pixel and label" if self.sha256 else "shape and count only"


@dataclass(frozen=True)
class NamedSet:
    """A published set: its source, and how its files are verified."""

    name: str
    title: str
    host: str
    folders: tuple[str, ...]
    """The possible names of its folder in IA_DATA; the first is also its folder in the cache."""
    shape: tuple[int, int, int]
    classes: tuple[str, ...]
    splits: tuple[Split, ...]
    most_bytes: int = 1 << 28

    @property
    def verified(self) -> str:
        """How each of its splits was verified."""
        return "; ".join(f"{split.name}: {split.verified}" for split in self.splits)

    def split(self, name: str) -> Split:
        for split in self.splits:
            if split.name == name:
                return split
        known = " or ".join(split.name for split in self.splits)
        raise EngineError(f"the split of {self.title} must be {known}; got {name!r}")


@dataclass(frozen=True)
class FoundFiles:
    """The files of one split, and where they were found."""

    place: str
    paths: tuple[Path, ...]
    decode: Decoder


@dataclass(frozen=True)
class Availability:
    """Whether a split is available, and from where it is read."""

    set: NamedSet
    split: Split
    place: str
    """One of "data folder", "cache", "bundled", "to fetch" or "missing" (a sample cannot be
    fetched)."""


def choose_split(named: NamedSet, wanted: str) -> str:
    """Return the requested split. For "any", return the first available split or, if none is
    available, the first one."""
    if wanted == ALL:
        return ALL
    if wanted != ANY:
        return named.split(wanted).name
    here = [split.name for split in named.splits if _find(named, split)]
    return (here or [named.splits[0].name])[0]


def is_here(named: NamedSet) -> bool:
    """Return True if at least one split of a set can be read without a download."""
    return any(_find(named, split) for split in named.splits)


def read_split(named: NamedSet, name: str) -> Arrays:
    """Read and check uint8 images [n c h w] and labels [n]. If files are missing, an EngineError
    lists them."""
    if name == ALL:
        parts = [read_split(named, part) for part in ("train", "test")]
        images, labels = (torch.cat(both) for both in zip(*parts, strict=True))
        return images, labels
    split = named.split(name)
    if not (found := _find(named, split)):
        raise EngineError(_where_to_put(named, split))
    images, labels = _decode(named, split, found)
    _check(named, split, images, labels)
    return images, labels


def availability(named: NamedSet) -> Iterator[Availability]:
    """Yield the availability of every split of a set, without opening or downloading any files."""
    for split in named.splits:
        found = _find(named, split)
        place = found.place if found else "to fetch" if split.files else "missing"
        yield Availability(named, split, place)


def fetch_set(named: NamedSet, progress: Progress) -> None:
    """Download the missing files of a set, and check the whole set. Wrong files are deleted."""
    folder = cache_folder() / named.folders[0]
    for split in filter(lambda split: split.files, named.splits):
        paths = tuple(folder / file for file in split.files)
        for path in paths:
            if not path.exists():
                _fetch_file(named, path, progress)
        try:
            _check(named, split, *_decode(named, split, FoundFiles("cache", paths, split.decode)))
        except EngineError:
            for path in paths:
                path.unlink(missing_ok=True)
            raise


def _fetch_file(named: NamedSet, path: Path, progress: Progress) -> None:
    try:
        download(named.host + path.name, path, named.most_bytes, progress)
    except EngineError as error:
        raise EngineError(
            f"{error}: download {path.name} yourself and put it into {path.parent}"
        ) from error


def _find(named: NamedSet, split: Split) -> FoundFiles | None:
    if not (split.files or split.npz):
        return FoundFiles("bundled", (), split.decode)
    data = data_folder()
    if data and split.npz and (data / split.npz).is_file():
        return FoundFiles("data folder", (data / split.npz,), read_npz)
    if data:
        for folder in named.folders:
            if paths := _all_there(data / folder, split.files):
                return FoundFiles("data folder", paths, split.decode)
    if paths := _all_there(cache_folder() / named.folders[0], split.files):
        return FoundFiles("cache", paths, split.decode)
    return None


def _all_there(folder: Path, files: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the paths of the files, each of which may be gzipped; empty unless all of them
    exist."""
    paths = []
    for file in files:
        for path in (folder / file, folder / file.removesuffix(".gz")):
            if path.is_file():
                paths.append(path)
                break
    return tuple(paths) if len(paths) == len(files) else ()


def _decode(named: NamedSet, split: Split, found: FoundFiles) -> Arrays:
    try:
        return found.decode(found.paths)
    except EngineError:
        raise
    except DAMAGE as error:
        names = ", ".join(path.name for path in found.paths)
        raise EngineError(
            f"{names} cannot be read as the {split.name} split of {named.title} ({error}): fetch "
            "it again"
        ) from error


def _check(named: NamedSet, split: Split, images: Tensor, labels: Tensor) -> None:
    expected = (split.count, *named.shape)
    if tuple(images.shape) != expected or len(labels) != split.count:
        raise EngineError(
            f"the {split.name} split of {named.title} must have images of shape {expected} and "
            f"as many labels; got {tuple(images.shape)} and {len(labels)} labels: download it again"
        )
    if not (labels.min() >= 0 and labels.max() < len(named.classes)):
        raise EngineError(
            f"labels of the {split.name} split of {named.title} must be from 0 to "
            f"{len(named.classes) - 1}; got {labels.min().item()} to {labels.max().item()}: "
            "download it again"
        )
    if split.sha256 and content_hash(images, labels) != split.sha256:
        raise EngineError(
            f"the {split.name} split of {named.title} differs from the published data (SHA-256 "
            "of pixels and labels): download it again, or load the file as your own data"
        )


def content_hash(images: Tensor, labels: Tensor) -> str:
    """Return the SHA-256 of the uint8 pixels [n c h w], followed by the labels as bytes."""
    content = hashlib.sha256(images.contiguous().numpy().tobytes())
    content.update(labels.byte().contiguous().numpy().tobytes())
    return content.hexdigest()


def _where_to_put(named: NamedSet, split: Split) -> str:
    data = data_folder() or "not set"
    ways = [f"{split.npz} into the folder that IA_DATA names ({data})"] if split.npz else []
    if split.files:
        files = " and ".join(split.files)
        ways.insert(0, f"{files} into {cache_folder() / named.folders[0]}")
        ways.append("fetch it on the Data page")
    return f"{named.title}, {split.name}, is missing: put {', or '.join(ways)}"
