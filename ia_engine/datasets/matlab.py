"""MATLAB 5 files, whose claims are checked before scipy reads them.

Each element is a type, a number of bytes and that many bytes; a matrix (type 14) consists of
elements, of which the second holds its dimensions; a compressed element (15) holds another one.
"""

import io
import math
import struct
import zlib
from collections.abc import Iterator
from typing import Any, Final

from scipy.io import loadmat

HEADER: Final = 128
DEPTH: Final = 16
"""Structures in structures."""
MATRIX, COMPRESSED = 14, 15
MARKS: Final = {b"IM": "<", b"MI": ">"}


def read_mat(content: bytes, names: tuple[str, ...], most_bytes: int) -> dict[str, Any]:
    """The named variables; ValueError if the file claims more than it holds or may hold.

    `read_mat(content, ("X", "y"), 1 << 29)["X"]` is an array.
    """
    order = MARKS.get(content[126:128], "")
    if not order or 0 in content[:4] or struct.unpack(order + "H", content[124:126])[0] != 0x0100:
        raise ValueError("expected a MATLAB 5 file, got another format")
    _check(memoryview(content)[HEADER:], order, most_bytes, DEPTH)
    return dict(loadmat(io.BytesIO(content), variable_names=list(names)))


def _check(data: memoryview, order: str, most_bytes: int, depth: int) -> None:
    for kind, part in _elements(data, order):
        if kind == COMPRESSED:
            stream = zlib.decompressobj()
            whole = stream.decompress(part, most_bytes + 1)
            if len(whole) > most_bytes:
                raise ValueError(f"expected at most {most_bytes >> 20} MB unpacked, got more")
            _check(memoryview(whole), order, most_bytes, depth - 1)
        elif kind == MATRIX and len(part):
            if depth <= 0:
                raise ValueError(f"expected at most {DEPTH} structures in one another, got more")
            _check_matrix(part, order)
            _check(part, order, most_bytes, depth - 1)


def _check_matrix(part: memoryview, order: str) -> None:
    """Each entry of an array takes at least a byte."""
    parts = [data for _, data in _elements(part, order)]
    sizes = parts[1] if len(parts) > 1 else memoryview(b"")
    shape = struct.unpack(f"{order}{len(sizes) // 4}i", sizes[: len(sizes) // 4 * 4])
    if min(shape, default=0) < 0 or math.prod(shape) > len(part):
        raise ValueError(f"expected at most {len(part):,} entries, got the shape {shape}")


def _elements(data: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """The type and the bytes of each element."""
    at = 0
    while at + 8 <= len(data):
        first, size = struct.unpack(order + "II", data[at : at + 8])
        if small := first >> 16:  # at most four bytes, which stand in the tag itself
            kind, size, start, held = first & 0xFFFF, small, at + 4, 4
        else:
            kind, start, held = first, at + 8, len(data) - at - 8
        if size > held:
            raise ValueError(f"expected {size:,} bytes as an element claims, got {held:,}")
        yield kind, data[start : start + size]
        at = start + (size if kind == COMPRESSED else held if small else -(-size // 8) * 8)
