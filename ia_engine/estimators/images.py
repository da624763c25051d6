"""The images in the X of an estimator, and the parameters that become a config of the engine.

X is [n, h·w] or [n, c·h·w] with `image_shape`, [n h w], or [n c h w]. Without `image_shape`, rows
whose length is a square number are square images; other rows are images of one row of pixels.
"""

from math import isqrt
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_random_state, validate_data
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.params import Config, parameters

Array = NDArray[Any]
Shape = tuple[int, ...]
C = TypeVar("C", bound=Config)

PRECOMPUTED = "precomputed"
"""The metric of an estimator whose X holds distances."""
FLOATS = (np.float64, np.float32)
SEEDS = 1 << 31
CHANNELS_FIRST = 4
"""Number of axes of X if its images have channels."""
MOST_CHANNELS = 4
"""Maximum number of channels of an image: colour with alpha."""


class ImageEstimator(TransformerMixin, BaseEstimator):
    """Base of the estimators, whose parameter `image_shape` states the axes of an image."""

    image_shape: Shape | None
    image_shape_: Shape
    """[c h w]: the axes of an image."""
    n_features_in_: int

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        tags.input_tags.pairwise = getattr(self, "metric", "") == PRECOMPUTED
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _read_fitted(self, X: ArrayLike) -> tuple[Images, Array]:
        """Return the images of the training set [n c h w], and X as a matrix [n p]."""
        flat, shape = flatten(X)
        flat = validate_data(self, flat, dtype=FLOATS)
        self.image_shape_ = find_shape(self.image_shape, shape, flat.shape[1])
        return to_images(flat, self.image_shape_), flat

    def _read_new(self, X: ArrayLike) -> tuple[Images, Array]:
        """Return new images [n c h w], and X as a matrix [n p]."""
        check_is_fitted(self)
        flat, shape = flatten(X)
        flat = validate_data(self, flat, dtype=FLOATS, reset=False)
        if shape and _with_channels(shape) != self.image_shape_:
            raise ValueError(
                f"X must have images of the shape {self.image_shape_} [c h w], as in fit; got "
                f"{_with_channels(shape)}"
            )
        return to_images(flat, self.image_shape_), flat

    def _configure(self, config: type[C], **values: object) -> C:
        """Return a config of the engine with the parameters of the same names, and `values`."""
        given = self.get_params(deep=False)
        names = [part.name for part in parameters(config) if part.name in given]
        values = {name: given[name] for name in names} | values
        return config.from_values({name: _to_plain(value) for name, value in values.items()})


def flatten(X: ArrayLike) -> tuple[Any, Shape]:
    """Return X as a matrix [n p], and the axes of its images if it has more than two axes.

    Everything that is not an array with more than two axes is returned unchanged.
    """
    axes = np.ndim(X) if isinstance(X, list | tuple) else getattr(X, "ndim", 0)
    if axes <= 2:
        return X, ()
    array = np.asarray(X)
    if array.ndim > CHANNELS_FIRST:
        raise ValueError(f"X must have the axes [n p], [n h w] or [n c h w]; got {array.shape}")
    _, *axes = array.shape
    if len(axes) == CHANNELS_FIRST - 1 and axes[0] > MOST_CHANNELS >= axes[-1]:
        raise ValueError(
            f"X must have the axes [n c h w]; got {array.shape}, which looks like [n h w c]: use "
            "numpy.moveaxis(X, -1, 1)"
        )
    return array.reshape(len(array), -1), array.shape[1:]


def find_shape(wanted: Shape | None, given: Shape, pixels: int) -> Shape:
    """Return the axes (c, h, w) of images, from `image_shape` or from the axes of X."""
    shape = tuple(int(size) for size in wanted) if wanted is not None else given
    if wanted is not None and given and _with_channels(given) != _with_channels(shape):
        raise ValueError(f"image_shape must be the axes of the images in X, {given}; got {shape}")
    if not shape:
        side = isqrt(pixels)
        shape = (side, side) if side * side == pixels else (1, pixels)
    if len(shape) not in (2, 3) or np.prod(shape) != pixels or min(shape) < 1:
        raise ValueError(
            f"image_shape must be (h, w) or (c, h, w) with {pixels} values, the number of "
            f"features of X; got {shape}"
        )
    return _with_channels(shape)


def to_images(flat: Array, shape: Shape) -> Images:
    """Return the rows of a matrix as images [n c h w] of 32-bit floats."""
    return to_tensor(flat).view(len(flat), *shape)


def to_tensor(flat: Array) -> Tensor:
    """Return a matrix as 32-bit floats."""
    return torch.tensor(np.asarray(flat), device="cpu", dtype=torch.float32)


def to_rows(x: Tensor, like: Array) -> Array:
    """Return images or other rows as a matrix with the dtype of the matrix X."""
    return x.detach().flatten(1).cpu().numpy().astype(like.dtype)


def to_labels(x: Tensor) -> NDArray[np.int64]:
    """Return a copy of labels as an array."""
    return np.array(x.cpu().numpy(), dtype=np.int64)


def draw_seed(random_state: object) -> int:
    """Return the seed of a run: the integer itself, or one that a random generator draws."""
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state must be at least 0; got {random_state}")
        return int(random_state)
    return int(check_random_state(random_state).randint(SEEDS))


def check_count(n: int, k: int) -> None:
    """Raise an error, in the words of scikit-learn, if there are fewer images than clusters."""
    if k < 1:
        raise EngineError(f"n_clusters must be at least 1; got {k}")
    if n < k:
        raise EngineError(f"n_samples={n} must be at least n_clusters={k}")


def _with_channels(shape: Shape) -> Shape:
    return shape if len(shape) == 3 else (1, *shape)


def _to_plain(value: object) -> object:
    """Convert a NumPy scalar, which a grid search may pass, to a Python number."""
    return value.item() if isinstance(value, np.generic) else value
