"""align, attend, invariant_mean, cluster and evaluate: what they compute, and how they stop."""

import json
from functools import partial

import numpy as np
import pytest
import torch

from ia_engine import align, attend, cluster, evaluate, invariant_mean
from ia_engine.api.base_result import to_floats
from ia_engine.api.clustering import SIGMA
from ia_engine.attention.clusters import detection
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.bases import load_base
from ia_engine.errors import EngineError
from ia_engine.ties import SOLVED
from ia_engine.transforms import GROUPS
from tests.tensors import rand, tensor

TAU = tensor([[0.4, 2.0, -1.0], [-0.9, 0.0, 1.5], [2.0, -1.0, -2.0]], torch.float32)
SHAPES = torch.stack([load_base(name, 33, 0.5) for name in ("snail", "seven")])
KINDS = (0, 0, 0, 0, 1, 1, 1, 1)


@pytest.fixture(scope="module")
def copies():
    """Two different shapes, each with three rotated and shifted copies of it."""
    group = GROUPS["se2"]
    moved = [group.act(shape.expand(3, -1, -1, -1), TAU) for shape in SHAPES.split(1)]
    parts = [part for pair in zip(SHAPES.split(1), moved, strict=True) for part in pair]
    return torch.cat(parts).clamp(0, 1)


def stop_after(parts):
    return lambda done, total, message: done < parts


def test_align_returns_the_distances_and_poses_of_the_global_search(copies):
    found = align(copies, "se2")
    expected = GlobalSearch(GROUPS["se2"]).align(normalise(copies))
    np.testing.assert_allclose(found.distances, expected.d2.numpy(), atol=1e-6)
    np.testing.assert_allclose(found.poses, expected.tau.numpy(), atol=1e-5)
    assert found.distances[:4, :4].max() < 0.05 < found.distances[:4, 4:].min()


@pytest.mark.parametrize("to", [0, 2, "mean", "previous"])
def test_an_aligned_stack_agrees_with_its_images_in_one_pose(copies, to):
    stack = align(copies[:4], "se2", to=to)
    spread = np.ptp(stack.aligned, axis=0).mean()
    assert spread < 0.2 * np.ptp(copies[:4].numpy(), axis=0).mean()
    np.testing.assert_allclose(stack.means[0], stack.aligned.mean(0), atol=1e-6)
    acted = GROUPS["se2"].act(copies[:4], torch.from_numpy(stack.poses)).clamp(0, 1)
    np.testing.assert_allclose(stack.aligned, acted.numpy(), atol=1e-6)


def test_aligned_pairs_lie_on_the_chosen_image(copies):
    aligned = align(copies).aligned(to=1)
    assert np.abs(aligned[:4] - copies[1].numpy()).mean() < 0.02
    with pytest.raises(EngineError, match="from 0 to 7; got 8"):
        align(copies).aligned(to=8)


def test_attend_returns_the_steps_of_the_loop(copies):
    found = attend(copies, beta=15, steps=2)
    steps = list(iterate(AttentionConfig(beta=15.0, steps=2), normalise(copies)))
    np.testing.assert_allclose(found.weights, steps[-1].W.numpy(), atol=1e-6)
    np.testing.assert_allclose(found.means, steps[-1].mu.numpy(), atol=1e-6)
    np.testing.assert_allclose(found.weights.sum(0), 1, atol=1e-5)
    assert found.labels.tolist() == list(KINDS)


def test_attend_divides_into_k_clusters_if_k_is_given(copies):
    assert len(set(attend(copies, steps=1, k=3).labels.tolist())) == 3


def test_kernel_attention_has_no_poses(copies):
    found = attend(copies, method="ka", steps=1)
    assert found.poses is None
    np.testing.assert_array_equal(found.aligned, copies.numpy())


def test_a_config_has_further_settings_of_attend(copies):
    config = AttentionConfig(kernel="softmax", steps=1)
    assert attend(copies, config=config).settings["kernel"] == "softmax"


@pytest.mark.parametrize("function", [attend, cluster])
def test_aligned_images_of_one_cluster_agree(copies, function):
    found = function(copies, k=2)
    for label in (0, 1):
        own = found.aligned[found.labels == label]
        assert np.ptp(own, axis=0).mean() < 0.03


def test_the_invariant_mean_minimises_the_distances_to_the_aligned_images(copies):
    found = invariant_mean(copies[:4], weights=[1, 1, 2, 0])
    np.testing.assert_allclose(found.weights, [0.25, 0.25, 0.5, 0], atol=1e-6)
    weighted = np.einsum("n,nchw->chw", found.weights, found.aligned)
    np.testing.assert_allclose(found.means[0], weighted, atol=1e-6)
    assert found.distances[:3].max() < 0.05
    objectives = [step.objective for step in found.steps]
    assert objectives[-1] <= objectives[0] + 1e-6


def test_random_initial_poses_depend_only_on_the_seed(copies):
    one, same, other = (
        invariant_mean(copies[:4], start="random", steps=1, seed=seed).poses for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_clusters_are_those_of_the_graph_of_all_distances(copies):
    found = cluster(copies, 2)
    assert found.labels.tolist() == list(KINDS)
    own = np.stack([found.aligned[found.labels == label].mean(0) for label in (0, 1)])
    np.testing.assert_allclose(found.means, own, atol=1e-6)
    pairs = align(copies, sigma=SIGMA)
    np.testing.assert_allclose(found.distances, pairs.distances, atol=1e-6)
    estimated = detection.cluster(torch.from_numpy(pairs.distances), normalise(copies))
    assert cluster(copies).labels.tolist() == estimated.tolist()


@pytest.mark.parametrize("method", ["ka", "kmeans", "gmm", "ti", "dti-kmeans", "dti-gmm"])
def test_every_method_returns_a_cluster_and_a_mean_for_each_image(copies, method):
    training = {} if method == "ka" else {"iterations": 4}
    sequence = {"sequence": "affine"} if method in ("ti", "dti-kmeans", "dti-gmm") else {}
    found = cluster(copies, 2, method, **training, **sequence)
    assert found.labels.shape == (8,)
    assert set(found.labels.tolist()) <= {0, 1}
    assert found.aligned.shape == tuple(copies.shape)
    assert found.means.shape[1:] == tuple(copies.shape[1:])
    assert len(found.distances) == 8


@pytest.mark.parametrize("function", [attend, cluster])
def test_new_images_join_the_clusters_of_their_copies(copies, function):
    new = GROUPS["se2"].act(copies[[0, 4]], -TAU[:2]).clamp(0, 1)
    found = function(copies, k=2).predict(new)
    assert found.labels.tolist() == [0, 1]
    assert found.distances.argmin(1).tolist() == [0, 1]
    assert found.aligned.shape == tuple(new.shape)


def test_a_trained_model_assigns_its_own_images_as_before(copies):
    found = cluster(copies, 2, "dti-kmeans", iterations=20, sequence="affine")
    again = found.predict(copies)
    np.testing.assert_array_equal(again.labels, found.labels)
    np.testing.assert_allclose(again.aligned, found.aligned, atol=1e-5)
    assert not again.far.any()


def test_k_of_other_methods_is_estimated_by_the_silhouette(copies):
    still = torch.cat([SHAPES[:1].expand(6, -1, -1, -1), SHAPES[1:].expand(6, -1, -1, -1)])
    assert len(cluster(still + 0.01 * rand(12, 1, 33, 33).float(), method="kmeans").means) == 2


def test_a_stop_keeps_the_finished_steps(copies):
    assert len(attend(copies, steps=5, progress=stop_after(2)).steps) == 2
    assert len(invariant_mean(copies[:4], steps=9, progress=stop_after(3)).steps) == 3
    found = cluster(copies, 2, "dti-kmeans", iterations=5000, progress=stop_after(1))
    assert found.steps[-1].share < 1
    assert found.labels.shape == (8,)


def test_a_stop_of_align_states_that_distances_are_incomplete(copies, monkeypatch):
    monkeypatch.setattr("ia_engine.attention.distances.alignment.POSES", 14 * 4)
    with pytest.raises(EngineError, match="stopped after 2 of 8 parts"):
        align(copies, progress=stop_after(2))


def test_progress_counts_the_seeds_of_training(copies):
    counts = []
    cluster(
        copies, 2, "kmeans", seeds=2, iterations=3,
        progress=lambda done, total, message: counts.append((done, total)),
    )  # fmt: skip
    assert counts == sorted(counts)
    assert counts[-1] == (200, 200)


@pytest.mark.parametrize(("call", "words"), [
    (lambda v: align(v, "turns"), "group must be one of translation, .*; got 'turns'"),
    (lambda v: align(v, to=9), "to must be"),
    (lambda v: align(v, to="first"), "to must be"),
    (lambda v: attend(v, "turns"), "got 'turns'"),
    (lambda v: attend(v, k=9), "k must be between 1 and the number of images, 8; got 9"),
    (lambda v: attend(v, steps=0), "steps must be between"),
    (lambda v: cluster(v, 0), "k must be between 1 and the number of images, 8; got 0"),
    (lambda v: cluster(v, 2, "best"), "method must be one of ia, ka, .*; got 'best'"),
    (lambda v: invariant_mean(v, weights=[1, 2]), "weights must have the axes"),
    (lambda v: invariant_mean(v, weights=[0] * 8), "must not all be 0"),
    (lambda v: evaluate([], []), "must have at least one value"),
    (lambda v: align(v, sigma=-1), "sigma must be between"),
    (lambda v: cluster(0 * v), "got only blank images"),
    (lambda v: attend(0 * v), "got only blank images"),
    (lambda v: evaluate([1, 2], [1]), r"got the shapes \(2,\) and \(1,\)"),
])  # fmt: skip
def test_an_illegal_setting_is_refused(copies, call, words):
    with pytest.raises(EngineError, match=words):
        call(copies)


def test_k_may_be_a_whole_number_of_numpy(copies):
    found = cluster(copies, np.int64(2))
    assert found.settings["k"] == 2
    assert json.loads(json.dumps(dict(found.settings)))["k"] == 2


def test_scores_do_not_depend_on_the_names_of_classes_and_clusters():
    scores = evaluate(["b", "b", "a", "a", "a"], np.array([7, 7, 3, 3, 7]))
    assert scores == evaluate(torch.tensor([0, 0, 1, 1, 1], device="cpu"), [1, 1, 0, 0, 1])
    assert scores.acc == pytest.approx(4 / 5)


def test_floats_are_in_single_precision_on_the_cpu():
    assert to_floats(rand(3)).dtype == np.float32


def test_the_number_of_clusters_is_described(copies):
    result = attend(copies, steps=1, k=2)
    assert "K = 2 clusters" in result.describe().sentences[0]
    assert ("k (K)", "2") in [(row.name, row.value) for row in result.describe().settings]
    assert "in 1 iteration of" in result.describe().sentences[0]


def test_a_stop_of_training_is_described(copies):
    call = partial(cluster, copies, 2, "dti-kmeans", sequence="affine", iterations=300)
    stopped = call(progress=lambda done, *_: False).describe()
    assert "training was stopped after" in stopped.sentences[0]
    assert "stopped" in [row.name for row in stopped.settings]
    finished = cluster(copies, 2, "dti-kmeans", sequence="affine", iterations=2).describe()
    assert "stopped" not in finished.sentences[0]


def test_clusters_of_attention_report_each_part_and_can_be_stopped(copies, monkeypatch):
    monkeypatch.setattr("ia_engine.attention.distances.alignment.POSES", 14 * 4)
    seen = []
    cluster(copies, 2, progress=lambda *report: seen.append(report))
    assert seen[-1][0] == seen[-1][1]
    with pytest.raises(EngineError, match=r"cluster was stopped after .*: no result is returned"):
        cluster(copies, 2, progress=lambda *_: False)


def test_the_distance_of_a_new_image_is_that_of_the_shell(copies):
    result = cluster(copies, 2)
    found = result.predict(copies[:3])
    expected = result.model.predict(copies[:3]).distance.tolist()
    assert found.columns()["distance"] == pytest.approx(expected)
    assert found.far.tolist() == [x > result.model.limit + SOLVED for x in expected]


def test_the_description_of_clusters_lists_no_default_that_the_user_did_not_change(copies):
    rows = {row.name: row for row in cluster(copies, 2).describe().settings}
    assert (rows["sigma (σ)"].value, rows["sigma (σ)"].default) == ("1 px", "")
    assert rows["k (K)"].value == "2"
    assert not [name for name in rows if name.startswith("steps")]


@pytest.mark.parametrize("method", ["ia", "ka"])
def test_a_result_and_its_prediction_of_the_same_images_agree(copies, method):
    found = cluster(copies, 2, method)
    again = found.predict(copies)
    np.testing.assert_array_equal(again.labels, found.labels)
    np.testing.assert_allclose(again.aligned, found.aligned, atol=1e-5)
    np.testing.assert_allclose(found.model.centres.numpy(), found.means, atol=1e-6)


@pytest.mark.parametrize("method", ["ia", "ka", "kmeans"])
def test_changing_the_arrays_of_a_result_changes_neither_its_model_nor_its_images(copies, method):
    found = cluster(copies, 2, method, **({"iterations": 3} if method == "kmeans" else {}))
    before = found.predict(copies)
    for array in found.to_arrays().values():
        array[:] = 0
    again = found.predict(copies)
    np.testing.assert_array_equal(again.labels, before.labels)
    np.testing.assert_array_equal(again.distances, before.distances)
    np.testing.assert_array_equal(again.far, before.far)
