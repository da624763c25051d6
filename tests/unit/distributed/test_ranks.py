"""Two processes with one thread each give the results of one process."""

import pytest
import torch

from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from tests.unit.distributed.processes import compute
from tests.unit.distributed.tasks import ITERATIONS, TASKS

pytestmark = pytest.mark.cpu_only("the processes have their own default device")


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    return compute(tmp_path_factory.mktemp("ranks"))


@pytest.fixture
def both(shared):
    """Return a function that returns the results of one process and of each of two processes."""
    return lambda task: (TASKS[task](ALONE), shared[task])


def test_distances_of_two_ranks_equal_those_of_one(both):
    alone, (first, second) = both("distances")
    for name, expected in alone.items():
        torch.testing.assert_close(first[name], expected, atol=1e-5, rtol=0)
        assert torch.equal(first[name], second[name])


def test_fifty_steps_of_dti_have_the_same_losses_in_two_ranks(both):
    alone, (first, second) = both("clusters")
    for name, expected in alone.items():
        torch.testing.assert_close(first[name], expected, atol=1e-6, rtol=0)
        assert torch.equal(first[name], second[name])
    assert len(alone["dti-kmeans.loss"]) == ITERATIONS
    assert alone["dti-kmeans.reassigned"].sum() > 0


def test_a_mixture_is_the_same_with_one_and_with_two_ranks(both):
    alone, (first, second) = both("mixture")
    assert alone["usage.error"].sum() > 0.1
    for name, x in first.items():
        assert torch.equal(x, second[name]), name
    name = "model.comparison.variances"
    torch.testing.assert_close(first[name], alone[name], atol=1e-6, rtol=0)


def test_fifty_steps_of_a_p4_network_have_the_same_losses_in_two_ranks(both):
    alone, (first, second) = both("network")
    assert len(alone["loss"]) == ITERATIONS
    torch.testing.assert_close(first["loss"], alone["loss"], atol=1e-6, rtol=0)
    assert torch.equal(first["errors"], alone["errors"])
    assert torch.equal(first["loss"], second["loss"])


def test_batch_normalisation_and_its_gradients_use_the_full_batch(both):
    alone, found = both("norms")
    for one in found:
        assert one.keys() == alone.keys()
        for name, expected in alone.items():
            torch.testing.assert_close(one[name], expected, atol=1e-12, rtol=0)


def test_every_image_belongs_to_exactly_one_rank():
    n, parts = 11, [Ranks(rank, 3).part(11) for rank in range(3)]
    rows = [row for part in parts for row in range(n)[part]]
    assert rows == list(range(n))
    assert sum(Ranks(rank, 3).share(n) for rank in range(3)) == pytest.approx(1)
    with pytest.raises(EngineError, match="every batch must have at least 3 images"):
        Ranks(0, 3).part(2)
