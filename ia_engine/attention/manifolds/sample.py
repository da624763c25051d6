"""Selects a sample of a data set that is small enough for computing all results at once."""

from dataclasses import dataclass
from typing import Final

import torch

from ia_engine.attention.iteration import normalise
from ia_engine.datasets.data import ImageSet, keep_rows, thin
from ia_engine.images import Images, resize

MAX_IMAGES: Final = 60
MAX_SIDE: Final = 64
"""Maximum side [px]; larger images are resized."""


@dataclass(frozen=True, eq=False)
class ImageSample:
    """Some images, sorted by class."""

    images: Images
    """The images with values in [0, 1]."""
    v: Images
    """The images with unit norm."""
    names: tuple[str, ...]
    labels: tuple[int, ...]
    """The label of each image; empty if unknown."""
    classes: tuple[str, ...]
    digest: str
    """Digest of the whole data set."""
    total: int
    """Number of images in the data set."""
    reduced: bool
    """True if the images were resized to fewer pixels than in the data set."""
    rows: tuple[int, ...]
    """Index of each image in the data set."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The rows, counted from 1 as in the captions of images."""
        return tuple(row + 1 for row in self.rows)


def gather(data: ImageSet, most: int = MAX_IMAGES) -> ImageSample:
    """Select at most `most` images, evenly distributed over the classes, and resize them to at most
    MAX_SIDE px."""
    part = thin(data, most)
    if not isinstance(part, ImageSet):
        raise TypeError(f"expected a subset of type ImageSet; got {type(part).__name__}")
    labels = [0] * len(part.names) if part.labels is None else part.labels.tolist()
    order = sorted(range(len(labels)), key=labels.__getitem__)
    images = part.images[torch.tensor(order, dtype=torch.long, device=part.images.device)]
    height, width = images.shape[-2:]
    share = MAX_SIDE / max(height, width)
    if share < 1:
        images = resize(images, max(1, round(height * share)), max(1, round(width * share)))
    return ImageSample(
        images=images,
        v=normalise(images),
        names=tuple(part.names[k] for k in order),
        labels=() if part.labels is None else tuple(labels[k] for k in order),
        classes=part.classes,
        digest=data.digest,
        total=len(data.names),
        reduced=share < 1,
        rows=list_rows(data, most),
    )


def list_rows(data: ImageSet, most: int = MAX_IMAGES) -> tuple[int, ...]:
    """Return the rows that `gather` selects, in the same order."""
    kept = keep_rows(data, most).tolist()
    labels = [0] * len(data.names) if data.labels is None else data.labels.tolist()
    return tuple(sorted(kept, key=labels.__getitem__))
