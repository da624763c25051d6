from dataclasses import replace

import pytest
import torch

from ia_engine.attention.clusters.detection import (
    MERGED,
    clarity,
    cluster,
    join_neighbours,
    merge_clusters,
)
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.bases import BASES
from ia_engine.datasets.experiments import EXPERIMENT_1, make_experiment_1
from ia_engine.errors import EngineError
from ia_engine.metrics import score_clusters
from ia_engine.transforms import GROUPS
from tests.tensors import rand, tensor
from tests.unit.attention.scenes import experiment_1


def images(n, norm=1.0):
    """n images of this norm; the tests use only their norms."""
    v = torch.zeros(n, 1, 2, 2, dtype=torch.float64, device="cpu")
    v[:, 0, 0, 0] = norm
    return v


def test_images_connected_by_a_chain_of_near_pairs_form_one_cluster():
    near, far = MERGED / 2, 1.0
    d2 = tensor(
        [
            [0, near, far, far, far],
            [near, 0, far, near, far],
            [far, far, 0, far, near],
            [far, near, far, 0, far],
            [far, far, near, far, 0],
        ]
    )
    assert merge_clusters(d2, images(5)).tolist() == [0, 0, 1, 0, 1]


def test_distances_are_judged_relative_to_the_norms_of_the_images():
    d2 = tensor([[0, 0.3], [0.3, 0]])
    assert merge_clusters(d2, images(2, norm=1.0)).tolist() == [0, 1]
    assert merge_clusters(d2, images(2, norm=2.0)).tolist() == [0, 0]


def test_identical_images_form_one_cluster_and_so_does_a_single_image():
    assert merge_clusters(torch.zeros(4, 4, device="cpu"), images(4)).tolist() == [0, 0, 0, 0]
    assert merge_clusters(torch.zeros(1, 1, device="cpu"), images(1)).tolist() == [0]


def test_labels_are_integers_on_the_device_of_the_distances():
    found = merge_clusters(torch.zeros(3, 3, device="cpu"), images(3))
    assert found.dtype == torch.int64
    assert found.device.type == "cpu"


def blurred(*sizes, within=0.0005, between=0.05, beta=120.0):
    """d² of smoothed classes whose distances are below MERGED, their weights and their labels."""
    labels = torch.cat([torch.full((n,), k, device="cpu") for k, n in enumerate(sizes)])
    same = labels[:, None] == labels
    d2 = torch.where(same, within, between).double().fill_diagonal_(0)
    return d2, (-beta * d2).softmax(0), labels


@pytest.mark.parametrize("sizes", [(4, 4), (2, 3), (6, 6, 6, 6), (2, 9, 5)])
def test_blocks_of_the_weights_are_separate_clusters_even_if_all_images_are_near(sizes):
    d2, W, labels = blurred(*sizes)
    v = images(len(d2))
    assert set(merge_clusters(d2, v).tolist()) == {0}
    assert merge_clusters(d2, v, W).tolist() == labels.tolist()


@pytest.mark.parametrize("beta", [0.0, 10.0])
def test_near_images_with_similar_weights_are_in_one_cluster(beta):
    d2, W, _ = blurred(6, 6, beta=beta)
    assert set(merge_clusters(d2, images(12), W).tolist()) == {0}


def test_a_ring_of_near_images_is_a_single_cluster():
    steps = torch.arange(60, device="cpu")
    apart = (steps[:, None] - steps).abs()
    d2 = 0.001 * torch.minimum(apart, 60 - apart).double().square().clamp_max(90)
    W = (-300 * d2).softmax(0)
    assert not merge_clusters(d2, images(60), W).any()


def test_similar_weights_never_join_images_that_are_far_apart():
    d2, W, _ = blurred(3, 3, within=0.5, between=0.5, beta=0.0)
    assert merge_clusters(d2, images(6), W).tolist() == [0, 1, 2, 3, 4, 5]


def groups(*sizes, spread=(1.0, 1.0, 1.0), gap=6.0, seed=0):
    """Squared distances of points around centres at intervals of `gap`, and their labels."""
    labels = torch.cat([torch.full((n,), k, device="cpu") for k, n in enumerate(sizes)])
    corners = gap * torch.eye(len(sizes), 6, dtype=torch.float64, device="cpu")
    width = tensor(spread)[labels][:, None]
    x = corners[labels] + width * rand(len(labels), 6, seed=seed, low=-1, high=1)
    return (x[:, None] - x).square().sum(-1), labels


@pytest.mark.parametrize("sizes", [(12, 12, 12), (6, 9, 20), (6, 6)])
@pytest.mark.parametrize("spread", [(1.0, 1.0, 1.0), (0.05, 1.0, 2.0)])
def test_groups_of_any_spread_are_found_whether_or_not_k_is_given(sizes, spread):
    d2, labels = groups(*sizes, spread=spread)
    v = images(len(labels))
    assert torch.equal(cluster(d2, v, len(sizes)), labels)
    assert torch.equal(cluster(d2, v), labels)


def test_with_fewer_clusters_than_components_the_nearest_ones_are_joined_despite_rounding_errors():
    """No link connects the three components, so only the distances determine which ones to join."""
    corners = tensor([[0.0, 0.0], [3.0, 0.0], [0.8, 2.5]])
    x = corners.repeat_interleave(8, 0) + 0.02 * rand(24, 2, seed=4, low=-1, high=1)
    d2 = (x[:, None] - x).square().sum(-1)
    for seed in range(6):
        noise = 1e-7 * rand(24, 24, seed=seed, low=-1, high=1)
        found = cluster(d2 * (1 + noise + noise.T), images(24), 2)
        assert found.tolist() == [0] * 8 + [1] * 8 + [0] * 8


@pytest.mark.parametrize("scale", [10.0, 1e3])
def test_the_scale_of_the_distances_does_not_matter(scale):
    d2, labels = groups(9, 9, 9)
    assert torch.equal(cluster(scale * d2, images(27)), labels)


def test_the_order_of_the_images_affects_only_the_numbering_of_the_clusters():
    d2, labels = groups(8, 8, 8)
    order = torch.randperm(24, generator=torch.Generator(device="cpu").manual_seed(0), device="cpu")
    found = cluster(d2[order][:, order], images(24))
    assert score_clusters(labels[order], found).ari == 1
    assert found[0] == 0
    firsts = [int((found == k).int().argmax()) for k in range(3)]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize("n", [1, 2, 3, 12])
def test_identical_images_and_a_small_class_are_not_split(n):
    assert cluster(torch.zeros(n, n, device="cpu"), images(n)).tolist() == [0] * n
    assert cluster(1e-3 * groups(n)[0], images(n)).tolist() == [0] * n
    assert cluster(groups(n)[0], images(n)).tolist() == [0] * n


@pytest.mark.parametrize(
    "sizes", [(2, 2), (2, 2, 2, 2), (4, 4, 4), (3, 2, 6), (5, 5, 5, 5), (8, 16)]
)
def test_separate_classes_of_a_small_set_are_found_whether_or_not_k_is_given(sizes):
    d2, labels = groups(*sizes, spread=(1.0,) * len(sizes), seed=101)
    v = images(len(labels))
    assert torch.equal(cluster(d2, v), labels)
    assert torch.equal(cluster(d2, v, len(sizes)), labels)


def test_classes_that_are_farther_apart_than_any_of_their_pairs_are_found_if_k_is_given():
    labels = torch.arange(4, device="cpu").repeat_interleave(2)
    same = labels[:, None] == labels
    noise = rand(8, 8, seed=104, low=-1, high=1)
    d2 = torch.where(same, 0.11, 0.30) + 0.03 * (noise + noise.T)
    assert torch.equal(cluster(d2.fill_diagonal_(0), images(8), 4), labels)


def test_clusters_of_equal_images_in_a_small_set_do_not_depend_on_rounding_errors():
    d2, labels = groups(4, 4, 4)
    d2 = d2[labels * 4][:, labels * 4]  # each class holds one image four times
    for seed in range(100, 106):
        noise = 1e-7 * rand(12, 12, seed=seed, low=0, high=1)
        found = cluster((d2 + noise + noise.T).fill_diagonal_(0), images(12), 5)
        assert found.tolist() == cluster(d2, images(12), 5).tolist()


@pytest.mark.parametrize("seed", range(100, 103))
def test_two_copies_of_each_of_four_drawings_are_found(seed):
    config = replace(EXPERIMENT_1, bases=tuple(list(BASES)[:4]), copies=2, seed=seed)
    made = make_experiment_1(config)
    v = normalise(made.images)
    d2 = GlobalSearch(GROUPS["se2"], 1.0).align(v).d2
    assert torch.equal(cluster(d2, v), made.labels)
    assert torch.equal(cluster(d2, v, 4), made.labels)


def test_an_empty_set_has_no_clusters():
    assert cluster(torch.zeros(0, 0, device="cpu"), images(0)).tolist() == []


@pytest.mark.parametrize("k", [1, 2, 5, 12])
def test_the_requested_number_of_clusters_is_returned(k):
    d2, _ = groups(4, 4, 4)
    assert len(cluster(d2, images(12), k).unique()) == k


@pytest.mark.parametrize("k", [0, -1, 13])
def test_impossible_numbers_of_clusters_are_refused(k):
    with pytest.raises(EngineError, match="k must be between 1 and the number of images, 12"):
        cluster(groups(4, 4, 4)[0], images(12), k)


def test_clusters_are_integers_on_the_device_of_the_distances():
    d2, _ = groups(6, 6)
    for k in (None, 2):
        found = cluster(d2.float(), images(12), k)
        assert found.dtype == torch.int64
        assert found.device.type == "cpu"


def test_the_neighbour_graph_is_symmetric_without_loops_and_connects_all_equally_near_images():
    A = join_neighbours(groups(7, 9)[0])
    assert torch.equal(A, A.T)
    assert (A.diagonal() == 0).all()
    assert ((A > 0).sum(1) >= 5).all()
    alike = join_neighbours(torch.zeros(20, 20, dtype=torch.float64, device="cpu"))
    assert ((alike > 0).sum(1) == 19).all()


def test_clarity_is_one_if_no_edge_is_cut_and_zero_for_a_single_cluster_or_a_complete_graph():
    cliques = torch.block_diag(*[torch.ones(4, 4, dtype=torch.float64, device="cpu")] * 3)
    thirds = torch.arange(12, device="cpu") // 4
    assert clarity(cliques, thirds) == pytest.approx(1)
    assert clarity(cliques, (thirds > 0).long()) == pytest.approx(1)
    assert clarity(cliques, thirds * 0) == 0
    assert clarity(torch.ones_like(cliques), thirds) == pytest.approx(0, abs=1e-9)


def test_the_classes_of_experiment_1_are_found_before_any_images_merge():
    v, labels = experiment_1(seed=3)
    found = cluster(GlobalSearch(GROUPS["se2"]).align(v).d2, v)
    assert torch.equal(found, labels)
