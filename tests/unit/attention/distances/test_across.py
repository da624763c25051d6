import pytest
import torch

from ia_engine.attention.distances.across import align_across, rank_across
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.errors import EngineError
from ia_engine.transforms import GROUPS
from tests.unit.attention.scenes import experiment_1

SE2 = GROUPS["se2"]


@pytest.mark.parametrize("group", ["translation", "rotation", "se2", "similarity"])
def test_distances_and_poses_are_those_of_the_search_over_all_pairs(group):
    v, _ = experiment_1(seed=5)
    found = align_across(v[:4], v[4:10], GROUPS[group])
    every = GlobalSearch(GROUPS[group]).align(v[:10])
    torch.testing.assert_close(found.d2, every.d2[:4, 4:], atol=5e-3, rtol=0)
    assert found.tau.shape == every.tau[:4, 4:].shape


def test_poses_warp_the_new_images_onto_the_others():
    v, labels = experiment_1(seed=5)
    found = align_across(v[:3], v[3:], SE2)
    for i, j in (labels[:3, None] == labels[3:]).nonzero().tolist():
        moved = SE2.act(v[i : i + 1], found.tau[i, j][None])
        assert float((moved - v[3 + j]).square().sum()) < float(found.d2[i, j]) + 0.04


def test_ranked_distances_are_exact_for_the_nearest_images_and_larger_for_the_others():
    v, _ = experiment_1(seed=5)
    exact = align_across(v[:4], v[4:], SE2).d2
    found = rank_across(v[:4], v[4:], SE2, 3)
    near = exact.topk(3, 1, largest=False).indices
    others = found.scatter(1, near, torch.inf).amin(1)
    torch.testing.assert_close(found.gather(1, near), exact.gather(1, near), atol=5e-3, rtol=0)
    assert (others > exact.gather(1, near).amax(1) - 5e-3).all()


def test_images_of_different_sizes_and_impossible_numbers_of_neighbours_are_refused():
    v, _ = experiment_1(seed=5)
    with pytest.raises(EngineError, match="u must have the axes"):
        align_across(v[:2, :, 1:], v, SE2)
    with pytest.raises(EngineError, match="k must be between 1 and the number of images, 4; got 5"):
        rank_across(v[:2], v[:4], SE2, 5)
