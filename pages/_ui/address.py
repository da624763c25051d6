"""The bytes of a step for the browser: a frame after a header with its run."""

import json
import struct
from typing import Final

CACHED_FROM: Final = 12_000
"""Streamlit does not send a message again that is larger than 10,000 bytes."""
ALIGNMENT: Final = 8


def address(run: str, frame: bytes, summary: object = None) -> bytes:
    """A frame after its run and its numbers, if any; long enough that Streamlit caches it."""
    header = {"run": run} | ({} if summary is None else {"summary": summary})
    text = json.dumps(header).encode()
    envelope = struct.pack("<I", len(text)) + text
    envelope += bytes(-len(envelope) % ALIGNMENT)
    return envelope + frame + bytes(max(0, CACHED_FROM - len(frame)))
