import pytest
import torch

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.refinement import SLACK, Pruning
from ia_engine.attention.weights import weigh
from ia_engine.transforms import GROUPS
from tests.unit.attention.scenes import experiment_1

SE2 = GROUPS["se2"]


def test_near_pairs_are_not_skipped_and_distant_pairs_are():
    pruning, one = Pruning(beta=50), torch.ones(2, device="cpu")
    d2 = torch.tensor([0.1, 2.0], device="cpu")
    assert pruning.spares(d2, one, 100).tolist() == [False, True]


def test_more_images_or_a_smaller_tolerance_skip_fewer_pairs():
    d2, norm = torch.linspace(0, 2, 200, device="cpu"), torch.ones(200, device="cpu")
    counts = [
        int(Pruning(30, tolerance).spares(d2, norm, n).sum())
        for tolerance, n in ((1e-3, 100), (1e-3, 10_000), (1e-6, 10_000))
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2]


@pytest.mark.parametrize("beta", [15, 40])
def test_no_column_of_weights_changes_by_more_than_the_tolerance(beta):
    v, _ = experiment_1(seed=3)
    exact = GlobalSearch(SE2).align(v).d2
    found = GlobalSearch(SE2, pruning=Pruning(beta)).align(v)
    spared = found.rough
    change = (weigh(found.d2, float(beta)) - weigh(exact, float(beta))).abs().sum(0)
    assert change.max() < 1e-3
    assert torch.equal(spared, spared.T)
    assert not spared.diagonal().any()
    assert spared.any() or beta < 40
    # The approximate distance of a skipped pair exceeds the exact one by at most the bound.
    assert (found.d2 - exact)[spared].amax() < 2 * SLACK if spared.any() else True


def test_without_pruning_no_pair_is_skipped():
    v, _ = experiment_1(seed=3)
    assert GlobalSearch(SE2).align(v[:4]).rough is None
