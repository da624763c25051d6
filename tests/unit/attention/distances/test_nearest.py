import pytest
import torch

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.nearest import NearestSearch, align_nearest
from ia_engine.attention.distances.shared import find_nearest
from ia_engine.distributed.ranks import ALONE, Workshop
from ia_engine.errors import EngineError
from ia_engine.transforms import GROUPS
from tests.unit.attention.scenes import experiment_1

SE2 = GROUPS["se2"]


def test_the_nearest_images_belong_to_the_same_class_and_their_distances_are_exact():
    v, labels = experiment_1(seed=5)
    found, every = align_nearest(v, SE2, 5), GlobalSearch(SE2).align(v)
    row = torch.arange(len(v), device="cpu")[:, None]
    assert (labels[found.index] == labels[:, None]).all()
    torch.testing.assert_close(found.d2, every.d2[found.index, row], atol=2e-3, rtol=0)
    assert (found.d2.diff(dim=1) >= 0).all()


def test_poses_warp_the_neighbours_onto_the_image():
    v, _ = experiment_1(seed=5)
    found = align_nearest(v[:6], SE2, 2)
    moved = SE2.act(v[found.index[:, 0]], found.tau[:, 0])
    assert ((moved - v[:6]).flatten(1).square().sum(1) < found.d2[:, 0] + 0.03).all()


@pytest.mark.parametrize("k", [0, 6])
def test_the_number_of_neighbours_is_validated(k):
    with pytest.raises(EngineError, match="between 1 and 5"):
        align_nearest(experiment_1(seed=5)[0][:6], SE2, k)
    with pytest.raises(EngineError, match="between 1 and 5"):
        find_nearest(NearestSearch(SE2, k=k), experiment_1(seed=5)[0][:6], Workshop(ALONE))


def test_distances_of_other_pairs_are_approximate_and_larger_than_those_of_neighbours():
    v, _ = experiment_1(seed=5)
    found, every = NearestSearch(SE2, k=5).align(v), GlobalSearch(SE2).align(v)
    others = ~torch.eye(len(v), dtype=torch.bool, device="cpu")
    assert torch.equal(found.rough, found.rough.T)
    assert (found.rough.sum(0) <= len(v) - 1 - 5).all()
    exact = others & ~found.rough
    torch.testing.assert_close(found.d2[exact], every.d2[exact], atol=2e-3, rtol=0)
    fifth = found.d2.topk(6, 0, largest=False).values[-1]
    assert (fifth < found.d2.masked_fill(~found.rough, torch.inf).amin(0)).all()
    assert (found.d2.diagonal() == 0).all()


def test_poses_of_neighbours_are_known_in_both_directions():
    v, _ = experiment_1(seed=5)
    found = NearestSearch(SE2, k=2).align(v[:6])
    for i, j in (~found.rough).nonzero().tolist():
        moved = SE2.act(v[i : i + 1], found.tau[i, j][None])
        assert float((moved - v[j]).square().sum()) < float(found.d2[i, j]) + 0.04


def test_with_more_neighbours_than_images_all_pairs_are_computed():
    v, _ = experiment_1(seed=5)
    found, every = NearestSearch(SE2, k=5).align(v[:6]), GlobalSearch(SE2).align(v[:6])
    assert found.rough is None
    assert torch.equal(found.d2, every.d2)
