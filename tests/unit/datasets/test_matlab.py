"""Crafted MATLAB and LIBSVM files: false sizes, NaN values and deep nesting are refused."""

import bz2
import struct
import zlib

import numpy as np
import pytest
from scipy.io import savemat

from ia_engine.datasets import formats
from ia_engine.datasets.formats import read_mat
from tests.unit.datasets.samples import mat, pixels

MOST = 1 << 20
IMAGES = pixels(6, 3, 32, 32).transpose(2, 3, 1, 0)
GOOD = mat(X=IMAGES, y=np.arange(6)[:, None])


def element(kind, content):
    padding = b"" if kind == 15 else bytes(-len(content) % 8)
    return struct.pack("<II", kind, len(content)) + content + padding


def matrix(shape, values=b"\0" * 64):
    flags = element(6, struct.pack("<II", 9, 0))
    sizes = element(5, struct.pack(f"<{len(shape)}i", *shape))
    return element(14, flags + sizes + element(1, b"X") + element(2, values))


def nested(depth):
    inner = matrix((2, 2))
    for _ in range(depth):
        inner = element(14, element(6, bytes(8)) + element(5, struct.pack("<2i", 1, 1)) + inner)
    return inner


CRAFTED = {
    "an element that declares 4 GB": struct.pack("<II", 14, 0xFFFFFFF0) + bytes(64),
    "a shape of 10^12 entries": matrix((10**6, 10**6)),
    "a negative shape": matrix((-4, 4)),
    "compressed zeros beyond the limit": element(15, zlib.compress(bytes(2 * MOST))),
    "a compressed shape of 10^12 entries": element(15, zlib.compress(matrix((10**6, 10**6)))),
    "a number of bytes inside a tag": struct.pack("<HHI", 2, 9000, 0),
    "structures that are too deep": nested(100),
}


@pytest.mark.parametrize("what", CRAFTED)
def test_a_header_that_exceeds_the_content_is_refused_before_the_data_are_read(what, monkeypatch):
    monkeypatch.setattr("ia_engine.datasets.formats.loadmat", pytest.fail)
    with pytest.raises(ValueError, match=r"^expected .*[,;] got "):
        read_mat(GOOD[:128] + CRAFTED[what], ("X",), MOST)


@pytest.mark.parametrize("content", [b"", b"\0" * 200, GOOD[:124] + b"\0\2IM" + GOOD[128:]])
def test_files_in_other_formats_are_refused(content):
    with pytest.raises(ValueError, match="expected a MATLAB 5 file"):
        read_mat(content, ("X",), MOST)


@pytest.mark.parametrize("compressed", [False, True])
def test_a_file_written_by_scipy_can_be_read(tmp_path, compressed):
    savemat(tmp_path / "x.mat", {"X": IMAGES, "s": {"a": IMAGES}}, do_compression=compressed)
    read = read_mat((tmp_path / "x.mat").read_bytes(), ("X", "s"), MOST)
    assert (read["X"] == IMAGES).all()
    assert (read["s"]["a"][0, 0] == IMAGES).all()


@pytest.mark.parametrize(
    ("arrays", "why"),
    [
        ({"X": np.full(IMAGES.shape, np.nan), "y": np.arange(6)}, "images of type uint8"),
        ({"X": IMAGES, "y": np.full(6, np.nan)}, "NaN"),
        ({"X": IMAGES, "y": np.full(6, 1.5)}, "fractions"),
        ({"X": IMAGES, "y": np.full(6, "a")}, "ufunc"),
    ],
)
def test_values_that_are_not_pixels_or_labels_are_refused(tmp_path, arrays, why):
    (tmp_path / "x.mat").write_bytes(mat(**arrays))
    with pytest.raises(formats.DAMAGE, match=why):
        formats.read_svhn((tmp_path / "x.mat",))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"1 1:nan\n", "NaN"),
        (b"1 1:inf 2:0.5\n", "infinity"),
        (b"nan 1:0.5\n", "NaN"),
        (b"1 257:0.5\n", "257"),
        (b"1\n" * 300_000, "at most 512 MB"),
    ],
)
def test_libsvm_text_is_validated_before_memory_is_allocated(tmp_path, text, why):
    (tmp_path / "usps.bz2").write_bytes(bz2.compress(text))
    with pytest.raises((*formats.DAMAGE, formats.EngineError), match=why):
        formats.read_usps((tmp_path / "usps.bz2",))
