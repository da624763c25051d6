"""Advice on β: laws, and references in float64 that use none of the engine's functions."""

import math

import numpy as np
import pytest
import torch
from scipy.optimize import brentq
from sklearn.metrics import silhouette_score

from ia_engine.attention.advice import (
    MOST,
    Earlier,
    Known,
    advise,
    count_averaged,
    find_beta,
    keep_weights,
    list_averaged,
    predict,
    predict_clusters,
    recommend,
    silhouette,
)
from ia_engine.attention.distances.alignment import Euclidean
from ia_engine.attention.iteration import AttentionConfig, iterate
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.errors import EngineError
from tests.tensors import rand, tensor

STEPS = 4
KERNEL = AttentionConfig(method="ka", beta=1.5, steps=STEPS)


def know(points, config=KERNEL, scale=1.0):
    weighting = config.build(len(points)).weighting
    return Known(Euclidean().align(points).d2 / scale, points.square().sum(1) / scale, weighting)


def blobs(seed=0):
    data = make_blobs(BlobsConfig(blobs=3, points=8, seed=seed))
    return data.points.double(), data.labels


def test_a_mean_averages_as_many_images_as_a_plain_average_with_the_same_noise():
    W = know(blobs()[0]).weigh(0.7).numpy()
    by_loops = [1 / sum(W[i, j] ** 2 for i in range(len(W))) for j in range(len(W))]
    np.testing.assert_allclose(count_averaged(tensor(W)), by_loops, rtol=1e-12)
    assert count_averaged(torch.eye(5, device="cpu")).tolist() == [1] * 5
    np.testing.assert_allclose(count_averaged(tensor(np.full((5, 5), 0.2))), 5)


@pytest.mark.parametrize("averaged", [1.5, 5.0, 20.0])
def test_the_found_beta_gives_the_number_of_averaged_images_of_a_reference(averaged):
    known = know(blobs()[0])
    d2 = known.d2.numpy()

    def excess(log_beta):
        gamma = np.exp(-math.exp(log_beta) * d2)
        W = gamma / gamma.sum(0)
        return (1 / (W**2).sum(0)).mean() - averaged

    wanted = math.exp(brentq(excess, -12, 12))
    assert find_beta(known, averaged) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("averaged", [0.5, 25.0])
def test_a_number_of_images_that_no_mean_can_average_is_refused(averaged):
    with pytest.raises(EngineError, match="averaged must be between 1 and the 24 images"):
        find_beta(know(blobs()[0]), averaged)


def test_the_predicted_distances_of_kernel_attention_are_those_of_its_iterations():
    points, _ = blobs()
    predicted = predict(know(points), KERNEL.beta, STEPS)
    for step, (now, W) in zip(iterate(KERNEL, points), predicted, strict=False):
        torch.testing.assert_close(now.d2, step.d2, atol=1e-9, rtol=1e-7)
        torch.testing.assert_close(now.square, step.v.square().sum(1), atol=1e-9, rtol=1e-7)
        torch.testing.assert_close(W, step.W, atol=1e-9, rtol=1e-7)


def test_the_silhouette_equals_that_of_scikit_learn():
    points, _ = blobs()
    d2, labels = know(points).d2, tensor([0] * 9 + [1] * 5 + [2] + [3] * 9).long()
    wanted = silhouette_score(d2.fill_diagonal_(0).numpy(), labels.numpy(), metric="precomputed")
    assert silhouette(d2, labels) == pytest.approx(wanted, rel=1e-9)
    assert silhouette(d2, torch.zeros_like(labels)) == 0


@pytest.mark.parametrize("seed", [1])
def test_the_recommended_beta_separates_the_blobs(seed):
    points, labels = blobs(seed)
    known = know(points)
    found = recommend(known, STEPS)
    assert found.low <= found.beta <= found.high
    assert found.clusters == 3
    assert silhouette(known.d2, predict_clusters(known, found.beta, STEPS)) == pytest.approx(
        silhouette(known.d2, labels)
    )


def test_the_recommendation_does_not_depend_on_the_order_of_the_images():
    points, _ = blobs()
    order = torch.randperm(len(points), device="cpu")
    one, other = (recommend(know(v), STEPS) for v in (points, points[order]))
    assert other.beta == pytest.approx(one.beta, rel=1e-6)
    assert other.clusters == one.clusters


@pytest.mark.parametrize("scale", [0.01])
def test_distances_divided_by_a_factor_need_a_beta_multiplied_by_it(scale):
    points, _ = blobs()
    one, other = (recommend(know(points, scale=s), STEPS) for s in (1.0, scale))
    assert other.beta == pytest.approx(scale * one.beta, rel=1e-6)
    assert find_beta(know(points, scale=scale), 5) == pytest.approx(
        scale * find_beta(know(points), 5), rel=1e-6
    )


def test_smoothing_that_divides_all_distances_by_three_needs_three_times_the_beta():
    points, _ = blobs()
    before, after = know(points), know(points, scale=3.0)
    assert keep_weights(before, 0.5, after) == pytest.approx(1.5, rel=1e-6)
    advice = advise(after, 0.5, STEPS, 2.0, Earlier(before, 0.5, 0.0))
    assert advice.kept == 1.5
    assert "Changing σ from 0 to 2 px reduced the median d² from" in advice.kept_sentence
    assert "β ≈ 1.5, a mean averages as many images as before" in advice.kept_sentence


@pytest.mark.parametrize("kernel", ["laplace", "softmax"])
def test_the_number_of_averaged_images_is_that_of_the_weights_of_every_kernel(kernel):
    config = AttentionConfig(method="ka", kernel=kernel, steps=1)
    points = torch.nn.functional.normalize(rand(12, 3, low=-1, seed=0))
    (counted,) = list_averaged(know(points, config), [4.0])
    (step,) = iterate(AttentionConfig(method="ka", kernel=kernel, beta=4.0, steps=1), points)
    assert counted == pytest.approx(float(count_averaged(step.W).mean()), rel=1e-6)


def test_without_clusters_the_advice_is_to_average_five_images():
    d2 = 1 - torch.eye(9, dtype=torch.float64, device="cpu")  # all images are equally far apart
    known = Known(d2, torch.ones_like(d2[0]), KERNEL.build(9).weighting)
    advice = advise(known, 50.0, STEPS)
    assert advice.sentence == (
        "At β = 50, 100 % of the weight is on the diagonal. Recommended: β ≈ 1.64, at "
        "which a mean averages 5 images. No β is "
        "predicted to give clear clusters."
    )
    assert list_averaged(known, [advice.beta]) == pytest.approx([5], rel=0.05)


@pytest.mark.parametrize(
    ("n", "reason"),
    [
        (MOST + 1, "For more than 120 images, clusters are not predicted."),
        (2, "For fewer than 3 images, clusters are not predicted."),
    ],
)
def test_without_a_prediction_the_advice_states_the_reason_instead_of_a_result(n, reason):
    advice = advise(know(rand(n, 2, seed=0)), 15.0, STEPS)
    assert advice.sentence.endswith(f" images. {reason}")
    assert "No β" not in advice.sentence


def test_equal_images_get_a_valid_beta():
    d2 = torch.zeros(6, 6, dtype=torch.float64, device="cpu")
    known = Known(d2, torch.ones_like(d2[0]), KERNEL.build(6).weighting)
    advice = advise(known, 15.0, STEPS)
    assert 0.1 <= advice.beta <= 200
    assert advice.sentence.endswith("All images are equal, so every β gives the same weights.")
