import pytest

from ia_engine.errors import EngineError
from ia_engine.shapes import check_axes
from tests.tensors import rand


def test_axes_are_returned_with_their_sizes():
    assert check_axes(rand(2, 3, 4, 5), "n c h w", "v") == {"n": 2, "c": 3, "h": 4, "w": 5}


@pytest.mark.parametrize("axes", ["n", "n m p", "2 2", "3 3", "3 n"])
def test_sentence_repeats_the_axes_and_the_shape(axes):
    with pytest.raises(EngineError, match=rf"^x needs the axes \[{axes}\]; got \(2, 3\)$"):
        check_axes(rand(2, 3), axes, "x")


def test_the_same_number_may_stand_twice():
    check_axes(rand(2, 2), "2 2", "x")
