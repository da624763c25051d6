"""Scaling of arrays to [0, 1]: the ends of a known range become exactly 0 and 1."""

import numpy as np
import pytest

from ia_engine.datasets.scaling import find_scale


@pytest.mark.parametrize(("kind", "top"), [("float32", 1), ("uint8", 255), ("uint16", 65535)])
def test_the_ends_of_a_known_range_become_exactly_0_and_1(kind, top):
    images = np.array([0, top], kind).reshape(1, 1, 1, 2)
    assert find_scale("a.npy", images).apply(images).ravel().tolist() == [0, 1]
