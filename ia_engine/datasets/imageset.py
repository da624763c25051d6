"""Image sets: images in [0, 1] on a background of 0, their recipe, and their digest.

Digests are short names by which runs and caches recognise their data. Computed pixels differ in
their last bits between processors, and rounding does not help: a value near a rounding boundary may
fall to either side. Hence there are two rules:

- data made by a recipe are named by the recipe (`digest_recipe`), and no pixel is hashed;
- data from files, whose bytes are equal everywhere, are named by these bytes (`digest_bytes`).
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from string import hexdigits
from typing import Final, Self

import torch
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.params import Config
from ia_engine.shapes import Images, Labels, Poses, check_axes

VERSION: Final = 1
"""Raise this when a recipe makes different images; `test_digests.py` detects it."""
LENGTH: Final = 64


def digest_recipe(made: str, *parts: object) -> str:
    """A digest of a recipe, and of parts that are exact on every machine.

    It begins with "r", which is no hexadecimal digit, and the version of the recipes.
    """
    content = hashlib.sha256(repr((made, *parts)).encode()).hexdigest()
    return f"r{VERSION}-{content}"[:LENGTH]


def digest_bytes(*parts: Tensor | str | None) -> str:
    """SHA-256 over texts and tensors: floats as float32, integers as int64."""
    content = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            content.update(part.encode())
        elif part is not None:
            content.update(_to_bytes(part))
    return content.hexdigest()


def is_of_first_pixels(digest: str) -> bool:
    """True if this is an old digest of pixels, and recipes still make the same images."""
    return VERSION == 1 and len(digest) == LENGTH and not set(digest) - set(hexdigits)


def list_labels(labels: Tensor | None) -> Iterable[int] | None:
    """Labels as integers, for `digest_recipe`."""
    return None if labels is None else labels.tolist()


def _to_bytes(x: Tensor) -> bytes:
    if x.dtype != torch.uint8:
        x = x.to(torch.float32 if x.is_floating_point() else torch.int64)
    return x.detach().cpu().contiguous().numpy().tobytes()


@dataclass(frozen=True)
class Recipe:
    """How to make a data set again: the name of its source and the source's config."""

    source: str
    config: Config

    def to_json(self) -> str:
        return json.dumps(
            {"source": self.source, "config": json.loads(self.config.to_json())},
            sort_keys=True,
            ensure_ascii=False,
        )


@dataclass(frozen=True, eq=False)
class ImageSet:
    """Images and what is known about them. Row i of every field belongs to image i."""

    images: Images
    names: tuple[str, ...]
    recipe: Recipe
    labels: Labels | None = None
    classes: tuple[str, ...] = ()
    poses: Poses | None = None
    """The true pose of every generated copy: concatenated coordinates of its transforms."""
    notes: tuple[str, ...] = ()
    """Sentences about how the images were changed."""
    made: str = ""
    """What determines the pixels, if a recipe made them; code that changes pixels must clear it."""

    def __post_init__(self) -> None:
        n = check_axes(self.images, "n c h w", "images")["n"]
        if not self.images.is_floating_point():
            raise EngineError(f"images must be floats in [0, 1]; got {self.images.dtype}")
        if n and not (self.images.min() >= 0 and self.images.max() <= 1):
            low, high = self.images.min().item(), self.images.max().item()
            raise EngineError(f"images must lie in [0, 1], they reach from {low:g} to {high:g}")
        for name in ("names", "labels", "poses"):
            rows = getattr(self, name)
            if rows is not None and len(rows) != n:
                raise EngineError(f"{name} has {len(rows)} rows for {n} images")

    @cached_property
    def digest(self) -> str:
        """Equal digests mean equal data, on every machine: of the recipe, otherwise of the
        pixels."""
        if not self.made:
            return self.pixel_digest
        return digest_recipe(self.made, tuple(self.images.shape), list_labels(self.labels))

    @cached_property
    def pixel_digest(self) -> str:
        """SHA-256 over every pixel, label and shape: exact for pixels that come from files."""
        return digest_bytes(repr(tuple(self.images.shape)), self.images, self.labels)

    def first(self, limit: int) -> Self:
        """The first `limit` images, with a note about the others."""
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
        )
