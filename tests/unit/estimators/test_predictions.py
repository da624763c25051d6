"""Clusters, poses and distances of training images and of new images."""

import numpy as np
import pytest
import torch
from sklearn.metrics import adjusted_rand_score

from ia_engine.attention.clusters.detection import cluster
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.attention.means.algorithm1 import MeanConfig, find_mean
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.seeds import train_seeds
from ia_engine.errors import EngineError
from ia_engine.estimators import (
    DTIKMeans,
    DTIMixture,
    InvariantClustering,
    InvariantMean,
    KernelAttention,
)
from ia_engine.estimators.attention import embed
from ia_engine.metrics import score_clusters
from ia_engine.transforms import GROUPS
from tests.tensors import rand, tensor
from tests.unit.estimators.scenes import rotated_digits, turn

SE2 = GROUPS["se2"]
QUICK = {"sequence": "affine", "iterations": 20, "batch": 16, "random_state": 1}


def to_images(X):
    return normalise(torch.from_numpy(X)[:, None])


@pytest.mark.parametrize(
    "model",
    [
        InvariantClustering(4, sigma=1.0, steps=1),
        InvariantClustering(None, sigma=1.0, beta=40.0, steps=2),
        InvariantClustering(4, steps=1, pairs="nearest", nearest=8),
        KernelAttention(4),
        DTIKMeans(4, **QUICK),
        DTIMixture(4, **QUICK),
    ],
    ids=str,
)
def test_training_images_keep_their_clusters(model):
    """It holds for images that differ from each other: each of them is its own nearest image. The
    predictors of prototypes see one image at a time.
    """
    images, _ = rotated_digits(30)
    assert np.array_equal(model.fit(images).predict(images), model.labels_)


def test_rotated_copies_of_the_training_images_get_the_cluster_of_their_original():
    images, _ = rotated_digits(40)
    model = InvariantClustering(4, sigma=1.0, steps=1).fit(images)
    assert np.array_equal(model.predict(turn(images, seed=1)), model.labels_)


def test_predict_chooses_the_smallest_of_the_distances_that_transform_returns():
    images, _ = rotated_digits(40)
    for model in (InvariantClustering(4, steps=1), KernelAttention(4), DTIKMeans(4, **QUICK)):
        model.fit(images[:28])
        distances = model.transform(images[28:])
        assert distances.shape == (12, 4)
        chosen = distances[np.arange(12), model.predict(images[28:])]
        assert (chosen <= distances.min(1) + 2e-4).all()


def test_clusters_are_those_of_the_engine():
    images, labels = rotated_digits(30)
    model = InvariantClustering(None, sigma=1.0, beta=40.0, steps=2).fit(images)
    config = AttentionConfig("ia", beta=40.0, sigma=1.0, steps=2)
    *_, last = iterate(config, to_images(images))
    assert np.array_equal(model.labels_, cluster(last.d2, last.v))
    four = InvariantClustering(4, sigma=1.0, steps=1).fit_predict(images)
    truth, found = torch.from_numpy(labels), torch.from_numpy(four)
    assert score_clusters(truth, found).acc > 0.9


def test_distances_to_new_images_are_those_of_the_search_over_all_pairs():
    images, _ = rotated_digits(24)
    model = InvariantClustering(3, steps=1).fit(images[:16])
    every = GlobalSearch(SE2).align(to_images(images)).d2[16:, :16]
    nearest = [every[:, model.labels_ == k].amin(1) for k in range(3)]
    found = torch.from_numpy(model.transform(images[16:]))
    torch.testing.assert_close(found, torch.stack(nearest, 1), atol=2e-3, rtol=0)


def test_poses_and_aligned_images_match_the_means():
    images, _ = rotated_digits(30)
    model = InvariantClustering(4, sigma=1.0, steps=1).fit(images)
    moved = SE2.act(torch.from_numpy(images)[:, None], torch.from_numpy(model.poses_))
    moved = moved.clamp(0, float(images.max()))
    torch.testing.assert_close(
        torch.from_numpy(model.align(images)), moved.flatten(1), atol=2e-2, rtol=0
    )
    centres = model.cluster_centers_[model.labels_]
    unit = images.reshape(30, -1) / np.linalg.norm(images.reshape(30, -1), axis=1)[:, None]
    aligned = model.align(images) / np.linalg.norm(model.align(images), axis=1)[:, None]
    assert ((aligned * centres).sum(1) > (unit * centres).sum(1) - 1e-3).all()


@pytest.mark.parametrize("k", [None, 3])
def test_precomputed_distances_give_the_same_clusters_as_invariant_attention_on_images(k):
    images, _ = rotated_digits(30)
    d2 = GlobalSearch(SE2).align(to_images(images)).d2.numpy()
    settings = {"beta": 40.0, "steps": 1}
    direct = InvariantClustering(k, **settings).fit(images[:20])
    given = InvariantClustering(k, metric="precomputed", **settings).fit(d2[:20, :20])
    assert adjusted_rand_score(direct.labels_, given.labels_) == 1
    assert np.array_equal(given.predict(d2[20:, :20]), direct.predict(images[20:]))
    assert np.array_equal(given.predict(d2[:20, :20]), given.labels_)


@pytest.mark.parametrize(
    "settings",
    [{"beta": 20.0}, {"kernel": "softmax", "beta": 40.0}, {"bandwidth": "local", "steps": 2}],
    ids=str,
)
@pytest.mark.parametrize("k", [None, 3])
def test_precomputed_distances_give_every_step_of_kernel_attention(k, settings):
    """It holds while the means differ: rounding errors divide images that have become equal."""
    images, _ = rotated_digits(20)
    flat = to_images(images).flatten(1).double()
    d2 = (2 - 2 * flat @ flat.T).clamp_min(0).fill_diagonal_(0).numpy()
    direct = KernelAttention(k, **settings).fit(images)
    given = KernelAttention(k, metric="precomputed", **settings).fit(d2)
    assert adjusted_rand_score(direct.labels_, given.labels_) == 1
    np.testing.assert_allclose(given.transform(d2), direct.transform(images), atol=1e-5)


def test_points_with_given_distances_have_these_distances_and_unit_norm():
    points = normalise(rand(6, 1, 3, 3)).flatten(1)
    d2 = torch.cdist(points, points).square()
    found = embed(d2)
    torch.testing.assert_close(torch.cdist(found, found).square(), d2, atol=1e-9, rtol=0)
    torch.testing.assert_close(found.norm(dim=1), torch.ones_like(found[:, 0]))
    with pytest.raises(ValueError, match="squared Euclidean distances of images of unit norm"):
        embed(tensor([[0.0, 9.0], [9.0, 0.0]]))


@pytest.mark.parametrize(
    ("d2", "message"),
    [
        ([[0.0, 1.0]], "symmetric matrix"),
        ([[0.0, 1.0], [2.0, 0.0]], "symmetric matrix"),
        ([[1.0, 1.0], [1.0, 1.0]], "0 on the diagonal"),
        ([[0.0, -1.0], [-1.0, 0.0]], "not negative"),
    ],
)
def test_a_matrix_that_holds_no_squared_distances_is_refused(d2, message):
    for kind in (InvariantClustering, KernelAttention):
        with pytest.raises(ValueError, match=message):
            kind(1, steps=1, metric="precomputed").fit(np.array(d2))


def test_precomputed_distances_exclude_what_needs_images():
    d2 = np.ones((3, 3)) - np.eye(3)
    with pytest.raises(ValueError, match="steps must be 1"):
        InvariantClustering(2, metric="precomputed").fit(d2)
    with pytest.raises(ValueError, match="sigma must be 0"):
        KernelAttention(2, sigma=1.0, metric="precomputed").fit(d2)
    with pytest.raises(ValueError, match="metric must be one of images, precomputed; got 'cosine'"):
        KernelAttention(2, metric="cosine").fit(d2)
    with pytest.raises(ValueError, match="align needs images"):
        KernelAttention(2, metric="precomputed").fit(d2).align(d2)


def test_the_mean_is_that_of_algorithm_1_and_transform_aligns_images_with_it():
    images = rotated_digits(40)[0]
    images = images[rotated_digits(40)[1] == 3]
    model = InvariantMean(sigma=0.5).fit(images)
    weights = torch.ones(len(images), device="cpu")
    *_, last = find_mean(MeanConfig(sigma=0.5), to_images(images), weights)
    torch.testing.assert_close(torch.from_numpy(model.mean_), last.mu[0])
    assert model.objective_ == pytest.approx(last.objective)
    before = (images.reshape(len(images), -1) @ model.cluster_centers_.T)[:, 0]
    after = (model.transform(images) @ model.cluster_centers_.T)[:, 0]
    assert (after > before - 1e-3).all()
    assert after.mean() > 1.2 * before.mean()
    assert not model.labels_.any()


def test_random_initial_poses_depend_on_the_seed_only():
    images, _ = rotated_digits(8)
    first, again = (
        InvariantMean(start="random", steps=1, random_state=4).fit(images) for _ in range(2)
    )
    other = InvariantMean(start="random", steps=1, random_state=5).fit(images)
    assert np.array_equal(first.mean_, again.mean_)
    assert not np.array_equal(first.mean_, other.mean_)


def test_prototypes_are_those_of_the_best_seed_in_the_scale_of_the_images():
    images, _ = rotated_digits(24)
    model = DTIKMeans(3, n_init=2, **QUICK).fit(16 * images)
    config = ClusterConfig(k=3, sequence="affine", iterations=20, batch=16)
    scaled = torch.from_numpy(16 * images)[:, None] / float(16 * images.max())
    runs = [step for step in train_seeds(config, scaled, 2, seed=1) if step.final is not None]
    best = min(runs, key=lambda step: step.final.loss)
    assert np.array_equal(model.labels_, best.final.assignments)
    assert model.loss_ == pytest.approx(best.final.loss)
    prototypes = best.step.state.prototypes.flatten(1) * model.scale_
    torch.testing.assert_close(torch.from_numpy(model.cluster_centers_), prototypes)


def test_random_states_of_scikit_learn_determine_prototypes():
    images, _ = rotated_digits(12)
    settings = {**QUICK, "iterations": 1}
    first, again = (
        DTIKMeans(3, **settings | {"random_state": np.random.RandomState(3)}).fit(images)
        for _ in range(2)
    )
    assert np.array_equal(first.cluster_centers_, again.cluster_centers_)


def test_a_wrong_number_of_clusters_is_reported_by_the_name_of_the_parameter():
    for estimator in (InvariantClustering, KernelAttention):
        with pytest.raises(EngineError, match="n_clusters must be at least 1; got 0"):
            estimator(0, steps=1).fit(np.eye(16, dtype=np.float32))
