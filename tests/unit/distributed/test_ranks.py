"""One process and two give the same; the two are true processes with one thread each."""

import pytest
import torch

from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from tests.unit.distributed.processes import compute
from tests.unit.distributed.tasks import ITERATIONS, TASKS

pytestmark = pytest.mark.cpu_only("other processes have their own default device")


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    return compute(tmp_path_factory.mktemp("ranks"))


@pytest.fixture
def both(shared):
    """What one process finds, and each of two."""
    return lambda task: (TASKS[task](ALONE), shared[task])


def test_distances_of_two_ranks_are_those_of_one(both):
    alone, (first, second) = both("distances")
    for name, expected in alone.items():
        torch.testing.assert_close(first[name], expected, atol=1e-5, rtol=0)
        assert torch.equal(first[name], second[name])


def test_fifty_steps_of_dti_lose_the_same_in_two_ranks(both):
    alone, (first, second) = both("clusters")
    for name, expected in alone.items():
        torch.testing.assert_close(first[name], expected, atol=1e-6, rtol=0)
        assert torch.equal(first[name], second[name])
    assert len(alone["dti-kmeans.loss"]) == ITERATIONS
    assert alone["dti-kmeans.reassigned"].sum() > 0


def test_a_mixture_is_one_and_the_same_in_two_ranks(both):
    alone, (first, second) = both("mixture")
    assert alone["usage.error"].sum() > 0.1
    for name, x in first.items():
        assert torch.equal(x, second[name]), name
    name = "model.comparison.variances"
    torch.testing.assert_close(first[name], alone[name], atol=1e-6, rtol=0)


def test_fifty_steps_of_a_p4_network_lose_the_same_in_two_ranks(both):
    alone, (first, second) = both("network")
    assert len(alone["loss"]) == ITERATIONS
    torch.testing.assert_close(first["loss"], alone["loss"], atol=1e-6, rtol=0)
    assert torch.equal(first["errors"], alone["errors"])
    assert torch.equal(first["loss"], second["loss"])


def test_a_normalisation_knows_the_whole_batch_and_so_do_its_gradients(both):
    alone, found = both("norms")
    for one in found:
        assert one.keys() == alone.keys()
        for name, expected in alone.items():
            torch.testing.assert_close(one[name], expected, atol=1e-12, rtol=0)


def test_every_rank_has_a_part_and_no_image_is_in_two():
    n, parts = 11, [Ranks(rank, 3).part(11) for rank in range(3)]
    rows = [row for part in parts for row in range(n)[part]]
    assert rows == list(range(n))
    assert sum(Ranks(rank, 3).share(n) for rank in range(3)) == pytest.approx(1)
    with pytest.raises(EngineError, match="3 processes share 2 images"):
        Ranks(0, 3).part(2)
