"""Fewer rows of a data set, evenly spread, so that every class stays in it."""

from dataclasses import replace

import torch
from torch import Tensor

from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.imageset import ImageSet

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
