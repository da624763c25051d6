"""Arrays of images and labels: npy, npz, IDX and torch files. Headers are checked before data.

Files written by torch.save may contain only tensors, and nothing in them is executed. Before
torch's own zip reader and unpickler open a file, its members are checked and rewritten, so that
both readers see the same zip. The pickle may refer only to what tensors need.
"""

import io
import math
import pickletools
import re
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from ia_engine.datasets.idx import read_idx
from ia_engine.datasets.scaling import count_colors, find_scale
from ia_engine.datasets.uploads.archive import base_name, open_archive, unpack
from ia_engine.datasets.uploads.limits import (
    LONGEST_SIDE,
    MOST_BYTES,
    Budget,
    Found,
    LabelList,
    Stack,
    show_name,
)
from ia_engine.errors import EngineError
from ia_engine.poses.placement import Placement

Array = NDArray[np.generic]

DEFLATE_RATIO = 1100
"""Deflate cannot exceed this ratio, so blank images are accepted and only their size is limited."""
SIDES = (4, 4096)
MOST_VALUES_PER_IMAGE = 1 << 22
CHUNK_VALUES = 1 << 20
MOST_LABELS = 10_000
LONGEST_HEADER = 1 << 17
CHANNELS = (1, 2, 3, 4)
"""Grey or colour, with or without an alpha channel."""
LARGEST_WHOLE = 2**53
"""Larger integers are not exact in float64."""


def read_npy(name: str, content: bytes, budget: Budget) -> Iterator[Found]:
    """Read images [n h w] or [n h w c], or labels [n]."""
    return sort_array(name, parse_npy(name, content), budget)


def read_idx_file(name: str, content: bytes, budget: Budget) -> Iterator[Found]:
    """Read images or labels; the file may be gzipped."""
    return sort_array(name, read_idx(content, name, partial(budget.unpack, name)).numpy(), budget)


def read_npz(name: str, content: bytes, budget: Budget) -> Iterator[Found]:
    """Read `images` and, if present, `labels`. No other arrays are unpacked."""
    return pair_arrays(name, unpack_arrays(name, content, budget), budget)


def unpack_arrays(
    name: str,
    source: bytes | Path,
    budget: Budget,
    most: int = MOST_BYTES,
    wanted: tuple[str, ...] = ("images", "labels"),
) -> dict[str, Array]:
    """Return the requested arrays of an npz file, each up to a size limit. No other arrays are
    unpacked."""
    with open_archive(name, source) as archive:
        keys = [member.removesuffix(".npy") for member in archive.namelist()]
        return {
            key: parse_npy(name, unpack(archive, member, budget, most, DEFLATE_RATIO))
            for key in choose_keys(name, keys, wanted)
            for member in [archive.getinfo(f"{key}.npy")]
        }


def choose_keys(
    name: str, keys: list[str], wanted: tuple[str, ...] = ("images", "labels")
) -> list[str]:
    """Return the keys of the images and labels in a file, which may also contain only labels."""
    found = [key for key in wanted if key in keys]
    if found:
        return found
    shown = ", ".join(show_name(key)[:20] for key in keys[:3]) or "nothing"
    raise EngineError(
        f"{name}: expected an array called 'images'; got {shown}: rename the array to 'images'"
    )


def pair_arrays(name: str, arrays: Mapping[str, Array], budget: Budget) -> Iterator[Found]:
    """Yield the images with their labels. If the number of labels is wrong, an error is raised
    after the images."""
    if "images" not in arrays:
        yield from sort_labels(name, arrays["labels"])
        return
    images, labels, wrong = arrays["images"], None, None
    try:
        labels = _name_labels(name, arrays["labels"], len(images)) if "labels" in arrays else None
    except EngineError as error:
        wrong = error
    yield from to_stacks(name, images, labels, budget)
    if wrong:
        raise wrong


def sort_array(name: str, array: Array, budget: Budget) -> Iterator[Found]:
    """Read a single array as labels if it has one axis, and otherwise as images."""
    if array.ndim == 0:
        raise EngineError(
            f"{name}: expected images [n h w] or labels [n]; got a single number without axes: "
            "save the array of images"
        )
    if array.ndim == 1:
        return sort_labels(name, array)
    return to_stacks(name, array, None, budget)


def sort_labels(name: str, labels: Array) -> Iterator[Found]:
    """Yield labels that belong to images in another file."""
    total = labels.size
    yield LabelList(_name_labels(name, labels, total), total)


def parse_npy(name: str, content: bytes | bytearray) -> Array:
    """Read the array in an npy file. Its header must match the number of bytes that follow it."""
    stream = io.BytesIO(content[:LONGEST_HEADER])
    if np.lib.format.read_magic(stream) == (1, 0):
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    else:
        shape, fortran, dtype = np.lib.format.read_array_header_2_0(stream)
    if dtype.kind not in "buifU":
        kind = (
            "Python objects, which could run a program" if dtype.hasobject else f"type {dtype.kind}"
        )
        raise EngineError(
            f"{name}: expected an array of numbers; got {kind}: save it as uint8 or float"
        )
    claimed, there = math.prod(shape) * dtype.itemsize, len(content) - stream.tell()
    if min(shape, default=0) < 0 or claimed != there:
        raise EngineError(
            f"{name}: expected {claimed:,.0f} bytes of data as declared in the array's header; got "
            f"{there:,}: save it again"
        )
    flat = np.frombuffer(content, dtype, offset=stream.tell())
    return flat.reshape(shape, order="F" if fortran else "C")


def to_stacks(
    name: str, array: Array, labels: tuple[str, ...] | None, budget: Budget
) -> Iterator[Stack]:
    """Yield the images [n h w], [n h w c] or [n c h w] in pieces, up to the limit of the budget."""
    images = _channels_first(name, array)
    total, pixels = len(images), images[: budget.images]
    if not budget.images:
        yield Stack((), torch.empty(0, 1, 1, 1, device="cpu"), total=total)
        return
    scale = find_scale(name, images, budget.scale)
    budget.spend(name, len(pixels) * math.prod(pixels.shape[2:]))
    shrink = -(-max(pixels.shape[2:]) // LONGEST_SIDE)
    step = max(1, CHUNK_VALUES // math.prod(pixels.shape[1:]))
    for start in range(0, len(pixels), step):
        piece = scale.apply(pixels[start : start + step])
        channels = torch.from_numpy(piece)
        if shrink > 1:
            channels = functional.avg_pool2d(channels, shrink, ceil_mode=True)
        colors = count_colors(channels.shape)
        yield Stack(
            names=tuple(f"{name} {start + i + 1}" for i in range(len(piece))),
            images=channels[:, :colors],
            alpha=channels[:, colors:] if colors < channels.shape[1] else None,
            labels=labels[start : start + len(piece)] if labels else None,
            total=total,
            note=scale.describe(name),
            read_at=Placement(*images.shape[2:]).rescale((1 / shrink, 1 / shrink)),
        )


def to_channels_first(array: Array) -> Array | None:
    """Convert images [n h w], [n h w c] or [n c h w] to [n c h w] without copying; return None for
    other shapes."""
    if array.ndim == 3:
        return array[:, None]
    if array.ndim == 4 and array.shape[3] in CHANNELS:
        return array.transpose(0, 3, 1, 2)
    return array if array.ndim == 4 and array.shape[1] in CHANNELS else None


def to_whole(labels: Array) -> Array:
    """Convert floats that are whole numbers to integers; return other floats unchanged."""
    if labels.dtype.kind != "f":
        return labels
    exact = labels.astype(np.float64)
    whole = (exact == exact.round()) & (np.abs(exact) <= LARGEST_WHOLE)  # also False for infinity
    return exact.astype(np.int64) if whole.all() else labels


def _channels_first(name: str, array: Array) -> Array:
    shape, found = array.shape, to_channels_first(array)
    if found is None:
        raise _wrong_axes(name, shape)
    array = found
    if not all(SIDES[0] <= side <= SIDES[1] for side in array.shape[2:]):
        raise _wrong_axes(name, shape)
    if len(array) == 0 or math.prod(array.shape[1:]) > MOST_VALUES_PER_IMAGE:
        raise _wrong_axes(name, shape)
    return array


def _wrong_axes(name: str, shape: tuple[int, ...]) -> EngineError:
    axes = show_name(str(shape))[:40]
    return EngineError(
        f"{name}: expected images [n h w] or [n h w c] with 1 to 4 channels and sides of "
        f"{SIDES[0]} to {SIDES[1]:,} pixels; got the shape {axes}: reshape the array"
    )


def _name_labels(name: str, labels: Array, total: int) -> tuple[str, ...]:
    """Convert labels [n], integers or short strings, to strings; at most as many as there can be
    images."""
    if labels.shape != (total,):
        raise EngineError(
            f"{name}: expected {total:,} labels, one per image; got the shape "
            f"{str(labels.shape)[:40]}: the images were read without them"
        )
    labels = to_whole(labels[:MOST_LABELS])
    if labels.dtype.kind not in "buiU":
        raise EngineError(
            f"{name}: expected labels that are integers or strings; got {labels.dtype.name}: "
            "the images were read without them"
        )
    return tuple(show_name(str(label)) for label in labels.tolist())


TENSOR_NAMES = re.compile(
    r"collections OrderedDict|torch\._utils _rebuild_tensor_v[23]|torch \w+Storage"
    r"|torch\.storage UntypedStorage|torch (u?int\d+|b?float\d+|bool)"
)
MOST_PICKLE = 1 << 16


def read_torch(name: str, content: bytes, budget: Budget) -> Iterator[Found]:
    """Read a tensor of images, or a dict with `images` and, if present, `labels`."""
    loaded = torch.load(_rewrite(name, content, budget), map_location="cpu", weights_only=True)
    if isinstance(loaded, Tensor):
        return sort_array(name, _tensor_to_array(name, loaded), budget)
    if not isinstance(loaded, dict):
        raise _not_tensors(name)
    keys = choose_keys(name, [key for key in loaded if isinstance(key, str)])
    arrays = {key: _tensor_to_array(name, loaded[key]) for key in keys}
    return pair_arrays(name, arrays, budget)


def _rewrite(name: str, content: bytes, budget: Budget) -> io.BytesIO:
    """Copy the members without compression, up to a limit for their total size."""
    left, clean = MOST_BYTES, io.BytesIO()
    with open_archive(name, content) as archive, zipfile.ZipFile(clean, "w") as copy:
        for member in archive.infolist():
            data = unpack(archive, member, budget, left)
            left -= len(data)
            if base_name(member.filename) == "data.pkl":
                _check_pickle(name, data)
            copy.writestr(zipfile.ZipInfo(member.filename), data)
    clean.seek(0)
    return clean


def _check_pickle(name: str, data: bytearray) -> None:
    """Check that the pickle, which is a program, calls only functions that construct tensors."""
    named = [
        str(value)
        for code, value, _ in pickletools.genops(data[:MOST_PICKLE])
        if code.name in ("GLOBAL", "INST", "STACK_GLOBAL", "EXT1", "EXT2", "EXT4")
    ]
    if len(data) > MOST_PICKLE or not all(TENSOR_NAMES.fullmatch(value) for value in named):
        raise _not_tensors(name)


def _tensor_to_array(name: str, value: object) -> Array:
    """Convert a list of labels or a tensor, whose size is limited because its strides may be 0."""
    if isinstance(value, list) and all(isinstance(label, int | str) for label in value):
        return np.array(value)
    if not isinstance(value, Tensor) or value.layout != torch.strided:
        raise _not_tensors(name)
    if value.numel() * value.element_size() > MOST_BYTES:
        raise EngineError(
            f"{name}: expected tensors of at most {MOST_BYTES >> 20} MB; got a larger tensor: "
            "save fewer images"
        )
    plain = value.float() if value.dtype == torch.bfloat16 else value
    return plain.detach().numpy()


def _not_tensors(name: str) -> EngineError:
    return EngineError(
        f"{name}: expected a tensor or a dict of tensors called 'images' and 'labels'; "
        "got other objects, which could run a program: save only the tensors"
    )
