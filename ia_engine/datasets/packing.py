"""A data set as arrays in one npz file: the shell reads it again, the Data page its images."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.thinning import Data
from ia_engine.shapes import Images, Labels

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
