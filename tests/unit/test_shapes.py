import pytest

from ia_engine.errors import EngineError
from ia_engine.images import check_axes
from tests.tensors import rand


def test_axes_are_returned_with_their_sizes():
    assert check_axes(rand(2, 3, 4, 5), "n c h w", "v") == {"n": 2, "c": 3, "h": 4, "w": 5}


@pytest.mark.parametrize("axes", ["n", "n m p", "2 2", "3 3", "3 n"])
def test_the_error_contains_the_axes_and_the_shape(axes):
    with pytest.raises(EngineError, match=rf"^x must have the axes \[{axes}\]; got \(2, 3\)$"):
        check_axes(rand(2, 3), axes, "x")


def test_two_axes_may_have_the_same_size():
    check_axes(rand(2, 2), "2 2", "x")
