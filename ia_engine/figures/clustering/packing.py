"""Pictures as bytes for the browser: a JSON header, then the pixels row by row.

uint32 length of the header | header | pixels, one byte each
"""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

CACHED_FROM: Final = 12_000
"""Streamlit does not send a message again that is larger than 10,000 bytes."""
CHUNK: Final = 2**19
"""A film travels in pieces of about so many bytes; all but the last never change."""
LONGEST: Final = 16
"""And of at most so many pictures."""


def pack_pixels(header: Mapping[str, object], pixels: Pixels) -> bytes:
    """Pictures [… h w c] with their header, which also tells their shape."""
    told = json.dumps({**header, "shape": pixels.shape}, ensure_ascii=False).encode()
    body = struct.pack("<I", len(told)) + told + np.ascontiguousarray(pixels).tobytes()
    return body + bytes(max(0, CACHED_FROM - len(body)))


def pack_film(run: str, pictures: Sequence[Pixels]) -> list[bytes]:
    """The pictures of a run in pieces, each of which knows where it begins."""
    if not pictures:
        return []
    size = max(1, min(LONGEST, CHUNK // max(1, pictures[0].size)))
    return [
        pack_pixels({"run": run, "first": first}, np.stack(pictures[first : first + size]))
        for first in range(0, len(pictures), size)
    ]


def pack_newest(run: str, picture: Pixels) -> bytes:
    """The picture of this moment, which the film may not have."""
    return pack_pixels({"run": run, "first": -1}, picture[None])


def unpack(packed: bytes) -> tuple[dict[str, Any], Pixels]:
    """The header and the pictures."""
    (length,) = struct.unpack_from("<I", packed)
    header = json.loads(packed[4 : 4 + length])
    count = int(np.prod(header["shape"], dtype=np.int64))
    return header, np.frombuffer(packed, np.uint8, count, 4 + length).reshape(header["shape"])
