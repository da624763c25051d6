"""Numbers for the browser: a header in JSON, and arrays of bytes.

uint32 length of the header | header | zeros up to a multiple of 8 | arrays, each starting at one.
"""

import json
import struct
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

Array = NDArray[Any]
ALIGNMENT: Final = 8


def pack(header: Mapping[str, object], arrays: Mapping[str, Array]) -> bytes:
    """The header, which also tells where each array lies, and the arrays."""
    parts, told, end = [], [], 0
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        entry = {"name": name, "dtype": array.dtype.str[1:], "shape": array.shape, "offset": end}
        told.append(entry)
        parts.append(content + bytes(-len(content) % ALIGNMENT))
        end += len(parts[-1])
    text = json.dumps({**header, "arrays": told}, ensure_ascii=False).encode()
    start = struct.pack("<I", len(text)) + text
    return b"".join([start + bytes(-len(start) % ALIGNMENT), *parts])


def unpack(packed: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """The inverse of `pack`."""
    (length,) = struct.unpack_from("<I", packed)
    header = json.loads(packed[4 : 4 + length])
    start = -(-(4 + length) // ALIGNMENT) * ALIGNMENT
    arrays = {}
    for entry in header.pop("arrays"):
        count = int(np.prod(entry["shape"], dtype=np.int64))
        found = np.frombuffer(packed, entry["dtype"], count, start + entry["offset"])
        arrays[entry["name"]] = found.reshape(entry["shape"])
    return header, arrays


def to_bytes(x: Tensor, top: float = 1.0) -> Array:
    """Numbers from 0 to top as 0 to 255."""
    share = x.detach().cpu().double().numpy() / max(top, 1e-12)
    return np.rint(share.clip(0, 1) * 255).astype(np.uint8)


def to_signed(x: Tensor) -> Array:
    """Numbers from -1 to 1 as -127 to 127."""
    return np.rint(x.detach().cpu().double().numpy().clip(-1, 1) * 127).astype(np.int8)


def to_floats(x: Tensor) -> Array:
    """Single precision."""
    return x.detach().cpu().numpy().astype("<f4")
