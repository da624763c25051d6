import json
import struct
import subprocess
import sys

import numpy as np
import pytest

from ia_engine.errors import EngineError
from ia_engine.figures.frames import AXES, make_frame, unpack_frame


def pack(*args, **more):
    return make_frame(*args, **more).packed


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(7)


def test_a_frame_comes_back_as_it_was_packed(generator):
    d2 = generator.random((5, 5)).astype("f4")
    points = generator.random((5, 2)).astype("f4")
    matrices = generator.random((5, 5, 3, 3)).astype("f4")
    assignments = generator.integers(0, 3, 5)
    frame = unpack_frame(pack(3, d2, points=points, matrices=matrices, assignments=assignments))
    assert frame.k == 3
    np.testing.assert_array_equal(frame.arrays["d2"], d2)
    np.testing.assert_array_equal(frame.arrays["points"], points)
    np.testing.assert_array_equal(frame.arrays["matrices"], matrices.reshape(5, 5, 9))
    np.testing.assert_array_equal(frame.arrays["assignments"], assignments)


def test_images_become_bytes_with_channels_last(generator):
    images = generator.random((4, 3, 6, 5))
    shown = unpack_frame(pack(0, np.zeros((4, 4)), images)).arrays["images"]
    assert (shown.shape, shown.dtype) == ((4, 6, 5, 3), np.uint8)
    np.testing.assert_allclose(shown.transpose(0, 3, 1, 2) / 255, images, atol=0.5 / 255)


def test_white_fixes_the_scale_and_the_rest_is_clipped():
    images = np.array([-1, 0, 0.1, 0.2, 9, np.nan]).reshape(1, 1, 1, 6)
    shown = unpack_frame(pack(0, [[0]], images, white=0.2)).arrays["images"]
    assert shown.ravel().tolist() == [0, 0, 128, 255, 255, 0]


def test_every_array_starts_at_a_multiple_of_eight(generator):
    packed = pack(12, np.zeros((3, 3)), generator.random((3, 1, 3, 3)), assignments=[0, 1, 2])
    (length,) = struct.unpack_from("<I", packed)
    header = json.loads(packed[4 : 4 + length])
    assert len(packed) % 8 == 0
    assert all(entry["offset"] % 8 == 0 for entry in header["arrays"])


@pytest.mark.parametrize("name", ["points", "matrices", "assignments"])
def test_an_array_of_another_n_is_refused_by_name(name):
    shape = [4 if axis == "n" else int(axis) for axis in AXES[name].split()]
    with pytest.raises(EngineError, match=rf"{name} needs the axes .* n = 5"):
        pack(0, np.zeros((5, 5)), **{name: np.zeros(shape)})


@pytest.mark.parametrize("d2", [np.zeros(()), np.zeros(3), np.zeros((2, 3))])
def test_a_distance_matrix_that_is_not_square_is_refused(d2):
    with pytest.raises(EngineError, match="d2 needs the axes"):
        pack(0, d2)


@pytest.mark.parametrize("shape", [(2, 2, 4, 4), (2, 4, 4)])
def test_images_of_two_channels_or_none_are_refused(shape):
    with pytest.raises(EngineError, match="1 or 3 channels"):
        pack(0, np.zeros((2, 2)), np.zeros(shape))


def test_white_of_zero_is_refused():
    with pytest.raises(EngineError, match="white must be greater than 0"):
        pack(0, np.zeros((1, 1)), np.zeros((1, 1, 2, 2)), white=0)


def test_tensors_are_packed_like_arrays():
    torch = pytest.importorskip("torch")
    d2 = torch.arange(9.0, device="cpu").view(3, 3)
    assert pack(1, d2) == pack(1, d2.numpy())


def test_an_empty_data_set_makes_a_frame():
    frame = unpack_frame(pack(0, np.zeros((0, 0)), np.zeros((0, 1, 4, 4))))
    assert frame.arrays["images"].shape == (0, 4, 4, 1)


def test_packing_needs_no_torch():
    check = "import sys, ia_engine.figures.frames; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_a_frame_is_encoded_once_and_its_arrays_are_views_of_its_bytes():
    frame = make_frame(2, np.ones((3, 3)), assignments=[0, 1, 1])
    assert frame.nbytes == len(frame.packed)
    again = unpack_frame(frame.packed)
    assert (again.k, again.packed) == (2, frame.packed)
    for name, array in frame.arrays.items():
        assert not array.flags.owndata
        np.testing.assert_array_equal(again.arrays[name], array)
