"""Arrays for the browser as bytes, in the format safetensors.

uint64 length of the header | JSON header, padded with spaces | little-endian arrays, without gaps
"""

import json
import struct
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ia_engine.errors import EngineError

CACHED_FROM: Final = 12_000
"""Minimum size of a message [bytes]. Streamlit sends messages above 10,000 bytes only once."""
ALIGNMENT: Final = 8
DTYPES: Final = {"<f4": "F32", "<i4": "I32", "|i1": "I8", "|u1": "U8"}
"""The types that `assets/components/shared/arrays.js` reads, by the names of NumPy."""


def encode_arrays(
    arrays: Mapping[str, NDArray[Any]],
    metadata: Mapping[str, object],
    at_least: int = CACHED_FROM,
) -> bytes:
    """The arrays and the metadata, whose values become JSON; equal input gives equal bytes.

    `save` of the package safetensors orders metadata differently in each process. Then Streamlit
    would send a step again that has not changed.

    >>> len(encode_arrays({"d2": np.zeros((3, 3), np.float32)}, {"run": "one", "k": 0}))
    12004
    """
    header: dict[str, object] = {
        "__metadata__": {name: _to_json(value) for name, value in metadata.items()}
    }
    parts, end = list[memoryview](), 0
    # Large items first: then each array starts at a multiple of its item size.
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
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
