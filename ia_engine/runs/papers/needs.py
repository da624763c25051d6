"""Describes and finds the files that entries need in the folder that IA_DATA names."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from ia_engine.datasets.cache import data_folder
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.named import NamedSet, availability, is_here
from ia_engine.datasets.uploads import Upload, read_upload
from ia_engine.datasets.uploads.canvas import PHOTOGRAPHS
from ia_engine.equivariant.pcam import is_tissue
from ia_engine.errors import EngineError
from ia_engine.runs.papers.entry import Need

ABSENT: Final = ("to fetch", "missing")


def need_set(named: NamedSet, split: str = "", *, uploadable: bool = False) -> Need:
    """Describe the need for a published data set: the split of the paper, or any split."""

    def here() -> bool:
        return is_split_here(named, split) if split else is_here(named)

    chosen = named.split(split) if split else named.splits[0]
    files = " and ".join(chosen.files)
    where = f"put {files or chosen.npz} into {named.folders[0]}/ in the folder that IA_DATA names"
    return Need(named.title, f"{where}, or fetch it on the Data page", here, uploadable)


def is_split_here(named: NamedSet, split: str) -> bool:
    """Return True if a split can be read without fetching it."""
    places = {one.split.name: one.place for one in availability(named)}
    return places[split] not in ABSENT


def need_file(name: str, file: str) -> Need:
    """Describe the need for an npz with `images` in IA_DATA, or an upload."""
    where = f"put {file} (images [n h w 3] in bytes) into the folder that IA_DATA names, or upload"
    return Need(name, f"{where} pictures or a zip here", lambda: find(file) is not None, True)


def need_tissue(folder: str) -> Need:
    """Describe the need for PCam's files or three npz in IA_DATA, or an upload with labels."""

    def here() -> bool:
        data = data_folder()
        return find(f"{folder}/train.npz") is not None or bool(data and is_tissue(data / folder))

    files = (
        "its six files, unpacked (camelyonpatch_level_2_split_train_x.h5 and so on), or train.npz, "
        "validation.npz and test.npz (images [n h w 3] as uint8, labels [n])"
    )
    where = (
        f"put {files} into {folder}/ in the folder that IA_DATA names, or upload an npz file with "
        "images and labels"
    )
    return Need("PCam", where, here, True)


def find(file: str) -> Path | None:
    """Return the path of a file in IA_DATA; None if it does not exist."""
    folder = data_folder()
    path = folder / file if folder else None
    return path if path and path.is_file() else None


def load_images(file: str, side: int, limit: int) -> ImageSet:
    """Load a collection in IA_DATA, resized to this side length [px]."""
    path = find(file)
    if path is None:
        raise EngineError(f"{file} is not in the IA_DATA folder: put the file there")
    config = replace(PHOTOGRAPHS, size=side, limit=limit)
    found = read_upload((Upload(path.name, path.read_bytes()),), config)
    if found.images is None:
        reason = found.refused[0].reason if found.refused else "it contains no image"
        raise EngineError(f"{file} cannot be read as images: {reason}")
    return found.images
