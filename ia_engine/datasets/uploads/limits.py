"""What an upload may contain: kinds of files and limits, and the data read from one file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Self

import torch
from torch import Tensor

from ia_engine.datasets.idx import GZIP_MAGIC, is_idx
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.poses.placement import Placement

MOST_BYTES = 1 << 26
"""Maximum size [bytes] of an unpacked array, or of an unpacked member of a zip."""
FREE_BYTES = 1 << 28
"""Number of bytes that an upload may unpack in addition to its own size. Files are freed one by
one."""
MOST_RATIO = 200
"""Maximum ratio of unpacked to packed bytes for a zip member larger than a megabyte."""
MOST_MEMBERS = 20_000
MOST_FRAMES = 500
MOST_GIF_BYTES = 1 << 24
MOST_GIF_BLOCKS = 1 << 17
"""Maximum number of blocks in a GIF. A full block contains 255 bytes, and a decoder visits every
block."""
PIXELS_PER_GIF_BLOCK = 128
"""Number of pixels that are charged for a block, because decoding a block takes as much time."""
MOST_PIXELS = {"png": 13_000_000, "jpeg": 25_000_000, "webp": 1 << 23, "gif": 1 << 22}
"""Maximum number of pixels in a picture, which depends on the memory that the decoder needs."""
MOST_SCANS = 32
"""Maximum number of scans in a JPEG. A progressive file, which usually has ten scans, decodes all
pixels in each scan."""
MOST_VALUES = 5 << 22
"""Maximum number of values in all images on the canvas, counted as colour: 80 MB, or twice as much
while they are concatenated."""
FREE_PIXELS = 1 << 26
PIXELS_PER_BYTE = 16
"""Number of pixels allowed per byte. Photographs have one to ten; a decompression bomb has
thousands."""
LONGEST_SIDE = 512
"""Larger images are first resized to this side [px]; a canvas has at most 256 px."""
LONGEST_NAME = 80
MOST_DEPTH = 64
"""Maximum depth of nested folders."""
HEAD = 1024
"""Number of bytes that are read to recognise the kind of a file."""
SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x93NUMPY", "npy"),
    (GZIP_MAGIC, "gzip"),
    (b"%PDF", "pdf"),
    (b"BM", "bmp"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"7z\xbc\xaf", "archive"),
    (b"Rar!", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ", "archive"),
    (b"\x89HDF", "hdf5"),
)

PICKLE_PROTOCOLS = (b"\2", b"\3", b"\4", b"\5")

READABLE = {
    "png": "PNG picture",
    "jpeg": "JPEG picture",
    "webp": "WebP picture",
    "gif": "GIF picture",
    "npy": "NumPy array",
    "npz": "npz file",
    "idx": "IDX file",
    "gzip": "IDX file",
    "torch": "file of torch tensors",
    "zip": "zip",
}

UNREADABLE = {
    "svg": "an SVG drawing: export it as PNG",
    "html": "a web page: save the picture itself",
    "pdf": "a PDF document: export its pages as PNG",
    "bmp": "a BMP picture: export it as PNG",
    "tiff": "a TIFF picture: export it as PNG",
    "heif": "a HEIF or AVIF picture: export it as PNG or JPEG",
    "video": "a video: export its frames as PNG",
    "archive": "an archive of another kind: pack the pictures as zip",
    "hdf5": "an HDF5 file: save its images as npz",
    "pickle": "a Python pickle, which could run a program: save the images as npz",
    "zip": "a zip inside a zip: unpack it first",
    "npz": "an npz file inside a zip: upload it by itself",
    "torch": "a file of torch tensors inside a zip: upload it by itself",
    "text": "a text file: choose another file",
    "empty": "an empty file: choose another file",
    "unknown": "a file of an unknown kind: export it as PNG",
}


@dataclass
class Budget:
    """The remaining budget of an upload: its images, pixels to decode, and bytes to unpack.

    `scale` is the rule that scales arrays to [0, 1].
    """

    images: int
    pixels: int
    bytes: int
    scale: str = "stack"

    def spend(self, name: str, pixels: int) -> None:
        """Charge the pixels of a file before they are decoded."""
        if pixels > self.pixels:
            raise EngineError(
                f"{name}: an upload of this file size can take at most {self.pixels / 1e6:.1f} "
                f"million more pixels; this file has {pixels / 1e6:.1f} million: upload fewer or "
                "smaller images"
            )
        self.pixels -= pixels

    def unpack(self, name: str, size: int) -> None:
        """Charge bytes as they are unpacked."""
        self.bytes -= min(size, self.bytes)
        if not self.bytes:
            raise EngineError(
                f"{name}: the files grow by more than {FREE_BYTES >> 20} MB when unpacked, so "
                "the rest was not read: upload them in several parts"
            )


def show_name(name: str) -> str:
    """Return a name that can be shown on one line: printable, without a root, and at most 80
    characters long."""
    printable = "".join(c for c in name[-1000:].replace("\\", "/") if c.isprintable())
    rootless = re.sub(r"^\s*([A-Za-z]:)?/*", "", printable).strip() or "a file without a name"
    if len(rootless) <= LONGEST_NAME:
        return rootless
    return f"{rootless[:40]}…{rootless[40 - LONGEST_NAME + 1 :]}"


def check_depth(name: str) -> None:
    """Raise an error for a file in too many nested folders, because the work on its name grows with
    their number."""
    depth = name.count("/") + name.count("\\")
    if depth > MOST_DEPTH:
        raise EngineError(
            f"{show_name(name)}: expected at most {MOST_DEPTH} nested folders; got "
            f"{depth:,}: move the file to a higher folder"
        )


def count(n: int, thing: str) -> str:
    """Return a number with its noun, such as "1 image" or "1,234 images"."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def recognise(content: bytes) -> str:
    """Return the kind of a file, recognised from its first bytes: a key of READABLE or
    UNREADABLE."""
    if not content:
        return "empty"
    for signature, kind in SIGNATURES:
        if content.startswith(signature):
            return kind
    return _recognise_binary(content[:16]) or _recognise_text(content[:HEAD])


def _recognise_binary(head: bytes) -> str | None:
    """Recognise kinds that have no single fixed signature."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[4:8] == b"ftyp":
        return "heif" if head[8:11] in (b"hei", b"avi", b"mif") else "video"
    if is_idx(head[:4]):
        return "idx"
    return "pickle" if head[:1] == b"\x80" and head[1:2] in PICKLE_PROTOCOLS else None


def refuse_kind(name: str, kind: str) -> str:
    """Return the error message for a file that cannot be read."""
    return f"{name}: expected a PNG, JPEG, WebP or GIF picture; got {UNREADABLE[kind]}"


def _recognise_text(head: bytes) -> str:
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "unknown"
    text = head.lower()
    for mark, kind in ((b"<svg", "svg"), (b"<!doctype html", "html"), (b"<html", "html")):
        if mark in text:
            return kind
    unprintable = sum(byte < 9 or 13 < byte < 32 for byte in head)
    return "unknown" if unprintable > len(head) // 50 else "text"


@dataclass(frozen=True)
class Refusal:
    """A file that was not read completely, and a sentence that states why."""

    name: str
    reason: str


@dataclass(frozen=True, eq=False)
class Stack:
    """Images of the same size from one file, with values in [0, 1] and their original
    background."""

    names: tuple[str, ...]
    images: Images
    alpha: Images | None = None
    labels: tuple[str, ...] | None = None
    noise: float = 0.0
    """Largest error in a pixel that the file format may cause."""
    total: int = 1
    """Number of images in the file, of which the stack may contain a part."""
    note: str = ""
    read_at: Placement | None = None
    """Where the originals lie on these images; None if the images have the original size."""

    @property
    def placement(self) -> Placement:
        height, width = self.images.shape[-2:]
        return self.read_at or Placement(height, width)

    def first(self, limit: int) -> Self:
        """Return the first `limit` images."""
        return replace(
            self,
            names=self.names[:limit],
            images=self.images[:limit],
            alpha=None if self.alpha is None else self.alpha[:limit],
            labels=None if self.labels is None else self.labels[:limit],
        )


@dataclass(frozen=True)
class LabelList:
    """Labels without images."""

    labels: tuple[str, ...]
    """The labels, or only those of the first images if there are more than can be read."""
    total: int


Found = Stack | LabelList


def find_partner(name: str, length: int, totals: Mapping[str, int]) -> str | None:
    """Return the file that contains as many images as there are labels; if there are several, one
    whose name begins with the same word."""
    fitting = [source for source, total in totals.items() if total == length]
    alike = [source for source in fitting if _first_word(source) == _first_word(name)]
    return next(iter(alike or fitting), None)


def number_labels(labels: Sequence[str]) -> tuple[Tensor, tuple[str, ...]]:
    """Return the index of each label among the classes, and the classes, sorted by number or
    name."""
    classes = sorted(set(labels), key=_by_number)
    place = {label: i for i, label in enumerate(classes)}
    numbers = [place[label] for label in labels]
    return torch.tensor(numbers, dtype=torch.int64, device="cpu"), tuple(classes)


def _by_number(label: str) -> tuple[int, int, str]:
    digits = label.removeprefix("-")
    whole = digits.isascii() and digits.isdigit()
    return (0, int(label), label) if whole else (1, 0, label)


def _first_word(name: str) -> str:
    """Return the first word of a name, for example "train" for train-labels-idx1-ubyte.gz."""
    return PurePosixPath(name).name.replace("_", "-").split("-")[0]
