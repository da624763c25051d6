"""Messages to the browser are valid, aligned, reproducible and long enough to be cached."""

import json
import struct
import subprocess
import sys

import numpy as np
import pytest

from ia_engine.errors import EngineError
from ia_engine.figures.frames import CACHED_FROM, encode_arrays
from tests.frames import decode

ARRAYS = {
    "pixels": np.arange(3, dtype=np.uint8),
    "signed": np.array([[-1], [1]], np.int8),
    "d2": np.arange(6, dtype="<f4").reshape(2, 3).T,
    "labels": np.array([5, -5], "<i4"),
    "nothing": np.zeros((0, 4, 1), "<f4"),
}


def test_the_safetensors_package_can_read_the_encoded_arrays():
    metadata, arrays = decode(encode_arrays(ARRAYS, {"ü": "ä", "k": 3, "all": [1, None]}))
    assert metadata == {"ü": "ä", "k": 3, "all": [1, None]}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array)


def test_each_array_starts_at_a_multiple_of_its_item_size():
    message = encode_arrays(ARRAYS, {}, at_least=0)
    (length,) = struct.unpack_from("<Q", message)
    assert length % 8 == 0
    header = json.loads(message[8 : 8 + length])
    for name, array in ARRAYS.items():
        assert header[name]["data_offsets"][0] % array.itemsize == 0


@pytest.mark.parametrize("size", [0, 1, 11_000, 11_999, 12_000, 12_001])
def test_a_message_is_just_long_enough_for_the_cache(size):
    message = encode_arrays({"pixels": np.ones(size, np.uint8)}, {"k": 0})
    assert max(size, CACHED_FROM) <= len(message) < max(size + 200, CACHED_FROM + 8)
    assert decode(message)[1]["pixels"].sum() == size


def test_an_array_of_a_type_that_the_browser_cannot_read_is_refused_and_named():
    with pytest.raises(EngineError, match="d2 must be float32, int32, int8 or uint8; got float64"):
        encode_arrays({"d2": np.zeros(3)}, {})


def test_the_same_step_has_the_same_bytes_in_every_process():
    code = (
        "import hashlib, sys, numpy as np; from ia_engine.figures.frames import encode_arrays;"
        "arrays, about = {'d2': np.ones((2, 2), 'f4')}, {'run': 'r', 'k': 0, 'summary': [1]};"
        "print(hashlib.md5(encode_arrays(arrays, about)).digest());"
        "sys.exit('torch' in sys.modules)"
    )
    run = [sys.executable, "-c", code]
    digests = {subprocess.run(run, check=True, capture_output=True).stdout for _ in range(3)}
    assert len(digests) == 1
