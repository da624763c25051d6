"""Helpers that compare frames, decode messages, and write the format of earlier versions."""

import json
import struct

import numpy as np
from safetensors.numpy import load


def assert_same_frame(one, other):
    assert one.k == other.k
    assert one.arrays.keys() == other.arrays.keys()
    for name, array in other.arrays.items():
        assert one.arrays[name].dtype == array.dtype, name
        np.testing.assert_array_equal(one.arrays[name], array, name)


def decode(message):
    """Return the metadata and the arrays of a message to the browser."""
    (length,) = struct.unpack_from("<Q", message)
    metadata = json.loads(message[8 : 8 + length])["__metadata__"]
    return {name: json.loads(text) for name, text in metadata.items()}, load(message)


def encode_old(frame):
    """Encode a frame as earlier versions did in files."""
    entries, body = [], b""
    for name, array in frame.arrays.items():
        dtype = array.dtype.str.lstrip("<|")
        entries.append({"name": name, "dtype": dtype, "shape": array.shape, "offset": len(body)})
        body += array.tobytes()
        body += bytes(-len(body) % 8)
    header = json.dumps({"k": frame.k, "arrays": entries}).encode()
    start = struct.pack("<I", len(header)) + header
    return np.frombuffer(start + bytes(-len(start) % 8) + body, np.uint8)
