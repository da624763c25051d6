"""One step of a run as arrays, and as bytes for the player: a JSON header, then arrays.

uint32 length of the header | header | zeros up to a multiple of 8 | little-endian arrays, each at
such a multiple. Offsets in the header count from the end of the zeros.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ia_engine.errors import EngineError

Array = NDArray[Any]
ALIGNMENT: Final = 8
AXES: Final = {
    "d2": "n n",
    "x": "n n",
    "images": "n h w c",
    "points": "n 2",
    "matrices": "n n 9",
    "assignments": "n",
}


@dataclass(frozen=True)
class Frame:
    """What the player shows of one step: arrays by name, with the axes of `AXES`."""

    k: int
    arrays: Mapping[str, Array] = field(compare=False, repr=False)
    packed: bytes = field(repr=False)
    """The same as bytes, encoded once; the arrays are views of them, which saves memory."""

    @property
    def nbytes(self) -> int:
        return len(self.packed)


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
    """The state before averaging k: d2 [n n], images [n c h w], matrices of τ [n n 3 3].

    x [n n] is the exponent of κ = exp(-β x) where that is not d². `white` is the value of a pixel
    shown as white; it must be the same for every step of a run.
    """
    arrays = {"d2": np.asarray(d2, "<f4")}
    if x is not None:
        arrays["x"] = np.asarray(x, "<f4")
    if images is not None:
        arrays["images"] = _bytes_of(np.asarray(images), white)
    if points is not None:
        arrays["points"] = np.asarray(points, "<f4")
    if matrices is not None:
        tau = np.asarray(matrices, "<f4")
        arrays["matrices"] = tau.reshape(*tau.shape[:2], -1)
    if assignments is not None:
        arrays["assignments"] = np.asarray(assignments, "<i4")
    _check(arrays)
    return _join(k, arrays)


def unpack_frame(packed: bytes) -> Frame:
    """The inverse of `Frame.packed`, for a file that was saved."""
    (length,) = struct.unpack_from("<I", packed)
    header = json.loads(packed[4 : 4 + length])
    arrays = _view(packed, _aligned(4 + length), header["arrays"])
    return Frame(header["k"], arrays, packed)


def _read(packed: bytes, start: int, entry: Mapping[str, Any]) -> Array:
    count = int(np.prod(entry["shape"], dtype=np.int64))
    flat = np.frombuffer(packed, entry["dtype"], count, start + entry["offset"])
    return flat.reshape(entry["shape"])


def _bytes_of(images: Array, white: float) -> Array:
    """[n c h w] of any dtype as [n h w c] bytes, with 255 for `white`; other values are clipped."""
    if images.ndim != 4 or images.shape[1] not in (1, 3):
        raise EngineError(
            f"images need the axes [n c h w] with 1 or 3 channels; got {images.shape}"
        )
    if not white > 0:
        raise EngineError(f"white must be greater than 0; got {white:g}")
    scaled = np.nan_to_num(images.astype(np.float32)) * (255 / white)
    return scaled.round().clip(0, 255).astype("u1").transpose(0, 2, 3, 1)


def _check(arrays: Mapping[str, Array]) -> None:
    n = len(arrays["d2"]) if arrays["d2"].ndim else 0
    for name, array in arrays.items():
        wanted = AXES[name].split()
        sizes = [n if axis == "n" else int(axis) if axis.isdigit() else None for axis in wanted]
        fits = array.ndim == len(wanted) and all(
            size in (None, came) for size, came in zip(sizes, array.shape, strict=True)
        )
        if not fits:
            raise EngineError(
                f"{name} needs the axes [{AXES[name]}] with n = {n}; got {array.shape}"
            )


def _join(k: int, arrays: Mapping[str, Array]) -> Frame:
    entries, body = list[dict[str, Any]](), bytearray()
    for name, array in arrays.items():
        shape, dtype = list(array.shape), array.dtype.str.lstrip("<|")
        entries.append({"name": name, "dtype": dtype, "shape": shape, "offset": len(body)})
        body += np.ascontiguousarray(array).tobytes()
        body += bytes(_aligned(len(body)) - len(body))
    header = json.dumps({"k": int(k), "arrays": entries}).encode()
    start = _aligned(4 + len(header))
    zeros = bytes(start - 4 - len(header))
    packed = struct.pack("<I", len(header)) + header + zeros + bytes(body)
    return Frame(k, _view(packed, start, entries), packed)


def _view(packed: bytes, start: int, entries: Sequence[Mapping[str, Any]]) -> dict[str, Array]:
    """The arrays that begin at `start`, not copied."""
    return {entry["name"]: _read(packed, start, entry) for entry in entries}


def _aligned(length: int) -> int:
    return -(-length // ALIGNMENT) * ALIGNMENT
