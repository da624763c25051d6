"""PatchCamelyon as it is published: tissue in HDF5 files, a pair for each split.

A split of it is larger than most memories, so that no more patches are read than are asked for.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import torch

from ia_engine.equivariant.splits import Part, Splits
from ia_engine.errors import EngineError

PUBLISHED: Final = ("train", "valid", "test")
USUAL: Final = 20_000
"""Patches of a split that are read where nobody says how many: 2 GB in single precision."""


def is_tissue(folder: Path) -> bool:
    """Whether the files of the first split are here, packed or not."""
    return any(folder.glob(f"{_stem('train', 'x')}.h5*"))


def load_tissue(folder: Path, limit: int | None = None) -> Splits:
    """The first patches of each of the three published splits."""
    train, validation, test = (_read(folder, split, limit or USUAL) for split in PUBLISHED)
    return Splits(train, validation, test, 2, f"PCam, the first {len(train):,} of its own splits")


def _read(folder: Path, split: str, limit: int) -> Part:
    pixels, labels = (_rows(folder / f"{_stem(split, key)}.h5", key, limit) for key in "xy")
    if pixels.shape[1:] != (96, 96, 3) or len(labels) != len(pixels):
        raise EngineError(
            f"PCam's {split} split should hold patches of 96 × 96 × 3 and a label for each, "
            f"{len(labels)} labels and {pixels.shape} came: fetch its files again"
        )
    images = torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255
    return Part(images, torch.from_numpy(labels.reshape(-1)).long())


def _rows(path: Path, key: str, limit: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    if not path.is_file():
        raise EngineError(f"PCam needs {path.name}, unpacked: put it into {path.parent.name}")
    try:
        with _reader().File(path, "r") as file:
            return np.asarray(file[key][:limit], np.uint8)
    except (OSError, KeyError, ValueError) as error:
        raise EngineError(f"{path.name} should be HDF5 with an array {key}: {error}") from error


def _reader() -> ModuleType:
    """The library for HDF5 weighs as much as all of these pages: only who has PCam needs it."""
    try:
        return import_module("h5py")
    except ModuleNotFoundError as error:
        raise EngineError(
            "PCam's files are HDF5, which h5py reads: pip install h5py, or save each split as an "
            "npz with images and labels"
        ) from error


def _stem(split: str, key: str) -> str:
    return f"camelyonpatch_level_2_split_{split}_{key}"
