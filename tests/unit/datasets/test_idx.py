"""IDX files are read with their own types, but only if header and data agree."""

import gzip

import numpy as np
import pytest
import torch

from ia_engine.datasets.idx import read_idx
from ia_engine.errors import EngineError
from tests.crafted import idx


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("code", "kind", "dtype"),
    [(8, ">u1", torch.uint8), (0xB, ">i2", torch.int16), (0xD, ">f4", torch.float32)],
)
def test_values_axes_and_types_are_kept(pack, code, kind, dtype):
    numbers = np.arange(24).reshape(2, 3, 4)
    found = read_idx(pack(idx((2, 3, 4), numbers.astype(kind).tobytes(), code)), "x")
    assert found.dtype == dtype
    assert np.array_equal(found.numpy(), numbers)


def test_the_decompressed_chunks_of_a_large_gzip_file_are_joined_correctly():
    numbers = np.random.default_rng(0).integers(0, 256, (2000, 40, 40), dtype=np.uint8)
    found = read_idx(gzip.compress(idx(numbers.shape, numbers.tobytes()), 1), "x")
    assert np.array_equal(found.numpy(), numbers)


@pytest.mark.parametrize(
    ("content", "phrase"),
    [
        (b"", "got nothing"),
        (b"\0\0\x08", "expected an IDX file"),
        (idx((2, 3))[:9], "expected 12 bytes of IDX header; got 9"),
        (idx((2, 3), bytes(5)), "expected 6 bytes of data, as declared in the IDX header; got 5"),
        (idx((2, 3), bytes(7)), "got more"),
        (gzip.compress(idx((2, 3), bytes(6)), mtime=0)[:-4], "an intact gzip file"),
    ],
)
def test_a_file_whose_content_does_not_match_its_header_is_refused(content, phrase):
    with pytest.raises(EngineError, match=phrase):
        read_idx(content, "x")
