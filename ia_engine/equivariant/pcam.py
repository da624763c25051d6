"""PatchCamelyon in its published form: two HDF5 files per split.

On most machines, a whole split does not fit into memory, so only the requested number of patches is
read.
"""

import math
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Protocol

import numpy as np
import torch

from ia_engine.equivariant.splits import Part, Splits
from ia_engine.errors import EngineError

PUBLISHED: Final = ("train", "valid", "test")
SHAPES: Final = ((96, 96, 3), (1, 1, 1), ())
"""Shapes of a patch and of a label in the files."""
MOST_RATIO: Final = 1100
"""Maximum ratio of the size of an array to its compressed size. Deflate reaches 1030."""
MOST_CHUNK: Final = 1 << 28
"""Maximum size of a chunk [bytes], because every chunk is decompressed in one step."""
USUAL: Final = 20_000
"""Default number of patches per split, which take 2 GB in single precision."""


class Array(Protocol):
    """Interface of an array in an HDF5 file that has not been read yet."""

    is_virtual: bool
    external: object
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    size: int
    chunks: tuple[int, ...] | None
    id: Any


def is_tissue(folder: Path) -> bool:
    """Return True if the folder contains the files of the first split, compressed or not."""
    return any(folder.glob(f"{_stem('train', 'x')}.h5*"))


def load_tissue(folder: Path, limit: int | None = None) -> Splits:
    """Return the first patches of each of the three published splits."""
    train, validation, test = (_read(folder, split, limit or USUAL) for split in PUBLISHED)
    return Splits(train, validation, test, 2, f"PCam, the first {len(train):,} of its own splits")


def _read(folder: Path, split: str, limit: int) -> Part:
    pixels, labels = (_rows(folder / f"{_stem(split, key)}.h5", key, limit) for key in "xy")
    if pixels.shape[1:] != (96, 96, 3) or len(labels) != len(pixels):
        raise EngineError(
            f"PCam's {split} split must contain patches of 96 × 96 × 3 and one label for each; got "
            f"{len(labels)} labels and {pixels.shape}: download its files again"
        )
    images = torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255
    return Part(images, torch.from_numpy(labels.reshape(-1)).long())


def _rows(path: Path, key: str, limit: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    if not path.is_file():
        raise EngineError(
            f"the unpacked file {path.name} of PCam is missing: put it into {path.parent.name}"
        )
    try:
        with _reader().File(path, "r") as file:
            array = file[key]
            _check_array(type(file.get(key, getlink=True)).__name__, array)
            return np.asarray(array[:limit], np.uint8)
    except (OSError, KeyError, ValueError, AttributeError, MemoryError) as error:
        raise EngineError(
            f"{path.name} must be an HDF5 file with the array {key!r}: {error}"
        ) from error


def _check_array(link: str, array: Array) -> None:
    """Check the header of the array against the size of the file, before anything is read."""
    if link != "HardLink" or array.is_virtual:
        raise ValueError("expected data in this file; got a link to other data")
    if array.external or array.dtype != np.uint8 or array.shape[1:] not in SHAPES:
        raise ValueError(
            f"expected uint8 arrays [n 96 96 3] or [n 1 1 1]; got {array.dtype} {array.shape}"
        )
    held = array.id.get_storage_size()
    if array.size > MOST_RATIO * held or math.prod(array.chunks or (1,)) > MOST_CHUNK:
        raise ValueError(
            f"expected {array.size:,} bytes in the array; got {held:,} compressed bytes"
        )


def _reader() -> ModuleType:
    """Import h5py, which is large and only needed for PCam."""
    try:
        return import_module("h5py")
    except ModuleNotFoundError as error:
        raise EngineError(
            "PCam's files are HDF5, which are read with h5py: run 'pip install h5py', or save "
            "each split as an npz with images and labels"
        ) from error


def _stem(split: str, key: str) -> str:
    return f"camelyonpatch_level_2_split_{split}_{key}"
