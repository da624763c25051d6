"""Loads the data that --data selects for training, as three disjoint sets of images."""

from pathlib import Path
from typing import Final

from ia_engine.datasets.data import PointSet
from ia_engine.datasets.loading import reading
from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import CIFAR
from ia_engine.equivariant.pcam import is_tissue, load_tissue
from ia_engine.equivariant.splits import (
    TEST,
    TRAIN,
    Part,
    Splits,
    load_cifar,
    load_folder,
    load_original,
    rotated_digits,
    rotated_mnist,
    split_images,
)
from ia_engine.errors import EngineError
from ia_engine.shell.loading import load, to_path
from ia_engine.shell.options import Common

FIFTH: Final = 5
"""Number of training images per validation image."""


def load_splits(common: Common) -> Splits:
    """Load rotated digits, CIFAR-10, a folder with its own splits, or any other labelled images."""
    folder = to_path(common.data)
    with reading(common.data):
        return _find(common, folder)


def _find(common: Common, folder: Path) -> Splits:
    seed, limit = common.seed or 0, common.limit
    if common.data in ROTATED:
        return ROTATED[common.data](seed, limit)
    if common.data == "cifar-10" and is_here(CIFAR):
        return load_cifar(limit, seed)
    if is_tissue(folder):
        return load_tissue(folder, limit)
    if (folder / "train.npz").is_file():
        return _first(load_folder(folder), limit)
    if folder.is_dir() and list(folder.glob("mnist_all_rotation*.amat")):
        return _first(load_original(folder), limit)
    data = load(common)
    if isinstance(data, PointSet):
        raise EngineError(
            "the data for 'train' must be images; got points, which have no poses: choose images"
        )
    return split_images(data, seed)


def _rotate(seed: int, limit: int | None) -> Splits:
    count = min(limit or TRAIN, TRAIN)
    return rotated_digits(count, max(1, count // FIFTH), min(TEST, max(count, 1)), seed)


def _rotate_all(seed: int, limit: int | None) -> Splits:
    return _first(rotated_mnist(seed), limit)


def _first(data: Splits, limit: int | None) -> Splits:
    """Return the first `limit` images of each split."""
    if limit is None:
        return data

    def cut(part: Part) -> Part:
        return Part(part.images[:limit], part.labels[:limit])

    about = f"{data.about}, the first {limit:,} of each"
    parts = cut(data.train), cut(data.validation), cut(data.test)
    return Splits(*parts, data.classes, about)


ROTATED: Final = {
    "rot-mnist": _rotate,
    "rot-mnist-62k": _rotate_all,
}
"""Loaders of rotated digits: from all available digits, or with the set sizes of the paper from all
of MNIST."""
