import pytest
import torch

from ia_engine.attention.clusters.detection import merge_clusters
from ia_engine.attention.clusters.measures import mean_distances, measure
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.attention.weights import block_mass
from ia_engine.metrics import score_clusters
from tests.tensors import blobs, tensor
from tests.unit.attention.scenes import drawing, turned

POSES = ((0, 0, 0), (60, 3.2, -2.1), (-100, -1.5, 2.6))


def two_classes():
    v = normalise(torch.cat([turned(drawing(name), *POSES) for name in ("crab", "snail")]))
    return v, torch.tensor([0, 0, 0, 1, 1, 1], device="cpu")


def run(labels=None, steps=3):
    v, _ = two_classes()
    return list(measure(iterate(AttentionConfig(beta=30.0, steps=steps), v), labels))


def test_the_measures_equal_the_results_of_the_functions_that_define_them():
    _, labels = two_classes()
    for found in run(labels):
        assert torch.equal(
            found.assignments, merge_clusters(found.step.d2, found.step.v, found.step.W)
        )
        assert found.clusters == 2
        assert found.scores == score_clusters(labels, found.assignments)
        assert found.block_mass == block_mass(found.step.W, labels)
        assert (found.d2_within, found.d2_between) == mean_distances(found.step.d2, labels)


def test_smoothed_classes_in_separate_blocks_of_the_weights_count_as_separate_clusters():
    v, labels = two_classes()
    config = AttentionConfig(beta=120.0, sigma=3.0, steps=2)
    for found in measure(iterate(config, v), labels):
        assert found.block_mass > 0.85
        assert not merge_clusters(found.step.d2, found.step.v).any(), (
            "all images must be near each other"
        )
        assert (found.clusters, found.scores.ari) == (2, 1)
        assert found.tree.clusters == ((0, 1, 2), (3, 4, 5))


def test_without_labels_there_are_clusters_but_no_scores():
    found = run()[0]
    assert found.scores is found.block_mass is found.d2_within is found.d2_between is None
    assert found.clusters == 2


def test_the_first_step_has_no_contraction_ratio():
    first, second, _ = run()
    assert first.contraction is None
    assert not first.converged
    wanted = (second.step.d2 / first.step.d2).nan_to_num().sqrt()
    far = first.step.d2.sqrt() > 0.02 * first.step.d2.max().sqrt()
    assert second.contraction == pytest.approx(float(wanted[far].max()))


def test_merges_are_reported_once_and_the_tree_contains_all_of_them():
    found = run()
    assert [len(one.merges) for one in found] == [4, 0, 0]
    assert all(one.tree.merges == found[0].merges for one in found)
    assert found[-1].tree.clusters == ((0, 1, 2), (3, 4, 5))
    assert found[-1].converged


def test_mean_distances_exclude_the_diagonal():
    d2 = tensor([[0, 1, 4], [1, 0, 6], [4, 6, 0]])
    assert mean_distances(d2, torch.tensor([0, 0, 1], device="cpu")) == (1, 5)
    assert mean_distances(d2, torch.tensor([0, 0, 0], device="cpu"))[1] is None
    assert mean_distances(d2, torch.tensor([0, 1, 2], device="cpu"))[0] is None
    assert mean_distances(d2, None) == (None, None)


def test_a_single_image_is_one_cluster():
    found = list(measure(iterate(AttentionConfig(steps=2), normalise(blobs(1, size=15))), None))
    assert [one.clusters for one in found] == [1, 1]
    assert found[1].contraction is None
    assert found[1].converged
