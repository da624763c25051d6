"""Aligns the original pictures of a folder at their own resolution, with their own background."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.loading import reading
from ia_engine.errors import EngineError
from ia_engine.poses import Placement, to_original_matrix, to_pixel_matrix
from ia_engine.transforms import GROUPS

Matrix3 = NDArray[np.float64]
HALF: Final = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
"""Moves the origin from the centre of the first pixel to its corner, where Pillow has it."""
IMAGE_MODES: Final = ("L", "RGB", "RGBA")


def align_originals(
    data: ImageSet,
    folder: str | PathLike[str],
    poses: NDArray[Any],
    group: str,
    places: Sequence[Placement],
) -> list[Image.Image]:
    """Return the pictures in a folder, each warped onto the picture whose place is given.

    The result has the size of that picture. `poses` [n p] belong to the canvases of the data.
    """
    check_placements(data)
    height, width = data.images.shape[-2:]
    canvas = to_pixel_matrix(GROUPS[group], torch.from_numpy(poses), height, width)
    matrices = to_original_matrix(canvas, data.placements, places).numpy()
    return [
        transform(_open(Path(folder, name)), matrix, (place.height, place.width))
        for name, matrix, place in zip(data.names, matrices, places, strict=True)
    ]


def check_placements(data: ImageSet) -> None:
    """Raise EngineError unless the images were read from pictures."""
    if not data.placements:
        raise EngineError(
            "originals can be aligned only if the images were read from pictures, whose places on "
            "the canvas are known; these images are arrays or were generated"
        )


def find_centres(poses: NDArray[Any], labels: NDArray[Any]) -> list[int]:
    """Return for each image the index of the image with which its cluster is aligned.

    >>> find_centres(np.array([[0.1], [0.0], [0.0]]), np.array([0, 0, 1]))
    [1, 1, 2]
    """
    still = (poses == 0).all(1)
    centres = {}
    for label in np.unique(labels).tolist():
        own = np.flatnonzero(labels == label)
        centres[label] = int(own[still[own].argmax()])
    return [centres[label] for label in labels.tolist()]


def transform(picture: Image.Image, matrix: Matrix3, size: tuple[int, int]) -> Image.Image:
    """Read each pixel (x, y) of the result, which has `size` (height, width), at matrix (x, y, 1).

    Pixels outside the picture get the median colour of its border.
    """
    moved = HALF @ matrix @ np.linalg.inv(HALF)
    values = (moved / moved[2, 2]).ravel()[:8].tolist()
    bicubic, way = Image.Resampling.BICUBIC, Image.Transform.PERSPECTIVE
    fill = border_colour(picture)
    return picture.transform(size[::-1], way, values, bicubic, fillcolor=fill)


def border_colour(picture: Image.Image) -> tuple[int, ...] | int:
    """Return the median colour of the outermost pixels."""
    pixels = np.asarray(picture)
    sides: Sequence[NDArray[Any]] = (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1])
    middle = np.median(np.concatenate(sides), axis=0).astype(int)
    return int(middle) if middle.ndim == 0 else tuple(middle.tolist())


def _open(path: Path) -> Image.Image:
    """Read a picture upright, in a mode that can be interpolated."""
    with reading(str(path)), Image.open(path) as file:
        upright = ImageOps.exif_transpose(file)
        return upright.copy() if upright.mode in IMAGE_MODES else upright.convert("RGBA")
