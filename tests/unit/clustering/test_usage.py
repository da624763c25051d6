"""Which clusters are given up: those that few choose, and those that are hardly missed."""

import pytest
import torch

from ia_engine.clustering.state import TRIAL_PERIODS, Batch, Usage
from tests.tensors import tensor


def used(scores, rounds=200, periods=TRIAL_PERIODS):
    batch = Batch.of(scores, scores.argmin(1), torch.ones_like(scores[:, 0]))
    usage = Usage.even(scores.shape[1], scores)
    for _ in range(rounds):
        usage = usage.add(batch)
    for _ in range(periods):
        usage = usage.older()
    return usage


def twins():
    """Clusters 0 and 1 suit the same images nearly alike; 2 is chosen most and suits badly."""
    return tensor([[0.10, 0.11, 0.9], [0.11, 0.10, 0.9], [0.9, 0.9, 0.40], [0.9, 0.9, 0.45]])


def test_a_batch_knows_what_it_would_cost_if_a_cluster_went():
    chosen = twins().argmin(1)
    batch = Batch.of(twins(), chosen, tensor([1.0, 1.0, 1.0, 1.0]))
    torch.testing.assert_close(batch.share, tensor([0.25, 0.25, 0.5]))
    torch.testing.assert_close(batch.error, tensor([0.1, 0.1, 0.85]) / 4)
    torch.testing.assert_close(batch.loss, tensor([0.01, 0.01, 0.95]) / 4)


def test_of_twins_one_goes_to_split_the_cluster_with_the_largest_error():
    to, source = used(twins()).needless(0.05)
    assert to in (0, 1)
    assert source == 2


def test_nobody_goes_who_is_missed_and_nobody_where_it_is_switched_off():
    assert used(twins()).needless(0.001) is None
    assert used(twins()).needless(0) is None


def test_a_new_copy_is_left_alone_for_some_periods():
    usage = used(twins(), periods=TRIAL_PERIODS - 1)
    assert usage.needless(0.05) is None
    copied = used(twins()).copied(0, 2)
    assert copied.age.tolist() == [0, TRIAL_PERIODS, 0]
    assert copied.share.sum() == pytest.approx(1)


def test_small_clusters_are_those_below_a_share():
    usage = used(twins())
    assert usage.small(0.3) == [0, 1]
    assert usage.small(0.1) == []


def test_one_cluster_alone_has_nobody_to_be_exchanged_with():
    usage = used(tensor([[0.3], [0.4]]))
    assert usage.needless(1.0) is None
