"""Groups, their multiplication tables and their actions."""

import pytest
import torch

from ia_engine.equivariant.groups import GROUPS, P4, P4M, FiniteGroup, act, act_plane
from ia_engine.errors import EngineError
from tests.tensors import rand
from tests.unit.equivariant.scenes import features

GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=list(GROUPS))


def test_rotations_by_90_degrees_are_anticlockwise_and_exact():
    f = rand(1, 2, 5, 5)
    for k in range(4):
        assert torch.equal(act_plane(P4, k, f), torch.rot90(f, k, (2, 3)))
        assert torch.equal(act_plane(P4M, 4 + k, f), torch.rot90(f.flip(3), k, (2, 3)))


@GROUP
@pytest.mark.parametrize("side", [4, 5])
def test_acting_by_two_elements_equals_acting_by_their_product(group, side):
    f = features(group, side=side)
    for a in range(len(group)):
        for b in range(len(group)):
            assert torch.equal(act(group, a, act(group, b, f)), act(group, group.table[a][b], f))


@GROUP
def test_the_inverse_undoes_an_element_and_the_identity_changes_nothing(group):
    f = features(group, side=4)
    assert torch.equal(act(group, 0, f), f)
    for h in range(len(group)):
        assert torch.equal(act(group, group.inverse[h], act(group, h, f)), f)


def test_a_rotation_also_permutes_the_poses():
    f = torch.zeros(1, 1, 4, 3, 3, device="cpu")
    f[0, 0, 1, 0, 1] = 1
    assert act(P4, 1, f)[0, 0, 2, 1, 0] == 1


def test_the_directions_of_the_poses_rotate_with_the_elements():
    assert P4.directions == ((-1, 0), (0, -1), (1, 0), (0, 1))


def test_a_table_that_is_not_a_group_is_refused():
    e = ((1, 0), (0, 1))
    with pytest.raises(EngineError, match="every element once"):
        FiniteGroup("broken", ((0, 1), (1, 1)), (e, e), ("a", "b"))
    with pytest.raises(EngineError, match="agree with its multiplication table"):
        FiniteGroup("broken", ((0, 1), (1, 0)), (e, ((0, -1), (1, 0))), ("a", "b"))
    with pytest.raises(EngineError, match="a matrix and a name"):
        FiniteGroup("broken", ((0, 1), (1, 0)), (e,), ("a", "b"))


def test_a_rotation_by_90_degrees_requires_a_square_image():
    with pytest.raises(EngineError, match="as many rows as columns"):
        act(P4, 1, rand(1, 1, 3, 4))
    assert act(P4, 2, rand(1, 1, 3, 4)).shape == (1, 1, 3, 4)
