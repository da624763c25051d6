import pytest
import torch

from ia_engine.attention.clusters.measures import NEAR, largest_ratio
from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.attention.theory.contraction import (
    Failure,
    Trial,
    contract,
    find_failure,
    ratios,
)
from ia_engine.datasets.experiments import Experiment2Config, make_experiment_2
from ia_engine.errors import EngineError
from tests.tensors import tensor
from tests.unit.attention.scenes import drawing, experiment_1

METHOD = AttentionConfig().build()


def threes():
    return normalise(make_experiment_2(Experiment2Config()).images)


def crabs():
    v, labels = experiment_1(seed=0)
    return v[labels == 0]


def test_contraction_ratios_are_those_of_distances_instead_of_squared_distances():
    before = tensor([[0, 4.0, 1e-6], [4.0, 0, 1.0], [1e-6, 1.0, 0]])
    found = ratios(before, before * tensor([[1, 0.25, 9], [0.25, 1, 0.81], [9, 0.81, 1]]), 0.01)
    torch.testing.assert_close(found[1], tensor([0.5, torch.nan, 0.9]), equal_nan=True)
    assert found[0, 2].isnan()
    assert largest_ratio(before, before * 0.49, 0.01) == pytest.approx(0.7)
    assert largest_ratio(before, before, 3.0) is None


@pytest.mark.parametrize("constant", [0.5, 2.0, 4.0])
@pytest.mark.parametrize("images", [threes, crabs])
def test_every_pair_of_a_class_contracts_while_beta_is_small_relative_to_the_distances(
    images, constant
):
    steps = list(contract(METHOD, images(), constant, steps=3))
    assert [step.k for step in steps] == [1, 2, 3]
    for step in steps:
        assert step.holds
        assert step.largest == pytest.approx(float(step.ratio.nan_to_num().max()))
        assert step.beta * step.radius**2 == pytest.approx(constant)
    assert steps[1].radius < steps[0].radius


def test_pairs_much_nearer_than_the_first_radius_are_excluded():
    v = threes()
    first = next(contract(METHOD, v, 0.5, steps=1))
    far = METHOD.distance.align(v).d2.sqrt() > NEAR * first.radius
    assert torch.equal(far, first.ratio.isfinite())


def test_for_identical_images_there_is_no_contraction_to_measure():
    v = drawing("crab").expand(3, -1, -1, -1)
    assert list(contract(METHOD, v, 1.0, steps=5)) == []
    with pytest.raises(EngineError, match="images must differ"):
        find_failure(METHOD, v)


def test_bisection_encloses_the_first_failure_between_two_trials():
    failure = find_failure(METHOD, threes(), halvings=4)
    assert failure.holds.largest < 1 <= failure.fails.largest
    assert 4 < failure.holds.constant < failure.fails.constant < 1.05 * failure.holds.constant
    assert failure.holds.beta == pytest.approx(failure.holds.constant / failure.radius**2)
    constants = [trial.constant for trial in failure.trials]
    assert constants == sorted(constants)


def test_the_first_failure_counts_even_if_contraction_holds_again_for_larger_constants():
    trials = tuple(Trial(c, c, x) for c, x in ((1, 0.5), (2, 0.9), (3, 1.0), (4, 0.8)))
    failure = Failure(1.0, trials)
    assert (failure.holds.constant, failure.fails.constant) == (2, 3)
    assert Failure(1.0, trials[:2]).fails is None
    assert Failure(1.0, trials[2:]).holds is None
