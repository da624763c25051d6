import math

import pytest
import torch

from ia_engine.metrics import score_clusters


def score(truth, found):
    return score_clusters(*(torch.tensor(x, device="cpu") for x in (truth, found)))


def test_identical_partitions_have_perfect_scores_regardless_of_their_labels():
    for found in ([0, 0, 1, 1, 2, 2], [5, 5, 0, 0, 3, 3]):
        scores = score([0, 0, 1, 1, 2, 2], found)
        assert (scores.ari, scores.nmi, scores.acc) == pytest.approx((1, 1, 1))


def test_a_single_cluster_of_all_images_has_scores_no_better_than_chance():
    scores = score([0, 0, 1, 1], [0, 0, 0, 0])
    assert (scores.ari, scores.nmi, scores.acc) == pytest.approx((0, 0, 0.5))


def test_one_cluster_for_each_image_has_known_scores():
    # MI = ln 2, H(labels) = ln 2, H(clusters) = ln 4: NMI = ln 2 / (1.5 ln 2) = 2/3.
    scores = score([0, 0, 1, 1], [0, 1, 2, 3])
    assert (scores.ari, scores.nmi, scores.acc) == pytest.approx((0, 2 / 3, 0.5))


def test_one_image_in_the_wrong_cluster_has_known_scores():
    # The contingency table is [[2, 0], [1, 2]]. Of 10 pairs, 4 are within classes, 4 within
    # clusters, and 2 within both; 1.6 are expected, and 4 is the maximum.
    scores = score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    h = -(0.4 * math.log(0.4) + 0.6 * math.log(0.6))
    information = sum(
        p * math.log(p / (a * b)) for p, a, b in ((0.4, 0.4, 0.6), (0.2, 0.6, 0.6), (0.4, 0.6, 0.4))
    )
    assert scores.ari == pytest.approx((2 - 1.6) / (4 - 1.6))
    assert scores.nmi == pytest.approx(information / h)
    assert scores.acc == pytest.approx(0.8)


def test_a_cluster_without_its_own_class_counts_as_wrong():
    assert score([0, 0, 0, 0], [0, 0, 1, 2]).acc == pytest.approx(0.5)
    assert score([0, 1, 2, 2], [0, 0, 1, 1]).acc == pytest.approx(0.75)
