"""Data sets of images or points: their recipes, digests, summaries, flaws, subsets and npz
files."""

import hashlib
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from string import hexdigits
from typing import Any, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, Poses, check_axes
from ia_engine.params import Config
from ia_engine.poses.placement import Placement

VERSION: Final = 1
"""Increase this when recipes generate different images; `test_digests.py` detects changes."""
LENGTH: Final = 64
LEAST_CONTRAST: Final = 1 / 32
"""Images whose values have a smaller range count as nearly constant."""
MOST_SATURATED: Final = 0.95
"""Images in which a larger fraction of the values is at the maximum count as saturated."""
AT_TOP: Final = 0.999
SOUND, BLANK, CONSTANT, SATURATED = range(4)
_TEXTS: Final = {
    BLANK: "blank: nothing differs from the border",
    CONSTANT: "nearly constant: the values span less than "
    f"{100 * LEAST_CONTRAST:.0f} % of the scale",
    SATURATED: f"saturated: more than {100 * MOST_SATURATED:.0f} % of the values are at the "
    "maximum",
}


def digest_recipe(made: str, *parts: object) -> str:
    """Return a digest of a recipe and of the parts of the data that are identical on every machine.

    It begins with "r", which is not a hexadecimal digit, followed by the version of the recipes.
    """
    content = hashlib.sha256(repr((made, *parts)).encode()).hexdigest()
    return f"r{VERSION}-{content}"[:LENGTH]


def digest_bytes(*parts: Tensor | str | None) -> str:
    """Return the SHA-256 of strings and tensors. Floats are hashed as float32, and integers as
    int64."""
    content = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            content.update(part.encode())
        elif part is not None:
            content.update(_to_bytes(part))
    return content.hexdigest()


def is_of_first_pixels(digest: str) -> bool:
    """Return True if this is a digest of pixels, as earlier versions computed it, and recipes still
    generate the same images."""
    return VERSION == 1 and len(digest) == LENGTH and not set(digest) - set(hexdigits)


def list_labels(labels: Tensor | None) -> Iterable[int] | None:
    """Return the labels as a list of integers, for `digest_recipe`."""
    return None if labels is None else labels.tolist()


def _to_bytes(x: Tensor) -> bytes:
    if x.dtype != torch.uint8:
        x = x.to(torch.float32 if x.is_floating_point() else torch.int64)
    return x.detach().cpu().contiguous().numpy().tobytes()


@dataclass(frozen=True)
class Recipe:
    """How to generate a data set again: the name of its source, and the config of the source."""

    source: str
    config: Config

    def to_json(self) -> str:
        return json.dumps(
            {"source": self.source, "config": json.loads(self.config.to_json())},
            sort_keys=True,
            ensure_ascii=False,
        )

    def max_rotation(self) -> float:
        """Return the largest rotation angle [rad] that the recipe may draw; 0 if it does not
        rotate."""
        if self.source == "rot-mnist":
            return math.pi
        stated: float = getattr(self.config, "max_rotation", 0.0)
        angles = [
            max(abs(low), abs(high))
            for distortion in getattr(self.config, "distortions", ())
            for part, low, high in distortion.bounds()
            if part.name == "turn"
        ]
        return min(math.pi, stated + sum(angles))


@dataclass(frozen=True, eq=False)
class ImageSet:
    """Images and their metadata. Row i of every field belongs to image i."""

    images: Images
    names: tuple[str, ...]
    recipe: Recipe
    labels: Labels | None = None
    classes: tuple[str, ...] = ()
    poses: Poses | None = None
    """The true pose of every generated copy: the concatenated coordinates of its transforms."""
    notes: tuple[str, ...] = ()
    """Sentences that describe how the images were changed."""
    made: str = ""
    """The recipe that determines the pixels, if there is one. Code that changes pixels must clear
    it."""
    placements: tuple[Placement, ...] = ()
    """Where each uploaded picture lies on its canvas, so that poses can be converted to its own
    pixels. Code that moves pixels must clear them."""

    def __post_init__(self) -> None:
        n = check_axes(self.images, "n c h w", "images")["n"]
        if not self.images.is_floating_point():
            raise EngineError(f"images must be floats in [0, 1]; got {self.images.dtype}")
        if n and not (self.images.min() >= 0 and self.images.max() <= 1):
            low, high = self.images.min().item(), self.images.max().item()
            raise EngineError(f"images must be in [0, 1]; got values from {low:g} to {high:g}")
        for name in ("names", "labels", "poses", "placements"):
            rows = getattr(self, name)
            if name == "placements" and not rows:
                continue
            if rows is not None and len(rows) != n:
                raise EngineError(
                    f"{name} must have one row for each of the {n} images; got {len(rows)} rows"
                )

    def __repr__(self) -> str:
        n, *axes = self.images.shape
        classes = f", {len(self.classes)} classes" if self.classes else ""
        size = "×".join(str(size) for size in axes[1:])
        return f"ImageSet({n:,} images [{axes[0]} × {size} px], {self.recipe.source}{classes})"

    @cached_property
    def digest(self) -> str:
        """Digest of the recipe if it determines the pixels, otherwise digest of the pixels.

        Equal digests mean equal data on every machine.
        """
        if not self.made:
            return self.pixel_digest
        return digest_recipe(self.made, tuple(self.images.shape), list_labels(self.labels))

    @cached_property
    def pixel_digest(self) -> str:
        """SHA-256 of the pixels, the labels and the shape; it is reproducible if the pixels were
        read from files."""
        return digest_bytes(repr(tuple(self.images.shape)), self.images, self.labels)

    def first(self, limit: int) -> Self:
        """Return the first `limit` images, with a note that the others were omitted."""
        n = len(self.images)
        if limit >= n:
            return self
        return replace(
            self,
            images=self.images[:limit],
            names=self.names[:limit],
            labels=None if self.labels is None else self.labels[:limit],
            poses=None if self.poses is None else self.poses[:limit],
            notes=(*self.notes, f"the first {limit:,} of {n:,} images"),
            made=self.made and f"{self.made}, the first {limit}",
            placements=self.placements[:limit],
        )


@dataclass(frozen=True, eq=False)
class PointSet:
    """Points [n 2] in the plane, and the blob from which each was drawn."""

    points: Tensor
    labels: Labels
    recipe: Recipe
    made: str = ""
    """As in `ImageSet`."""

    @cached_property
    def digest(self) -> str:
        """As in `ImageSet`."""
        if not self.made:
            return self.pixel_digest
        return digest_recipe(self.made, tuple(self.points.shape), list_labels(self.labels))

    @cached_property
    def pixel_digest(self) -> str:
        """SHA-256 of the points and the labels."""
        return digest_bytes(self.points, self.labels)


Data = ImageSet | PointSet


RANDOM_NUMBERS: Final = "random numbers; no licence applies"
"""The origin of data that are computed."""


@dataclass(frozen=True)
class Dataset:
    """An entry in the catalogue: its default config, the function that generates it, and a
    description."""

    default: Config
    make: Callable[[Any], ImageSet | PointSet]
    about: str
    origin: str = ""
    """The source and the licence of data that are not made from the bundled or published images."""

    @property
    def config(self) -> type[Config]:
        return type(self.default)


def thin(data: Data, limit: int) -> Data:
    """Return at most `limit` rows, evenly spaced in the order of the labels, so that no class is
    lost."""
    n = count(data)
    if limit >= n:
        return data
    kept = keep_rows(data, limit)
    made = data.made and f"{data.made}, thinned to {limit}"
    if isinstance(data, PointSet):
        return replace(data, points=data.points[kept], labels=data.labels[kept], made=made)
    return replace(
        data,
        images=data.images[kept],
        placements=tuple(data.placements[row] for row in kept.tolist() if data.placements),
        names=tuple(data.names[row] for row in kept.tolist()),
        labels=None if data.labels is None else data.labels[kept],
        poses=None if data.poses is None else data.poses[kept],
        notes=(*data.notes, f"{limit:,} of {n:,} images, evenly spread over the classes"),
        made=made,
    )


def keep_rows(data: Data, limit: int) -> Tensor:
    """Return the rows that `thin` keeps, in ascending order."""
    n = count(data)
    if limit >= n:
        return torch.arange(n, device="cpu")
    labels = torch.zeros(n, device="cpu") if data.labels is None else data.labels
    order = labels.argsort(stable=True)
    return order[torch.arange(limit, device=order.device) * n // limit].sort().values


def count(data: Data) -> int:
    """Return the number of rows."""
    return len(data.points if isinstance(data, PointSet) else data.images)


@dataclass(frozen=True)
class Summary:
    """A summary without tensors: the number and size of the rows, the count of each class, and
    notes."""

    n: int
    size: tuple[int, int, int] | None
    """Channels, height and width [px]; None for points in the plane."""
    classes: Mapping[str, int]
    digest: str
    notes: tuple[str, ...]


def summarise(data: Data) -> Summary:
    """Summarise data. Classes without images are included, with a count of 0."""
    counts = Counter([] if data.labels is None else data.labels.tolist())
    if isinstance(data, PointSet):
        blobs = {f"blob {label + 1}": count for label, count in sorted(counts.items())}
        return Summary(len(data.points), None, blobs, data.digest, ())
    classes = {title: counts[label] for label, title in enumerate(data.classes)}
    n, *size = data.images.shape
    return Summary(n, (size[0], size[1], size[2]), classes, data.digest, data.notes)


Array = NDArray[Any]


def pack_data(data: Data) -> bytes:
    """Return the arrays of the data as an npz file, which the shell's commands can read."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **to_arrays(data))
    return file.getvalue()


def to_arrays(data: Data) -> dict[str, Array]:
    """Return `images` [n h w] or [n h w c] in [0, 1] with `labels` and `poses`, if known, or
    `points` with `labels`."""
    if isinstance(data, PointSet):
        return {"points": _to_array(data.points), "labels": _to_array(data.labels)}
    arrays = {"images": _channels_last(data.images)}
    if data.labels is not None:
        arrays["labels"] = _given(data.labels, data.classes)
    if data.poses is not None:
        arrays["poses"] = _to_array(data.poses)
    return arrays


def _channels_last(images: Images) -> Array:
    return _to_array(images[:, 0] if images.shape[1] == 1 else images.movedim(1, -1))


def _given(labels: Labels, classes: tuple[str, ...]) -> Array:
    """Return the original labels if they are integers, otherwise the indices of the classes."""
    places = _to_array(labels)
    if not classes or not all(name.removeprefix("-").isdecimal() for name in classes):
        return places
    return np.array([int(name) for name in classes])[places]


def _to_array(x: Tensor) -> Array:
    array: Array = x.detach().cpu().numpy()
    return array


def find_flaws(images: Images) -> Tensor:
    """Return the flaw [n] of each image [n c h w], whose values are in [0, 1]; SOUND if it has
    none.

    >>> find_flaws(torch.ones(2, 1, 4, 4) * torch.tensor([0.0, 0.5])[:, None, None, None]).tolist()
    [1, 2]
    """
    pixels = images.flatten(2)
    contrast = (pixels.amax(2) - pixels.amin(2)).amax(1)
    flaws = torch.full_like(contrast, SOUND)
    flaws[(pixels > AT_TOP).float().mean((1, 2)) > MOST_SATURATED] = SATURATED
    flaws[contrast < LEAST_CONTRAST] = CONSTANT
    flaws[pixels.amax((1, 2)) == 0] = BLANK
    return flaws.long()


def describe_constant(images: Images) -> str:
    """Return a sentence if any of the images [n c h w] is blank or nearly constant, otherwise "".

    >>> describe_constant(torch.zeros(2, 1, 4, 4))
    '2 of 2 images are blank or nearly constant, so attention cannot tell them apart.'
    """
    flaws = find_flaws(images)
    n = int(((flaws == BLANK) | (flaws == CONSTANT)).sum())
    if not n:
        return ""
    return (
        f"{n:,} of {len(images):,} images {'is' if n == 1 else 'are'} blank or nearly constant, so "
        "attention cannot tell them apart."
    )


def describe_flaws(flaws: Tensor) -> Iterator[str]:
    """Yield a sentence for each kind of flaw that occurs.

    >>> list(describe_flaws(torch.tensor([0, 1])))
    ['1 image is blank: nothing differs from the border']
    """
    for flaw, text in _TEXTS.items():
        n = int((flaws == flaw).sum())
        if n:
            yield f"{n:,} image{' is' if n == 1 else 's are'} {text}"
