"""Clusters are reassigned if they are rare and replaced if they are redundant."""

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
    """Errors for which clusters 0 and 1 are redundant, and 2 is the largest and has the largest
    errors.
    """
    return tensor([[0.10, 0.11, 0.9], [0.11, 0.10, 0.9], [0.9, 0.9, 0.40], [0.9, 0.9, 0.45]])


def test_a_batch_records_how_much_removing_each_cluster_would_increase_the_loss():
    chosen = twins().argmin(1)
    batch = Batch.of(twins(), chosen, tensor([1.0, 1.0, 1.0, 1.0]))
    torch.testing.assert_close(batch.share, tensor([0.25, 0.25, 0.5]))
    torch.testing.assert_close(batch.error, tensor([0.1, 0.1, 0.85]) / 4)
    torch.testing.assert_close(batch.loss, tensor([0.01, 0.01, 0.95]) / 4)


def test_one_of_two_redundant_clusters_is_moved_to_split_the_largest_error():
    to, source = used(twins()).needless(0.05)
    assert to in (0, 1)
    assert source == 2


def test_needed_clusters_are_kept_and_all_are_kept_if_replacement_is_disabled():
    assert used(twins()).needless(0.001) is None
    assert used(twins()).needless(0) is None


def test_a_new_copy_of_a_cluster_is_not_replaced_for_some_periods():
    usage = used(twins(), periods=TRIAL_PERIODS - 1)
    assert usage.needless(0.05) is None
    copied = used(twins()).copied(0, 2)
    assert copied.age.tolist() == [0, TRIAL_PERIODS, 0]
    assert copied.share.sum() == pytest.approx(1)


def test_small_clusters_are_those_whose_share_is_below_a_limit():
    usage = used(twins())
    assert usage.small(0.3) == [0, 1]
    assert usage.small(0.1) == []


def test_a_single_cluster_is_never_replaced():
    usage = used(tensor([[0.3], [0.4]]))
    assert usage.needless(1.0) is None
