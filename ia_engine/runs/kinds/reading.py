"""Arrays and text of a saved run; a damaged file raises an EngineError of one sentence."""

import json
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError

from ia_engine.errors import EngineError
from ia_engine.runs.library import Kept

R = TypeVar("R")

DAMAGE: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError),
    *(OSError, RuntimeError, TypeError, ValueError, SafetensorError, struct.error, zlib.error),
)
"""What reading a damaged file may raise."""
MAX_REASON: Final = 200
"""Maximum number of characters of a reason, since it may quote a damaged file."""


def reports_damage(read: Callable[[Kept], R]) -> Callable[[Kept], R]:
    """The same reader; a damaged file raises an EngineError of one sentence."""

    @wraps(read)
    def reporting(kept: Kept) -> R:
        with reporting_damage(kept):
            return read(kept)

    return reporting


@contextmanager
def reporting_damage(kept: Kept) -> Iterator[None]:
    """The same for a block."""
    try:
        yield
    except EngineError:
        raise
    except DAMAGE as cause:
        why = " ".join(f"{type(cause).__name__}: {cause}".split())[:MAX_REASON]
        raise EngineError(
            f"run {kept.id} is damaged ({why}): compute it again, or delete it"
        ) from cause


def to_text(values: Mapping[str, Any]) -> NDArray[np.uint8]:
    """Text and numbers as an array of bytes."""
    return to_bytes(json.dumps(values, ensure_ascii=False).encode())


def from_text(array: NDArray[Any]) -> dict[str, Any]:
    """The inverse of `to_text`."""
    found: dict[str, Any] = json.loads(array.tobytes())
    return found


def to_bytes(content: bytes) -> NDArray[np.uint8]:
    """Bytes as an array."""
    return np.frombuffer(content, np.uint8)
