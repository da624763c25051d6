"""Decodes the file formats of the named sets to uint8 images [n c h w] and labels [n].

Nothing is unpickled or unpacked to disk, and the size of every read is limited.

Headers of MATLAB 5 files are checked before scipy reads them. Each element consists of a type, a
number of bytes, and the bytes. A matrix (type 14) consists of elements, the second of which
contains its dimensions; a compressed element (15) contains one other element.
"""

import bz2
import io
import math
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.io import loadmat
from scipy.io.matlab import MatReadError
from sklearn.datasets import load_svmlight_file
from torch import Tensor

from ia_engine.datasets.idx import read_idx
from ia_engine.datasets.uploads.arrays import unpack_arrays
from ia_engine.datasets.uploads.limits import Budget
from ia_engine.errors import EngineError

HEADER: Final = 128
DEPTH: Final = 16
"""Maximum depth of nested structures."""
MATRIX, COMPRESSED = 14, 15
MARKS: Final = {b"IM": "<", b"MI": ">"}


def read_mat(content: bytes, names: tuple[str, ...], most_bytes: int) -> dict[str, Any]:
    """Return the variables in `names`. Raises ValueError if the file declares more bytes than it
    contains, or more than `most_bytes`.

    For example, `read_mat(content, ("X", "y"), 1 << 29)["X"]` is an array.
    """
    order = MARKS.get(content[126:128], "")
    if not order or 0 in content[:4] or struct.unpack(order + "H", content[124:126])[0] != 0x0100:
        raise ValueError("expected a MATLAB 5 file; got a different format")
    _check(memoryview(content)[HEADER:], order, most_bytes, DEPTH)
    return dict(loadmat(io.BytesIO(content), variable_names=list(names)))


def _check(data: memoryview, order: str, most_bytes: int, depth: int) -> None:
    for kind, part in _elements(data, order):
        if kind == COMPRESSED:
            stream = zlib.decompressobj()
            whole = stream.decompress(part, most_bytes + 1)
            if len(whole) > most_bytes:
                raise ValueError(f"expected at most {most_bytes >> 20} MB unpacked; got more")
            _check(memoryview(whole), order, most_bytes, depth - 1)
        elif kind == MATRIX and len(part):
            if depth <= 0:
                raise ValueError(f"expected at most {DEPTH} levels of nesting; got more")
            _check_matrix(part, order)
            _check(part, order, most_bytes, depth - 1)


def _check_matrix(part: memoryview, order: str) -> None:
    """Check that the array fits into its element; each entry takes at least one byte."""
    parts = [data for _, data in _elements(part, order)]
    sizes = parts[1] if len(parts) > 1 else memoryview(b"")
    shape = struct.unpack(f"{order}{len(sizes) // 4}i", sizes[: len(sizes) // 4 * 4])
    if min(shape, default=0) < 0 or math.prod(shape) > len(part):
        raise ValueError(f"expected at most {len(part):,} entries; got the shape {shape}")


def _elements(data: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Yield the type and the bytes of each element."""
    at = 0
    while at + 8 <= len(data):
        first, size = struct.unpack(order + "II", data[at : at + 8])
        if small := first >> 16:  # at most four bytes are stored in the tag itself
            kind, size, start, held = first & 0xFFFF, small, at + 4, 4
        else:
            kind, start, held = first, at + 8, len(data) - at - 8
        if size > held:
            raise ValueError(f"expected {size:,} bytes, as declared by an element; got {held:,}")
        yield kind, data[start : start + size]
        at = start + (size if kind == COMPRESSED else held if small else -(-size // 8) * 8)


Arrays = tuple[Tensor, Tensor]
Decoder = Callable[[tuple[Path, ...]], Arrays]

DAMAGE = (
    OSError, EOFError, MemoryError, ValueError, KeyError, IndexError, TypeError, RuntimeError,
    zlib.error, zipfile.BadZipFile, tarfile.TarError, MatReadError,
)  # fmt: skip
"""Exceptions that the readers below raise for damaged files.

zipfile raises RuntimeError for an encrypted member. zipfile and scipy raise its subclass
NotImplementedError for an unknown compression method and for MATLAB 7.3, respectively.
"""

MOST_BYTES = 1 << 29
_CIFAR_ROW = 1 + 3 * 32 * 32


def read_npz(paths: tuple[Path, ...]) -> Arrays:
    """Read `images` [n h w] or [n h w c] and `labels` [n] from an npz file."""
    budget = Budget(0, 0, 2 * MOST_BYTES)
    arrays = unpack_arrays(paths[0].name, paths[0], budget, MOST_BYTES)
    images, labels = arrays["images"], arrays["labels"]
    if images.dtype != np.uint8 or images.ndim not in (3, 4):
        raise ValueError(
            f"expected uint8 images with 3 or 4 axes; got {images.dtype} with {images.ndim} axes"
        )
    if labels.dtype.kind not in "iu" or labels.shape != images.shape[:1]:
        raise ValueError(
            f"expected an integer label for each of {len(images)} images; got {labels.dtype} "
            f"{labels.shape}"
        )
    channels_first = images[:, None] if images.ndim == 3 else images.transpose(0, 3, 1, 2)
    return _tensors(channels_first.view(np.uint8), labels)


def read_idx_pair(paths: tuple[Path, ...]) -> Arrays:
    """Read two files in the format of MNIST, first the images and then the labels."""
    images, labels = (read_idx(read_bounded(path), path.name) for path in paths)
    return images[:, None], labels.long()


def read_cifar(paths: tuple[Path, ...], member: str) -> Arrays:
    """Read the binary version of CIFAR-10, a tar.gz. Each record consists of a label and the red,
    green and blue pixels."""
    with tarfile.open(paths[0], "r:gz") as archive:
        files = [entry for entry in archive if entry.isfile() and _matches(member, entry.name)]
        files.sort(key=lambda entry: entry.name)
        if sum(entry.size for entry in files) > MOST_BYTES:
            raise _too_large(paths[0].name)
        content = b"".join(_bounded(archive.extractfile(entry), entry.name) for entry in files)
    rows = np.frombuffer(content, np.uint8).reshape(-1, _CIFAR_ROW)
    return _tensors(rows[:, 1:].reshape(-1, 3, 32, 32), rows[:, 0])


def read_usps(paths: tuple[Path, ...]) -> Arrays:
    """Read USPS in the text format of LIBSVM, compressed by bz2. Each line consists of the digit
    plus one and 16×16 numbers between -1 and 1."""
    with bz2.open(paths[0]) as file:
        content = _bounded(file, paths[0].name)
    if (1 + content.count(b"\n")) * 256 * 8 > MOST_BYTES:  # as float64, before conversion to uint8
        raise _too_large(paths[0].name)
    values, labels = load_svmlight_file(io.BytesIO(content), n_features=256, zero_based=False)
    if not np.isfinite(values.data).all():
        raise ValueError("expected numbers between -1 and 1; got NaN or infinity")
    images = ((values.toarray() + 1) * 127.5).round().clip(0, 255).astype(np.uint8)
    return _tensors(images.reshape(-1, 1, 16, 16), labels - 1)


def read_svhn(paths: tuple[Path, ...]) -> Arrays:
    """Read SVHN, with images X [32 32 3 n] and labels y [n 1], in which 10 stands for the digit
    0."""
    file = read_mat(read_bounded(paths[0]), ("X", "y"), MOST_BYTES)
    return _tensors(file["X"].transpose(3, 2, 0, 1), file["y"].ravel() % 10)


def read_affnist(paths: tuple[Path, ...]) -> Arrays:
    """Read affNIST, a zip of batches. Each `affNISTdata` contains `image` [1600 n], with one image
    per column, and `label_int`."""
    images, labels = [], []
    with zipfile.ZipFile(paths[0]) as archive:
        for name in sorted(filter(_is_batch, archive.namelist()), key=_batch_number):
            with archive.open(name) as file:
                content = _bounded(file, name)
            batch = read_mat(content, ("affNISTdata",), MOST_BYTES)["affNISTdata"][0, 0]
            images.append(batch["image"].T.reshape(-1, 1, 40, 40))
            labels.append(batch["label_int"].ravel())
    return _tensors(np.concatenate(images), np.concatenate(labels))


def _is_batch(name: str) -> bool:
    return name.endswith(".mat") and not name.startswith("__MACOSX")


def _batch_number(name: str) -> tuple[int, str]:
    digits = re.findall(r"\d+", Path(name).stem)
    return (int(digits[-1]) if digits else 0), name


def _matches(member: str, name: str) -> bool:
    return re.fullmatch(member, Path(name).name) is not None


def read_bounded(path: Path) -> bytes:
    """Return the bytes of a file; raise an error if it is larger than any file of a named set."""
    with path.open("rb") as file:
        return _bounded(file, path.name)


def _bounded(file: IO[bytes] | None, name: str) -> bytes:
    content = file.read(MOST_BYTES + 1) if file else b""
    if len(content) > MOST_BYTES:
        raise _too_large(name)
    return content


def _too_large(name: str) -> EngineError:
    return EngineError(
        f"{name}: expected at most {MOST_BYTES >> 20} MB of data; got more: fetch the file again"
    )


def _tensors(images: NDArray[np.uint8], labels: NDArray[np.generic]) -> Arrays:
    if images.dtype != np.uint8:
        raise ValueError(f"expected images of type uint8; got {images.dtype}")
    if labels.dtype.kind not in "iuf" or not np.isfinite(labels).all():
        raise ValueError(f"expected whole numbers as labels; got {labels.dtype}, NaN or infinity")
    whole = np.ascontiguousarray(labels.astype(np.int64))
    if (whole != labels).any():
        raise ValueError("expected whole numbers as labels; got fractions")
    return torch.from_numpy(np.require(images, np.uint8, ["C", "W"])), torch.from_numpy(whole)
