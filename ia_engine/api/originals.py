"""Aligns the original pictures of a folder at their own resolution, with their own background."""

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.loading import reading
from ia_engine.datasets.uploads.limits import show_name
from ia_engine.errors import EngineError
from ia_engine.poses import Placement, to_original_matrix, to_pixel_matrix
from ia_engine.transforms import GROUPS

Matrix3 = NDArray[np.float64]
HALF: Final = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
"""Moves the origin from the centre of the first pixel to its corner, where Pillow has it."""
IMAGE_MODES: Final = ("L", "RGB", "RGBA")
MOST_16_BITS: Final = 65_535


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
    files = find_originals(Path(folder), data.names)
    return [
        transform(_open(*file), matrix, (place.height, place.width))
        for file, matrix, place in zip(files, matrices, places, strict=True)
    ]


def find_originals(folder: Path, names: Sequence[str]) -> list[tuple[Path, int]]:
    """Return the file of each image, and its frame, which is 0 unless the picture is animated.

    Names of images are those of the files in the folder, with "frame 2" after the name of an
    animation. Long names are shortened, so each is compared with the shortened names of all files.
    """
    files: dict[str, list[Path]] = {}
    with reading(str(folder)):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                for name in (path.relative_to(folder).as_posix(), path.name):
                    files.setdefault(show_name(name), []).append(path)
    return [_find_original(folder, files, name) for name in names]


def _find_original(
    folder: Path, files: Mapping[str, Sequence[Path]], name: str
) -> tuple[Path, int]:
    frame = 0
    if name not in files and (animated := re.fullmatch(r"(.*) frame (\d+)", name)):
        name, frame = animated[1], int(animated[2]) - 1
    found = {*files.get(name, ())}
    if len(found) > 1:  # a file of this path takes precedence over files of this name elsewhere
        found = {path for path in found if path == folder / name} or found
    if len(found) != 1:
        raise EngineError(
            f"originals must contain one file with the name {name}; got {len(found)} in {folder}: "
            "give the folder from which the images were read"
        )
    return found.pop(), frame


def check_placements(data: ImageSet) -> None:
    """Raise EngineError unless the images were read from pictures."""
    if not data.placements:
        raise EngineError(
            "originals can be aligned only if the images were read from pictures, whose places on "
            "the canvas are known; these images are arrays or were generated"
        )


def find_centres(poses: NDArray[Any], labels: NDArray[Any]) -> list[int]:
    """Return for each image the index of the image with which its cluster is aligned: the one
    whose pose is the identity or, after random initial poses, closest to it.

    >>> find_centres(np.array([[0.1], [0.0], [0.0]]), np.array([0, 0, 1]))
    [1, 1, 2]
    """
    moved = np.square(poses).sum(1)
    centres = {}
    for label in np.unique(labels).tolist():
        own = np.flatnonzero(labels == label)
        centres[label] = int(own[moved[own].argmin()])
    return [centres[label] for label in labels.tolist()]


def transform(picture: Image.Image, matrix: Matrix3, size: tuple[int, int]) -> Image.Image:
    """Read each pixel (x, y) of the result, which has `size` (height, width), at matrix (x, y, 1).

    Pixels outside the picture get the median colour of its border.
    """
    moved = HALF @ matrix @ np.linalg.inv(HALF)
    values = (moved / moved[2, 2]).ravel()[:8].tolist()
    bicubic, way = Image.Resampling.BICUBIC, Image.Transform.PERSPECTIVE
    fill = border_colour(picture)
    found = picture.transform(size[::-1], way, values, bicubic, fillcolor=fill)
    if found.mode != "F":
        return found
    return Image.fromarray(np.asarray(found).round().clip(0, MOST_16_BITS).astype(np.uint16))


def border_colour(picture: Image.Image) -> tuple[int, ...] | int:
    """Return the median colour of the outermost pixels."""
    pixels = np.asarray(picture)
    sides: Sequence[NDArray[Any]] = (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1])
    middle = np.median(np.concatenate(sides), axis=0).astype(int)
    return int(middle) if middle.ndim == 0 else tuple(middle.tolist())


def _open(path: Path, frame: int) -> Image.Image:
    """Read a frame of a picture upright, in a mode that can be interpolated: F for 16 bits."""
    try:
        with reading(str(path)), Image.open(path) as file:
            file.seek(frame)
            upright = ImageOps.exif_transpose(file)
            if upright.mode.startswith("I"):
                return Image.fromarray(np.asarray(upright).astype(np.float32))
            return upright if upright.mode in IMAGE_MODES else upright.convert("RGBA")
    except (EOFError, Image.DecompressionBombError) as error:
        raise EngineError(
            f"{path} must be the picture that was read before; got another one ({error}): restore "
            "the original"
        ) from error
