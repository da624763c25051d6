"""IDX, the format of MNIST: two zero bytes, the type, the number of axes, their sizes, and the
data.

The header alone never causes an allocation: its sizes are compared with the limit and with the
available bytes, and a gzip file is unpacked piece by piece.
"""

import math
import zlib
from collections.abc import Callable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.errors import EngineError

TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
MOST_BYTES = 1 << 27
MOST_AXES = 4
GZIP_MAGIC = b"\x1f\x8b"
_PIECE = 1 << 16
Pay = Callable[[int], None]


def read_idx(content: bytes, name: str, pay: Pay = lambda size: None) -> Tensor:
    """Read the array in an IDX file, which may be gzipped. It has the type and axes of the file,
    and is on the CPU.

    `pay` is called with the number of unpacked bytes for each piece, and may raise an exception.
    """
    head = _first_bytes(content, 4 + 4 * MOST_AXES, name, pay)
    if not is_idx(head):
        raise EngineError(
            f"{name}: expected an IDX file (it begins with two zero bytes, a type and the number "
            f"of axes); got {head[:4].hex(' ') or 'nothing'} at its start: choose another file"
        )
    start = 4 + 4 * head[3]
    if len(head) < start:
        raise EngineError(
            f"{name}: expected {start} bytes of IDX header; got {len(head)}: {_AGAIN}"
        )
    shape = tuple(int.from_bytes(head[at : at + 4], "big") for at in range(4, start, 4))
    kind = np.dtype(TYPES[head[2]])
    data = _read_exactly(content, start, math.prod(shape) * kind.itemsize, name, pay)
    array = data.view(kind.newbyteorder("="))
    if not kind.isnative:
        array = array.byteswap(inplace=True)
    return torch.from_numpy(array).view(shape)


def is_idx(head: bytes) -> bool:
    """Return True if the first four bytes are those of an IDX file."""
    return len(head) >= 4 and head[:2] == b"\0\0" and head[2] in TYPES and 1 <= head[3] <= MOST_AXES


def inflate(content: bytes) -> Iterator[bytes]:
    """Unpack a gzip file in pieces of at most 1 MiB; only its first member is read."""
    engine = zlib.decompressobj(wbits=31)
    for at in range(0, len(content), _PIECE):
        rest = content[at : at + _PIECE]
        while rest and not engine.eof:
            yield engine.decompress(rest, 1 << 20)
            rest = engine.unconsumed_tail
    if not engine.eof:
        raise zlib.error("the gzip stream ends too early")


_AGAIN = "the file is damaged or truncated; download it again"


def _pieces(content: bytes, name: str, pay: Pay) -> Iterator[bytes]:
    """Yield the content, unpacked if necessary, and report each piece to `pay`. Raises EngineError
    if the file is damaged."""
    if not content.startswith(GZIP_MAGIC):
        yield content
        return
    try:
        for piece in inflate(content):
            pay(len(piece))
            yield piece
    except zlib.error as error:
        raise EngineError(
            f"{name}: expected an intact gzip file; got a file that cannot be unpacked: {_AGAIN}"
        ) from error


def _first_bytes(content: bytes, count: int, name: str, pay: Pay) -> bytes:
    head = b""
    for piece in _pieces(content, name, pay):
        head += piece[:count]
        if len(head) >= count:
            break
    return head[:count]


def _read_exactly(content: bytes, start: int, size: int, name: str, pay: Pay) -> NDArray[np.uint8]:
    """Read exactly `size` bytes after `start`. Memory is allocated only as bytes are read."""
    if size > MOST_BYTES:
        raise EngineError(
            f"{name}: expected at most {MOST_BYTES >> 20} MB of IDX data; got a header that "
            f"declares {size:,} bytes: split it into smaller files"
        )
    data = np.empty(size, np.uint8)
    place = -start
    for piece in _pieces(content, name, pay):
        useful = np.frombuffer(piece, np.uint8)[max(0, -place) :]
        end = max(0, place) + len(useful)
        if end > size:
            raise _wrong_size(name, size, "more")
        data[max(0, place) : end] = useful
        place += len(piece)
    if place != size:
        raise _wrong_size(name, size, f"{max(0, place):,}")
    return data


def _wrong_size(name: str, expected: int, got: str) -> EngineError:
    return EngineError(
        f"{name}: expected {expected:,} bytes of data, as declared in the IDX header; got {got}: "
        f"{_AGAIN}"
    )
