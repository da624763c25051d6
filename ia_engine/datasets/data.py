"""Fewer rows of a data set, evenly spread, so that every class stays in it.

What a data set is, in numbers and words that need no tensors.

A data set as arrays in one npz file: the shell reads it again, the Data page its images.
"""

import io
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.imageset import ImageSet
from ia_engine.shapes import Images, Labels

Data = ImageSet | PointSet


def thin(data: Data, limit: int) -> Data:
    """At most `limit` rows, at even distances in the order of the labels."""
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
        names=tuple(data.names[row] for row in kept.tolist()),
        labels=None if data.labels is None else data.labels[kept],
        poses=None if data.poses is None else data.poses[kept],
        notes=(*data.notes, f"{limit:,} of {n:,} images, evenly spread over the classes"),
        made=made,
    )


def keep_rows(data: Data, limit: int) -> Tensor:
    """Which rows `thin` keeps, in ascending order."""
    n = count(data)
    if limit >= n:
        return torch.arange(n, device="cpu")
    labels = torch.zeros(n, device="cpu") if data.labels is None else data.labels
    order = labels.argsort(stable=True)
    return order[torch.arange(limit, device=order.device) * n // limit].sort().values


def count(data: Data) -> int:
    """How many rows there are."""
    return len(data.points if isinstance(data, PointSet) else data.images)


@dataclass(frozen=True)
class Summary:
    """How many rows of which size, the classes with their counts, and what was done to them."""

    n: int
    size: tuple[int, int, int] | None
    """Channels, height and width [px]; None for points in the plane."""
    classes: Mapping[str, int]
    digest: str
    notes: tuple[str, ...]


def summarise(data: Data) -> Summary:
    """Classes without an image are counted too: 0 is an answer."""
    counts = Counter([] if data.labels is None else data.labels.tolist())
    if isinstance(data, PointSet):
        blobs = {f"blob {label + 1}": count for label, count in sorted(counts.items())}
        return Summary(len(data.points), None, blobs, data.digest, ())
    classes = {title: counts[label] for label, title in enumerate(data.classes)}
    n, *size = data.images.shape
    return Summary(n, (size[0], size[1], size[2]), classes, data.digest, data.notes)


Array = NDArray[Any]


def pack_data(data: Data) -> bytes:
    """The arrays of the data as the bytes of an npz file."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **to_arrays(data))
    return file.getvalue()


def to_arrays(data: Data) -> dict[str, Array]:
    """`images` [n h w] or [n h w c] in [0, 1], `labels` and `poses`, where known; or `points`."""
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
    """The labels as they came, where they are whole numbers; otherwise the classes' places."""
    places = _to_array(labels)
    if not classes or not all(name.removeprefix("-").isdecimal() for name in classes):
        return places
    return np.array([int(name) for name in classes])[places]


def _to_array(x: Tensor) -> Array:
    array: Array = x.detach().cpu().numpy()
    return array
