import numpy as np
import pytest

from ia_engine.errors import EngineError
from ia_engine.figures.frames import AXES, make_frame, name_arrays, read_frame
from tests.frames import assert_same_frame, encode_old


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(7)


def test_a_frame_contains_the_given_arrays(generator):
    d2 = generator.random((5, 5)).astype("f4")
    points = generator.random((5, 2)).astype("f4")
    matrices = generator.random((5, 5, 3, 3)).astype("f4")
    assignments = generator.integers(0, 3, 5)
    frame = make_frame(3, d2, points=points, matrices=matrices, assignments=assignments)
    assert frame.k == 3
    np.testing.assert_array_equal(frame.arrays["d2"], d2)
    np.testing.assert_array_equal(frame.arrays["points"], points)
    np.testing.assert_array_equal(frame.arrays["matrices"], matrices.reshape(5, 5, 9))
    np.testing.assert_array_equal(frame.arrays["assignments"], assignments)


def test_images_are_stored_as_bytes_with_the_channels_last(generator):
    images = generator.random((4, 3, 6, 5))
    shown = make_frame(0, np.zeros((4, 4)), images).arrays["images"]
    assert (shown.shape, shown.dtype) == ((4, 6, 5, 3), np.uint8)
    np.testing.assert_allclose(shown.transpose(0, 3, 1, 2) / 255, images, atol=0.5 / 255)


def test_the_white_value_sets_the_scale_and_higher_values_are_clipped():
    images = np.array([-1, 0, 0.1, 0.2, 9, np.nan]).reshape(1, 1, 1, 6)
    shown = make_frame(0, [[0]], images, white=0.2).arrays["images"]
    assert shown.ravel().tolist() == [0, 0, 128, 255, 255, 0]


@pytest.mark.parametrize("name", ["points", "matrices", "assignments"])
def test_an_array_with_a_different_number_of_images_is_refused_and_named(name):
    shape = [4 if axis == "n" else int(axis) for axis in AXES[name].split()]
    with pytest.raises(EngineError, match=rf"{name} must have the axes .* n = 5"):
        make_frame(0, np.zeros((5, 5)), **{name: np.zeros(shape)})


@pytest.mark.parametrize("d2", [np.zeros(()), np.zeros(3), np.zeros((2, 3))])
def test_a_distance_matrix_that_is_not_square_is_refused(d2):
    with pytest.raises(EngineError, match="d2 must have the axes"):
        make_frame(0, d2)


@pytest.mark.parametrize("shape", [(2, 2, 4, 4), (2, 4, 4)])
def test_images_with_two_channels_or_without_a_channel_axis_are_refused(shape):
    with pytest.raises(EngineError, match="1 or 3 channels"):
        make_frame(0, np.zeros((2, 2)), np.zeros(shape))


def test_a_white_value_of_zero_is_refused():
    with pytest.raises(EngineError, match="white must be greater than 0"):
        make_frame(0, np.zeros((1, 1)), np.zeros((1, 1, 2, 2)), white=0)


def test_tensors_give_the_same_frame_as_arrays():
    torch = pytest.importorskip("torch")
    d2 = torch.arange(9.0, device="cpu").view(3, 3)
    assert_same_frame(make_frame(1, d2), make_frame(1, d2.numpy()))


def test_an_empty_data_set_gives_an_empty_frame():
    frame = make_frame(0, np.zeros((0, 0)), np.zeros((0, 1, 4, 4)))
    assert frame.arrays["images"].shape == (0, 4, 4, 1)


def test_a_single_frame_can_be_read_from_a_file_of_several(generator):
    images = generator.random((3, 1, 4, 4))
    frames = [make_frame(k, np.full((3, 3), k), images / (k + 1)) for k in range(2)]
    arrays = name_arrays("ia.0", frames[0]) | name_arrays("ia.1", frames[1])
    for k, frame in enumerate(frames):
        assert_same_frame(read_frame(f"ia.{k}", k, arrays), frame)


def test_a_frame_of_an_earlier_version_can_be_read(generator):
    frame = make_frame(4, np.eye(3), generator.random((3, 3, 5, 5)), assignments=[0, 1, 2])
    assert_same_frame(read_frame("ia.frame", 4, {"ia.frame": encode_old(frame)}), frame)


def test_a_file_without_the_requested_frame_is_refused():
    with pytest.raises(KeyError):
        read_frame("ia.frame", 0, {"ka.frame.d2": np.zeros((1, 1))})


def test_a_frame_does_not_change_when_the_given_array_changes():
    d2 = np.zeros((2, 2), "<f4")
    frame = make_frame(0, d2)
    d2 += 1
    assert frame.arrays["d2"].sum() == 0


def test_the_size_of_a_frame_is_the_size_of_its_arrays():
    assert make_frame(2, np.ones((3, 3)), assignments=[0, 1, 1]).nbytes == 36 + 12
