from itertools import pairwise

import torch

from ia_engine.attention.clusters.measures import Merge, MergeTree, converged
from ia_engine.attention.iteration import AttentionConfig, Step, iterate
from tests.tensors import tensor
from tests.unit.attention.scenes import experiment_1

FAR = 1.0


def step(k, *links, n=4):
    """A step whose images are far apart except for the links (i, j, d²)."""
    d2 = torch.full((n, n), FAR, dtype=torch.float64, device="cpu").fill_diagonal_(0)
    for i, j, x in links:
        d2[i, j] = d2[j, i] = x
    v = torch.zeros(n, 1, 1, 1, dtype=torch.float64, device="cpu") + 1
    return Step(k=k, v=v, d2=d2, tau=None, W=d2, beta=tensor(1.0), mu=v, seconds=0.0)


def test_merges_within_a_step_are_ordered_by_distance():
    tree = MergeTree(4).grow(step(1, (0, 3, 0.05), (1, 2, 0.02), (0, 1, 0.5)))
    assert tree.merges == (Merge(1, ((1,), (2,)), 0.02), Merge(1, ((0,), (3,)), 0.05))
    assert tree.clusters == ((0, 3), (1, 2))


def test_a_merge_joins_clusters_of_earlier_steps_at_their_smallest_distance():
    tree = MergeTree(4).grow(step(1, (1, 3, 0.03)))
    tree = tree.grow(step(2, (1, 3, 0.01), (0, 3, 0.08), (0, 1, 0.09)))
    assert tree.merges[1:] == (Merge(2, ((0,), (1, 3)), 0.08),)
    assert tree.clusters == ((0, 1, 3), (2,))


def test_merged_images_stay_merged():
    tree = MergeTree(4).grow(step(1, (0, 1, 0.0)))
    assert tree.grow(step(2)) == tree


def test_identical_images_merge_at_distance_zero():
    tree = MergeTree(3).grow(step(1, (0, 1, 0.0), (1, 2, 0.0), (0, 2, 0.0), n=3))
    assert [merge.d2 for merge in tree.merges] == [0, 0]
    assert tree.clusters == ((0, 1, 2),)


def test_in_the_order_of_the_leaves_all_images_of_a_merge_are_adjacent():
    tree = MergeTree(6).grow(step(1, (0, 5, 0.01), (1, 3, 0.02), (5, 3, 0.05), (2, 4, 0.03), n=6))
    assert sorted(tree.order) == list(range(6))
    for merge in tree.merges:
        places = sorted(tree.order.index(i) for one in merge.joined for i in one)
        assert all(b == a + 1 for a, b in pairwise(places))


def test_an_empty_set_has_no_merges():
    assert MergeTree(0).grow(step(1, n=0)) == MergeTree(0)


def test_iterations_have_converged_when_no_images_merge_and_unmerged_images_hardly_move():
    before = step(1, (0, 1, 0.09), (2, 3, 0.8))
    assert converged(step(2, (0, 1, 0.09), (2, 3, 0.77)), before)
    assert converged(step(2, (0, 1, 0.01), (2, 3, 0.8)), before)
    assert not converged(step(2, (0, 1, 0.09), (2, 3, 0.75)), before)
    assert not converged(step(2, (0, 1, 0.11), (2, 3, 0.8)), before)
    assert not converged(step(2, (0, 1, 0.09), (2, 3, 0.09)), before)


def test_each_class_of_experiment_1_merges_into_one_cluster_and_then_nothing_changes():
    v, labels = experiment_1(seed=0)
    steps = list(iterate(AttentionConfig(steps=4), v))
    tree = MergeTree(len(v))
    for one in steps:
        tree = tree.grow(one)
    assert len(tree.merges) == 15
    assert all(len(labels[list(found)].unique()) == 1 for found in tree.clusters)
    settled = [converged(after, before) for before, after in pairwise(steps)]
    assert settled == [False, False, True]
