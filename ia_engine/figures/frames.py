"""Represents the steps of a run and the animation of a clustering run as arrays, and encodes arrays
for the browser in the safetensors format:

uint64 length of the header | JSON header, padded with spaces | little-endian arrays, without gaps
"""

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ia_engine.errors import EngineError

CACHED_FROM: Final = 12_000
"""Minimum size of a message [bytes]. Streamlit sends messages above 10,000 bytes only once."""
ALIGNMENT: Final = 8
DTYPES: Final = {"<f4": "F32", "<i4": "I32", "|i1": "I8", "|u1": "U8"}
"""The types that `assets/components/shared/arrays.js` reads; the keys are their NumPy names."""


def encode_arrays(
    arrays: Mapping[str, NDArray[Any]],
    metadata: Mapping[str, object],
    at_least: int = CACHED_FROM,
) -> bytes:
    """Pack arrays and metadata, whose values are converted to JSON. Equal input gives equal bytes.

    `safetensors.save` orders metadata differently in each process, so with it Streamlit would
    resend steps that have not changed.

    >>> len(encode_arrays({"d2": np.zeros((3, 3), np.float32)}, {"run": "one", "k": 0}))
    12004
    """
    header: dict[str, object] = {
        "__metadata__": {name: _to_json(value) for name, value in metadata.items()}
    }
    parts, end = list[memoryview](), 0
    # Large items first, so that each array starts at a multiple of its item size.
    for name, array in sorted(arrays.items(), key=lambda item: -item[1].itemsize):
        start, end = end, end + array.nbytes
        entry = {"dtype": _name_dtype(name, array), "shape": array.shape}
        header[name] = entry | {"data_offsets": (start, end)}
        parts.append(np.ascontiguousarray(array).data)
    text = _to_json(header).encode()
    length = max(len(text), at_least - ALIGNMENT - end)
    text = text.ljust(-(-length // ALIGNMENT) * ALIGNMENT)
    return b"".join([struct.pack("<Q", len(text)), text, *parts])


def _name_dtype(name: str, array: NDArray[Any]) -> str:
    try:
        return DTYPES[array.dtype.str]
    except KeyError:
        raise EngineError(
            f"{name} must be float32, int32, int8 or uint8; got {array.dtype}: convert it first"
        ) from None


def _to_json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError as error:
        raise EngineError(f"metadata must be finite numbers: {error}") from error


Array = NDArray[Any]
AXES: Final = {
    "d2": "n n",
    "x": "n n",
    "images": "n h w c",
    "points": "n 2",
    "matrices": "n n 9",
    "assignments": "n",
}


@dataclass(frozen=True, eq=False)
class Frame:
    """The data of one step for the player: arrays by name, with the axes of `AXES`."""

    k: int
    arrays: Mapping[str, Array] = field(repr=False)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.arrays.values())


def make_frame(
    k: int,
    d2: ArrayLike,
    images: ArrayLike | None = None,
    *,
    x: ArrayLike | None = None,
    points: ArrayLike | None = None,
    matrices: ArrayLike | None = None,
    assignments: ArrayLike | None = None,
    white: float = 1.0,
) -> Frame:
    """Return the frame of the state before averaging step k, from d2 [n n], images [n c h w] and
    the matrices of τ [n n 3 3].

    x [n n] replaces d² in κ, such as κ = exp(-β x), if it is not d². `white` is the pixel value
    that is shown as white; it must be the same for all steps of a run.
    """
    arrays = {"d2": _copy(d2, "<f4")}
    if x is not None:
        arrays["x"] = _copy(x, "<f4")
    if images is not None:
        arrays["images"] = _to_pixels(np.asarray(images), white)
    if points is not None:
        arrays["points"] = _copy(points, "<f4")
    if matrices is not None:
        tau = _copy(matrices, "<f4")
        arrays["matrices"] = tau.reshape(*tau.shape[:2], -1)
    if assignments is not None:
        arrays["assignments"] = _copy(assignments, "<i4")
    return _checked(k, arrays)


def name_arrays(name: str, frame: Frame) -> dict[str, Array]:
    """Return the arrays of a frame with prefixed names (d2 becomes `name`.d2), so that a file can
    contain several frames."""
    return {f"{name}.{own}": array for own, array in frame.arrays.items()}


def read_frame(name: str, k: int, arrays: Mapping[str, Array]) -> Frame:
    """Read a frame from arrays that `name_arrays` has named. Files of earlier versions contain
    frames as bytes."""
    if name in arrays:
        return _checked(k, _read_old(arrays[name].tobytes()))
    start = f"{name}."
    own = {key.removeprefix(start): array for key, array in arrays.items() if key.startswith(start)}
    return _checked(k, own)


def _read_old(packed: bytes) -> dict[str, Array]:
    """Read the earlier format: uint32 length | JSON | zeros up to a multiple of 8 | arrays."""
    (length,) = struct.unpack_from("<I", packed)
    start = -(-(4 + length) // 8) * 8
    arrays = {}
    for entry in json.loads(packed[4 : 4 + length])["arrays"]:
        count = int(np.prod(entry["shape"], dtype=np.int64))
        flat = np.frombuffer(packed, entry["dtype"], count, start + entry["offset"])
        arrays[entry["name"]] = flat.reshape(entry["shape"])
    return arrays


def _copy(values: ArrayLike, dtype: str) -> Array:
    """Copy the values even if their type is right, because the memory of a tensor may change
    later."""
    return np.asarray(values).astype(dtype, order="C")


def _to_pixels(images: Array, white: float) -> Array:
    """Convert images [n c h w] of any dtype to bytes [n h w c], where `white` becomes 255 and
    values outside the range are clipped."""
    if images.ndim != 4 or images.shape[1] not in (1, 3):
        raise EngineError(
            f"images must have the axes [n c h w] with 1 or 3 channels; got {images.shape}"
        )
    if not white > 0:
        raise EngineError(f"white must be greater than 0; got {white:g}")
    scaled = np.nan_to_num(images.astype(np.float32)) * (255 / white)
    return np.ascontiguousarray(scaled.round().clip(0, 255).astype("u1").transpose(0, 2, 3, 1))


def _checked(k: int, arrays: Mapping[str, Array]) -> Frame:
    n = len(arrays["d2"]) if arrays["d2"].ndim else 0
    for name, array in arrays.items():
        axes = AXES[name].split()
        sizes = [n if axis == "n" else int(axis) if axis.isdigit() else None for axis in axes]
        fits = array.ndim == len(axes) and all(
            size in (None, actual) for size, actual in zip(sizes, array.shape, strict=True)
        )
        if not fits:
            raise EngineError(
                f"{name} must have the axes [{AXES[name]}] with n = {n}; got {array.shape}"
            )
    return Frame(k, arrays)


Pixels = NDArray[np.uint8]


CHUNK: Final = 2**19
"""Approximate size of a piece of an animation [bytes]. Only the last piece can still change."""


LONGEST: Final = 16
"""Maximum number of pictures per piece."""


def pack_pixels(header: Mapping[str, object], pixels: Pixels) -> bytes:
    """Pack images [… h w c] and a header for the browser."""
    return encode_arrays({"pixels": pixels}, header)


def encode_film(run: str, pictures: Sequence[Pixels]) -> list[bytes]:
    """Encode the pictures of a run in pieces. Each piece contains the index of its first
    picture."""
    if not pictures:
        return []
    size = max(1, min(LONGEST, CHUNK // max(1, pictures[0].size)))
    return [
        pack_pixels({"run": run, "first": first}, np.stack(pictures[first : first + size]))
        for first in range(0, len(pictures), size)
    ]


def pack_newest(run: str, picture: Pixels) -> bytes:
    """Encode the current picture, which the animation may not contain yet."""
    return pack_pixels({"run": run, "first": -1}, picture[None])
