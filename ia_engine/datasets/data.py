"""Any data set, images or points: reduced to fewer rows, summarised, or packed as npz."""

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
    """At most `limit` rows, evenly spaced in the order of the labels, so that every class
    remains."""
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
    """The rows that `thin` keeps, in ascending order."""
    n = count(data)
    if limit >= n:
        return torch.arange(n, device="cpu")
    labels = torch.zeros(n, device="cpu") if data.labels is None else data.labels
    order = labels.argsort(stable=True)
    return order[torch.arange(limit, device=order.device) * n // limit].sort().values


def count(data: Data) -> int:
    """Number of rows."""
    return len(data.points if isinstance(data, PointSet) else data.images)


@dataclass(frozen=True)
class Summary:
    """Number and size of the rows, the classes with their counts, and notes; without tensors."""

    n: int
    size: tuple[int, int, int] | None
    """Channels, height and width [px]; None for points in the plane."""
    classes: Mapping[str, int]
    digest: str
    notes: tuple[str, ...]


def summarise(data: Data) -> Summary:
    """Classes without images are included, with count 0."""
    counts = Counter([] if data.labels is None else data.labels.tolist())
    if isinstance(data, PointSet):
        blobs = {f"blob {label + 1}": count for label, count in sorted(counts.items())}
        return Summary(len(data.points), None, blobs, data.digest, ())
    classes = {title: counts[label] for label, title in enumerate(data.classes)}
    n, *size = data.images.shape
    return Summary(n, (size[0], size[1], size[2]), classes, data.digest, data.notes)


Array = NDArray[Any]


def pack_data(data: Data) -> bytes:
    """The arrays of the data as an npz file, which the shell reads."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **to_arrays(data))
    return file.getvalue()


def to_arrays(data: Data) -> dict[str, Array]:
    """`images` [n h w] or [n h w c] in [0, 1], `labels` and `poses` if known; or `points`."""
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
    """The original labels if they are integers; otherwise the indices of the classes."""
    places = _to_array(labels)
    if not classes or not all(name.removeprefix("-").isdecimal() for name in classes):
        return places
    return np.array([int(name) for name in classes])[places]


def _to_array(x: Tensor) -> Array:
    array: Array = x.detach().cpu().numpy()
    return array
