"""What every source returns: images in [0, 1] on a background of 0, and where they come from."""

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from ia_engine.datasets.digests import digest_bytes, digest_recipe, list_labels
from ia_engine.errors import EngineError
from ia_engine.params import Config
from ia_engine.shapes import Images, Labels, Poses, check_axes


@dataclass(frozen=True)
class Recipe:
    """What makes a data set again: the name of its source and the source's config."""

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
    """Images with what is known of them. Row i of every field is of image i."""

    images: Images
    names: tuple[str, ...]
    recipe: Recipe
    labels: Labels | None = None
    classes: tuple[str, ...] = ()
    poses: Poses | None = None
    """The true pose of every generated copy: the coordinates of its transforms in their order."""
    notes: tuple[str, ...] = ()
    """What was done to the images on the way in, a sentence each."""
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
        """Equal digests mean equal data, on every machine: of the recipe, or else of the pixels."""
        if not self.made:
            return self.pixel_digest
        return digest_recipe(self.made, tuple(self.images.shape), list_labels(self.labels))

    @cached_property
    def pixel_digest(self) -> str:
        """SHA-256 over every pixel, label and shape: exact for pixels that come from files."""
        return digest_bytes(repr(tuple(self.images.shape)), self.images, self.labels)

    def first(self, limit: int) -> Self:
        """The first so many images; what is left out is noted."""
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
