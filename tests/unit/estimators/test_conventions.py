"""The estimators follow scikit-learn's conventions: its own checks, pipelines, searches, pickle."""

import pickle

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator

from ia_engine.estimators import (
    DTIKMeans,
    DTIMixture,
    InvariantClustering,
    InvariantMean,
    KernelAttention,
)
from tests.unit.estimators.scenes import rotated_digits, turn

QUICK = {"sequence": "affine", "iterations": 10, "batch": 16, "start": "kmeans", "random_state": 0}
ESTIMATORS = {
    "InvariantClustering": InvariantClustering(2, group="rotation", steps=1),
    "KernelAttention": KernelAttention(3, steps=2),
    "InvariantMean": InvariantMean(group="rotation", steps=2),
    "DTIKMeans": DTIKMeans(3, **QUICK),
    "DTIMixture": DTIMixture(3, **QUICK),
}
ROUNDED = (
    "the coarse search depends on all images that are compared in one call, which changes d² by up "
    "to 0.003, and 32-bit floats round; the check allows relative differences of 1e-7"
)
EXPECTED_FAILURES = {
    "check_methods_sample_order_invariance": ROUNDED,
    "check_methods_subset_invariance": ROUNDED,
}
"""Checks of scikit-learn that may fail, for all estimators."""


@pytest.fixture(params=ESTIMATORS)
def estimator(request):
    return clone(ESTIMATORS[request.param])


@pytest.mark.cpu_only("scikit-learn asks torch for tensors on the default device")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_each_estimator_passes_scikit_learns_checks(name):
    results = check_estimator(
        ESTIMATORS[name], expected_failed_checks=EXPECTED_FAILURES, on_skip=None
    )
    assert len(results) > 40
    assert {r["check_name"] for r in results if r["status"] == "xfail"} <= EXPECTED_FAILURES.keys()
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}, "it runs only if SCIPY_ARRAY_API is set"


def test_a_pickled_copy_returns_the_same_clusters_and_distances(estimator):
    images, _ = rotated_digits(16)
    estimator.fit(images)
    copy = pickle.loads(pickle.dumps(estimator))
    new = turn(images[:6], seed=3)
    assert np.array_equal(copy.predict(new), estimator.predict(new))
    assert np.array_equal(copy.transform(new), estimator.transform(new))


def test_a_clone_has_the_same_parameters_and_is_not_fitted(estimator):
    images, _ = rotated_digits(12)
    copy = clone(estimator.fit(images))
    assert copy.get_params() == estimator.get_params()
    assert not hasattr(copy, "labels_")


def test_fitted_attributes_have_one_row_per_image_or_cluster(estimator):
    images, _ = rotated_digits(14)
    assert np.array_equal(estimator.fit_predict(images), estimator.labels_)
    k = int(estimator.labels_.max()) + 1
    assert estimator.labels_.shape == (14,)
    assert len(estimator.poses_) == 14
    assert estimator.n_features_in_ == 28 * 28
    assert k <= len(estimator.cluster_centers_) <= 3, "DTI may leave a cluster empty"
    assert estimator.cluster_centers_.shape[1] == 28 * 28


def test_images_give_the_same_result_as_a_stack_as_a_matrix_and_with_channels(estimator):
    images, _ = rotated_digits(12)
    stack = estimator.fit(images).transform(images)
    for X in (images[:, None], images.reshape(12, -1)):
        assert np.array_equal(clone(estimator).fit(X).transform(X), stack)
    shaped = clone(estimator).set_params(image_shape=(1, 28, 28))
    assert np.array_equal(shaped.fit(images.reshape(12, -1)).transform(images), stack)


def test_images_need_not_be_square(estimator):
    images = np.ascontiguousarray(rotated_digits(12)[0][:, 4:24])
    estimator.set_params(image_shape=(20, 28))
    assert estimator.fit(images.reshape(12, -1)).image_shape_ == (1, 20, 28)
    assert len(estimator.predict(images)) == 12


@pytest.mark.parametrize("shape", [(5, 5), (784,), (-28, -28), (28, 28, 1, 1)])
def test_an_impossible_shape_is_refused(shape, estimator):
    images = rotated_digits(12)[0].reshape(12, -1)
    with pytest.raises(ValueError, match=r"image_shape must be \(h, w\) or \(c, h, w\) with 784"):
        estimator.set_params(image_shape=shape).fit(images)


def test_a_shape_that_contradicts_the_axes_of_x_is_refused(estimator):
    with pytest.raises(ValueError, match="image_shape must be the axes of the images in X"):
        estimator.set_params(image_shape=(14, 56)).fit(rotated_digits(12)[0])


def test_channels_at_the_end_are_refused(estimator):
    images = np.random.default_rng(0).random((12, 9, 8, 3))
    with pytest.raises(ValueError, match=r"looks like \[n h w c\]: use numpy.moveaxis"):
        estimator.fit(images)
    estimator.fit(np.moveaxis(images, -1, 1))
    assert estimator.image_shape_ == (3, 9, 8)
    with pytest.raises(ValueError, match="looks like"):
        estimator.predict(images)


def test_new_images_of_another_size_are_refused(estimator):
    images, _ = rotated_digits(12)
    estimator.fit(images)
    with pytest.raises(ValueError, match="784 features"):
        estimator.predict(images[:, :14])


def test_settings_outside_their_ranges_are_refused(estimator):
    name = "beta" if "beta" in estimator.get_params() else "rate"
    with pytest.raises(ValueError, match=f"{name} must be between"):
        estimator.set_params(**{name: 1e6}).fit(rotated_digits(12)[0])


@pytest.mark.parametrize("estimator", sorted(ESTIMATORS.keys() - {"InvariantMean"}), indirect=True)
def test_more_clusters_than_images_are_refused(estimator):
    """InvariantMean is left out: it has one cluster, and no setting for their number."""
    with pytest.raises(ValueError, match="n_samples=12 must be at least n_clusters=13"):
        estimator.set_params(n_clusters=13).fit(rotated_digits(12)[0])


def test_estimators_are_steps_of_a_pipeline(estimator):
    images, labels = rotated_digits(16)
    X = images.reshape(16, -1)
    pipe = make_pipeline(MinMaxScaler(), estimator, LogisticRegression(max_iter=1000))
    assert pipe.fit(X, labels).predict(X).shape == (16,)


@pytest.mark.parametrize(
    ("name", "grid"),
    [
        ("InvariantClustering", {"n_clusters": np.array([2, 3]), "group": ["rotation", "se2"]}),
        ("KernelAttention", {"beta": np.array([1.0, 5.0])}),
        ("DTIKMeans", {"sequence": ["identity", "affine"]}),
        ("DTIMixture", {"n_clusters": np.array([2, 4])}),
    ],
)
def test_a_grid_search_chooses_settings(name, grid):
    images, labels = rotated_digits(24)
    scorer = make_scorer(rand_score)
    search = GridSearchCV(ESTIMATORS[name], grid, scoring=scorer, cv=2, error_score="raise")
    search.fit(images.reshape(24, -1), labels)
    assert set(search.best_params_) == set(grid)
    assert search.best_estimator_.predict(images).shape == (24,)


def test_the_result_does_not_change_the_default_number_type_of_torch(estimator):
    estimator.fit(rotated_digits(12)[0].astype(np.float64))
    assert estimator.cluster_centers_.dtype == np.float64
    assert torch.get_default_dtype() == torch.float32


def test_changing_the_fitted_arrays_does_not_change_predictions(estimator):
    images, _ = rotated_digits(16)
    estimator.fit(images)
    new = turn(images[:6], seed=3)
    clusters, distances = estimator.predict(new), estimator.transform(new)
    for name in ("labels_", "poses_", "cluster_centers_"):
        getattr(estimator, name)[:] = 0
    assert np.array_equal(estimator.predict(new), clusters)
    assert np.array_equal(estimator.transform(new), distances)


def test_changing_the_labels_of_precomputed_distances_does_not_change_predictions():
    d2 = 1 - np.kron(np.eye(2), np.ones((3, 3)))
    model = KernelAttention(2, metric="precomputed").fit(d2)
    clusters = model.predict(d2)
    model.labels_[:] = 0
    assert np.array_equal(model.predict(d2), clusters)


def test_new_images_with_other_axes_and_as_many_pixels_are_refused(estimator):
    estimator.fit(rotated_digits(12)[0])
    with pytest.raises(ValueError, match="as in fit"):
        estimator.predict(np.zeros((2, 14, 56)))


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="random_state must be at least 0; got -1"):
        DTIKMeans(3, **QUICK | {"random_state": -1}).fit(rotated_digits(12)[0])


def test_parameters_that_are_set_after_fitting_do_not_change_the_mean():
    images, _ = rotated_digits(12)
    model = InvariantMean(group="rotation", steps=1).fit(images)
    aligned = model.transform(images)
    assert np.array_equal(model.set_params(group="affine").transform(images), aligned)


def test_distances_change_little_with_the_images_of_one_call():
    images, _ = rotated_digits(16)
    model = InvariantClustering(2, group="rotation", steps=1).fit(images)
    new = turn(images[:6], seed=3)
    alone = np.concatenate([model.transform(new[at : at + 1]) for at in range(6)])
    np.testing.assert_allclose(alone, model.transform(new), atol=3e-3)


def test_a_fit_to_distances_keeps_no_model_of_earlier_images():
    model = KernelAttention(2, steps=1).fit(rotated_digits(12)[0])
    model.set_params(metric="precomputed").fit(1 - np.kron(np.eye(2), np.ones((3, 3))))
    assert not vars(model).keys() & {"model_", "poses_", "cluster_centers_", "image_shape_"}
