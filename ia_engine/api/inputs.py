"""Reads images from arrays, tensors, folders, paths, pictures and names of data sets.

The result's notes state how an array was read: its layout, its size and its scale.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, Literal, cast, overload

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps
from torch import Tensor

from ia_engine.api.originals import MOST_16_BITS
from ia_engine.datasets.array_files import FileConfig, to_images
from ia_engine.datasets.data import ImageSet, PointSet, Recipe, describe_flaws, find_flaws
from ia_engine.datasets.loading import (
    FileOnDisk,
    Loaded,
    load_data,
    match_reading,
    read_pictures,
)
from ia_engine.datasets.scaling import Scale
from ia_engine.datasets.uploads import Upload, UploadConfig
from ia_engine.datasets.uploads.arrays import CHANNELS, SIDES
from ia_engine.datasets.uploads.reading import describe_scales
from ia_engine.equivariant.checkpoint import SHIPPED, Trained, load_shipped
from ia_engine.errors import EngineError

Array = NDArray[Any]
Name = str | PathLike[str]
Source = ImageSet | Array | Tensor | Name | Sequence[Name | Image.Image | Array | Tensor]
"""Images: an array or a tensor, a folder, a file or the name of a data set, or a list of paths, of
pictures or of arrays of one shape."""

PLAIN_MODES: Final = ("1", "L", "LA", "P", "RGB", "RGBA")
"""Modes of pictures with 8 bits that PNG can store without loss."""
KINDS: Final = {1: "grey", 2: "grey with alpha", 3: "colour", 4: "colour with alpha"}


@overload
def load(source: Literal["z2", "p4", "alpha-f-p4"]) -> Trained: ...
@overload
def load(
    source: Literal["blobs"], *, limit: int | None = None, seed: int | None = None
) -> PointSet: ...
@overload
def load(
    source: Source,
    *,
    limit: int | None = None,
    size: int = 64,
    margin: float = 0.15,
    background: str = "auto",
    color: str = "auto",
    cut: str = "whole",
    scale: str = "stack",
    fit: str = "each",
    seed: int | None = None,
) -> ImageSet: ...
def load(
    source: Source,
    *,
    limit: int | None = None,
    size: int = 64,
    margin: float = 0.15,
    background: str = "auto",
    color: str = "auto",
    cut: str = "whole",
    scale: str = "stack",
    fit: str = "each",
    seed: int | None = None,
) -> ImageSet | PointSet | Trained:
    """Load images, a bundled or published data set, or a bundled network.

    `source` is an array or a tensor of images, a folder, a file, a list of paths or pictures, or a
    name: of a data set, such as "experiment-1" (`ia_engine.datasets.recipes.DATASETS` lists all of
    them), or of a network, "z2", "p4" or "alpha-f-p4". At most `limit` images are read. Each
    picture is scaled to fit a canvas of `size` px with an empty `margin` (a share of `size`), so
    that sizes are not comparable afterwards; with `fit="common"`, all pictures are scaled by one
    factor, and so are new pictures for `predict`. `background`, `color` and `cut` are those of
    `ia_engine.datasets.uploads.UploadConfig`: use `background="keep"` for photographs. `scale` is
    the rule for arrays beyond [0, 1] and 8 bits. `seed` replaces that of a generated data set. The
    notes of the result state what was done.

    >>> import numpy as np
    >>> from ia_engine import load
    >>> data = load("experiment-1")
    >>> data.images.shape, data.classes
    (torch.Size([18, 1, 64, 64]), ('Crab', 'Seven', 'Snail'))
    >>> load(np.zeros((5, 28, 28), np.uint8)).notes[0]
    'read as [n h w]: 5 grey images of 28×28 px'
    >>> load("p4").record.network
    'p4'
    """
    if isinstance(source, str) and source in SHIPPED:
        return load_shipped(source)
    config = UploadConfig(size, margin, background, color, cut=cut, scale=scale, fit=fit)
    return _read(source, config, limit, seed)


def read_images(source: Source, seed: int | None = None) -> ImageSet:
    """Read images with the default settings of `load`; an ImageSet is returned unchanged.

    >>> read_images(torch.zeros(2, 3, 8, 8)).notes[0]
    'read as [n c h w]: 2 colour images of 8×8 px'
    """
    found = _read(source, UploadConfig(), None, seed)
    if isinstance(found, PointSet):
        raise EngineError("this function needs images; got points in the plane: choose images")
    if not len(found.images):
        raise EngineError("this function needs at least one image; got none")
    return found


def read_like(data: ImageSet, source: Source) -> ImageSet:
    """Read new images like those of another set, as the pages and the shell read them."""
    config, known = match_reading(data.images, data.recipe.to_json())
    found = _read(source, config, None, None, known)
    if isinstance(found, PointSet):
        raise EngineError("new images are needed; got points in the plane: choose images")
    return found


def _read(
    source: Source,
    config: UploadConfig,
    limit: int | None,
    seed: int | None,
    known: Scale | None = None,
) -> ImageSet | PointSet:
    if limit is not None and limit < 1:
        raise EngineError(f"limit must be at least 1; got {limit}")
    if isinstance(source, ImageSet):
        return source if limit is None else source.first(limit)
    if isinstance(source, str | PathLike):
        return _with_refusals(load_data(fspath(source), config, limit, seed, known=known))
    if isinstance(source, np.ndarray | Tensor):
        return _read_array(source, config.scale, limit, known)
    if isinstance(source, Sequence) and len(source):
        return _read_list(source, config, limit, known)
    raise EngineError(
        "images must be an array, a tensor, a path, the name of a data set or a list of paths, "
        f"pictures or arrays; got {_describe_type(source)}"
    )


def _read_list(
    source: Sequence[Any], config: UploadConfig, limit: int | None, known: Scale | None
) -> ImageSet | PointSet:
    """Read a list whose elements are of one kind."""
    if all(isinstance(item, Tensor) for item in source):
        _check_shapes(source)
        return _read_array(torch.stack([*source]), config.scale, limit, known)
    if all(isinstance(item, np.ndarray) for item in source):
        _check_shapes(source)
        return _read_array(np.stack(source), config.scale, limit, known)
    if all(isinstance(item, str | PathLike) for item in source):
        files = [FileOnDisk(Path(item), Path(item).name) for item in source]
        return _with_refusals(read_pictures(files, "the list of paths", config, limit))
    if all(isinstance(item, Image.Image) for item in source):
        pictures = [_to_upload(item, at) for at, item in enumerate(source)]
        return _with_refusals(read_pictures(pictures, "the list of pictures", config, limit))
    kinds = sorted({type(item).__name__ for item in source})
    raise EngineError(
        "a list of images must contain only paths, only pictures, only arrays or only tensors; got "
        f"{', '.join(kinds)}"
    )


def _read_array(
    source: Array | Tensor, rule: str, limit: int | None, known: Scale | None
) -> ImageSet:
    """Read images of one shape; the first note states their layout."""
    is_tensor = isinstance(source, Tensor)
    array = _to_array(source) if is_tensor else cast(Array, source)
    name = "the tensor" if is_tensor else "the array"
    layout = _find_layout(name, array.shape, is_tensor)
    if layout == "n c h w":  # other code prefers channels at the end where both are possible
        array = array.transpose(0, 2, 3, 1)
    images, notes, scale = to_images(name, array, limit, rule, known)
    n, channels = len(images), array.shape[3] if array.ndim == 4 else 1
    height, width = images.shape[-2:]
    plural = "" if n == 1 else "s"
    read = f"read as [{layout}]: {n:,} {KINDS[channels]} image{plural} of {height}×{width} px"
    if n < len(array):
        notes = (*notes, f"the first {n:,} of {len(array):,} images")
    names = tuple(f"image {i + 1}" for i in range(n))
    flaws = describe_flaws(find_flaws(images))
    return ImageSet(
        images, names, Recipe("file", FileConfig.of(name, scale)), notes=(read, *notes, *flaws)
    )


def _find_layout(name: str, shape: tuple[int, ...], is_tensor: bool) -> str:
    """Return "n h w", "n h w c" or "n c h w". Raises EngineError if the shape is ambiguous."""
    if len(shape) == 3 and shape[2] in CHANNELS and min(shape[:2]) >= SIDES[0]:
        raise EngineError(
            f"{name} of shape {shape} looks like one picture [h w c]; pass a stack: array[None]"
        )
    if len(shape) == 2:
        raise EngineError(
            f"{name} of shape {shape} must be a stack of images [n h w]: use array[None] for one "
            "image [h w], or array.reshape(n, h, w) for rows of pixels"
        )
    last, first = (len(shape) == 4 and shape[axis] in CHANNELS for axis in (3, 1))
    if last and first and not is_tensor:
        raise EngineError(
            f"{name} of shape {shape} can be read as [n h w c] and as [n c h w]: pass a tensor "
            "[n c h w] to state which"
        )
    layout = "n h w" if len(shape) == 3 else "n c h w" if first else "n h w c" if last else ""
    sides = [size for axis, size in zip(layout.split(), shape, strict=False) if axis in "hw"]
    if not sides or not all(SIDES[0] <= side <= SIDES[1] for side in sides):
        raise EngineError(
            f"{name} must have the axes [n h w], [n h w c] or [n c h w] with 1 to 4 channels and "
            f"sides from {SIDES[0]} to {SIDES[1]} px; got the shape {shape}"
        )
    return layout


def _to_array(source: Array | Tensor) -> Array:
    assert isinstance(source, Tensor)
    plain = source.detach().cpu()
    array: Array = (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy()
    return array


def _to_upload(picture: Image.Image, at: int) -> Upload:
    """Encode a picture as PNG, turned upright as its file says, so that it is read like a file."""
    name = Path(getattr(picture, "filename", "") or f"picture {at + 1}.png").name
    content = io.BytesIO()
    upright = ImageOps.exif_transpose(picture)
    if upright.mode.startswith(("I", "F")):
        upright = _to_16_bits(name, upright)
    elif upright.mode not in PLAIN_MODES:
        upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    upright.save(content, "PNG", compress_level=1)
    return Upload(name, content.getvalue())


def _to_16_bits(name: str, picture: Image.Image) -> Image.Image:
    """Return a grey picture with 16 bits, the most that PNG can store."""
    values = np.asarray(picture)
    if picture.mode == "F" or values.min() < 0 or values.max() > MOST_16_BITS:
        raise EngineError(
            f"{name} must have whole grey values from 0 to {MOST_16_BITS:,}; got mode "
            f"{picture.mode} with values from {values.min():g} to {values.max():g}: pass arrays, "
            "numpy.asarray(picture), whose scale is found from their values"
        )
    return Image.fromarray(values.astype(np.uint16))


def _with_refusals(loaded: Loaded) -> ImageSet | PointSet:
    """Return the data, whose notes also state where pictures were placed, and what was refused."""
    data = loaded.data
    if isinstance(data, PointSet):
        return data
    read = tuple(_describe_placed(data)) if data.placements else ()
    return replace(data, notes=(*read, *data.notes, *loaded.refused))


def _describe_placed(data: ImageSet) -> Iterator[str]:
    n, size = len(data.images), "{}×{} px".format(*data.images.shape[-2:])
    placed = f"a picture, placed on a canvas of {size}" if n == 1 else ""
    yield f"read {placed or f'{n:,} pictures, placed on canvases of {size}'}"
    each = isinstance(data.recipe.config, UploadConfig) and data.recipe.config.fit == "each"
    if each and any(describe_scales(data.placements)):
        yield 'pictures of different sizes: use fit="common" to scale all by the same factor'


def _check_shapes(arrays: Sequence[Array | Tensor]) -> None:
    shapes = sorted({tuple(array.shape) for array in arrays})
    if len(shapes) > 1:
        raise EngineError(
            f"a list must have arrays of one shape; got {shapes[0]} and {shapes[1]}: pass paths "
            "or Pillow pictures, which are placed on one canvas"
        )


def _describe_type(source: object) -> str:
    return "an empty list" if isinstance(source, Sequence) else type(source).__name__
