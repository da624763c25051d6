"""Reads arrays of images from a file without resizing them or changing their background."""

import json
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.datasets.data import ImageSet, PointSet, Recipe, describe_flaws, find_flaws
from ia_engine.datasets.idx import read_idx
from ia_engine.datasets.scaling import Scale, find_scale
from ia_engine.datasets.uploads.arrays import (
    parse_npy,
    to_channels_first,
    to_whole,
    unpack_arrays,
)
from ia_engine.datasets.uploads.limits import Budget
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.params import Config

Array = NDArray[Any]

MOST_BYTES = 1 << 33
"""Maximum size of an array [bytes]. Larger arrays do not fit into the memory of most machines."""
DAMAGE = (OSError, ValueError, EOFError, KeyError, MemoryError, zipfile.BadZipFile, zlib.error)
"""Errors that numpy raises for a damaged file, or for a file in another format."""


@dataclass(frozen=True)
class FileConfig(Config):
    """The name of a file, whose content is identified by the digest of the data, and its scale."""

    name: str
    kind: str = ""
    """Type of the numbers in the file; "" if their scale is unknown."""
    scale: str = "stack"
    """"image" if every image has its own ends."""
    low: float = 0.0
    high: float = 1.0
    """The ends of the scale, which became 0 and 1."""
    alpha: float = 1.0
    """The value of full opacity."""

    @classmethod
    def of(cls, name: str, scale: Scale) -> Self:
        rule, ends = ("stack", scale.ends) if scale.ends else ("image", (0.0, 1.0))
        return cls(name, scale.kind, rule, *ends, scale.alpha)


def match_scale(recipe: str) -> Scale | None:
    """Return the scale of the arrays from which a recipe [JSON] states that images were read.

    >>> match_scale('{"source": "file", "config": {"name": "a", "kind": "uint8", "high": 255}}').top
    255
    """
    value = json.loads(recipe)
    stored = value.get("config", {}) if value.get("source") == "file" else {}
    if not stored.get("kind"):
        return None
    config = FileConfig(**stored)
    ends = None if config.scale == "image" else (config.low, config.high)
    return Scale(config.kind, config.low, config.high, ends, config.alpha)


def read_arrays(
    path: Path,
    kind: str,
    limit: int | None = None,
    rule: str = "stack",
    known: Scale | None = None,
) -> ImageSet | PointSet:
    """Read images or points, and their labels if there are any, from an npz, npy or IDX file.

    `rule` scales values that are neither in [0, 1] nor 8-bit integers, unless the scale of earlier
    images is `known`.
    """
    name = path.name
    try:
        arrays = _open(path, kind)
    except DAMAGE as error:
        raise EngineError(f"{name} could not be read as {kind}: {error}") from error
    if "points" in arrays:
        return to_points(name, arrays["points"], arrays.get("labels"))
    n = len(_channels_first(name, arrays["images"]))
    images, notes, scale = to_images(name, arrays["images"], limit, rule, known)
    labels, classes = to_labels(name, arrays.get("labels"), n)
    taken = len(images)
    if taken < n:
        notes = (*notes, f"the first {taken:,} of {n:,} images")
    names = tuple(f"{path.stem} {i + 1}" for i in range(taken))
    labels = None if labels is None else labels[:taken]
    recipe = Recipe("file", FileConfig.of(name, scale))
    return ImageSet(images, names, recipe, labels, classes, notes=notes)


def to_points(name: str, points: Array, labels: Array | None) -> PointSet:
    """Return a set of points [n 2] with their labels."""
    if points.ndim != 2 or points.shape[1] != 2 or points.dtype.kind not in "uif":
        raise EngineError(f"{name} must contain points [n 2]; got {points.dtype} {points.shape}")
    found = torch.from_numpy(points.astype(np.float32))
    if not bool(found.isfinite().all()):
        raise EngineError(f"the points in {name} must be finite; got NaN or infinity")
    places, _ = to_labels(name, labels, len(found))
    if places is None:
        raise EngineError(f"{name} must contain labels [{len(found)}], one per point; got none")
    return PointSet(found, places, Recipe("file", FileConfig(name)))


def to_images(
    name: str,
    array: Array,
    limit: int | None = None,
    rule: str = "stack",
    known: Scale | None = None,
) -> tuple[Images, tuple[str, ...], Scale]:
    """Convert images [n h w], [n h w c] or [n c h w] to floats [n c h w] in [0, 1]; also return
    notes and the scale."""
    given = _channels_first(name, array)
    scale = find_scale(
        name, given, rule, known
    )  # the scale depends on all images, so that --limit does not change pixel values
    images = _over_black(torch.from_numpy(scale.apply(given[:limit])))
    notes = (scale.describe(name), *describe_flaws(find_flaws(images)))
    return images, tuple(note for note in notes if note), scale


def to_labels(name: str, labels: Array | None, n: int) -> tuple[Tensor | None, tuple[str, ...]]:
    """Return the index of each label in the sorted list of classes, and this list itself."""
    if labels is None:
        return None, ()
    if labels.shape != (n,):
        raise EngineError(f"{name} must contain labels [{n}], one per image; got {labels.shape}")
    labels = to_whole(labels)
    if labels.dtype.kind not in "buiU":
        raise EngineError(f"the labels in {name} must be integers or strings; got {labels.dtype}")
    classes, places = np.unique(labels, return_inverse=True)
    found = torch.from_numpy(places.astype(np.int64))
    return found, tuple(str(label) for label in classes.tolist())


def _open(path: Path, kind: str) -> dict[str, Array]:
    """Read `images` or `points` and, if there are any, `labels`, without unpickling objects."""
    if kind == "npz":
        return _open_npz(path)
    if kind == "npy":
        return {"images": parse_npy(path.name, path.read_bytes())}
    arrays = {"images": read_idx(path.read_bytes(), path.name).numpy()}
    partner = path.with_name(path.name.replace("images", "labels").replace("idx3", "idx1"))
    if partner != path and partner.is_file():
        arrays["labels"] = read_idx(partner.read_bytes(), partner.name).numpy()
    return arrays


def _open_npz(path: Path) -> dict[str, Array]:
    wanted = ("images", "points", "labels")
    budget = Budget(0, 0, 4 * MOST_BYTES)
    arrays = unpack_arrays(path.name, path, budget, MOST_BYTES, wanted)
    if arrays.keys() == {"labels"}:
        raise EngineError(
            f"{path.name}: expected an array called 'images'; got only labels: add the images array"
        )
    if "images" in arrays:
        arrays.pop("points", None)
    return arrays


def _channels_first(name: str, array: Array) -> Array:
    found = to_channels_first(array)
    if found is None or 0 in array.shape:
        raise EngineError(
            f"{name} must contain images [n h w] or [n h w c] with 1 to 4 channels; got "
            f"{array.shape}"
        )
    return found


def _over_black(images: Images) -> Images:
    """Place images with an alpha channel, the second or the fourth, on a black background."""
    if images.shape[1] in (1, 3):
        return images
    return images[:, :-1] * images[:, -1:]
