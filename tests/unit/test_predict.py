import numpy as np
import pytest
import torch

from ia_engine.attention.clusters.detection import cluster
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import means, read
from ia_engine.clustering.training import train
from ia_engine.errors import EngineError
from ia_engine.images import blur
from ia_engine.predict import (
    AttentionModel,
    PrototypeModel,
    choose,
    find_distances,
    fit_size,
)
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor
from tests.unit.attention.scenes import experiment_1

SE2 = GROUPS["se2"]


def attend(v, method="ia", k=3, **settings):
    """The clusters of images after one step."""
    config = AttentionConfig(method, steps=1, **settings)
    (step,) = iterate(config, normalise(v))
    return AttentionModel(config, v, cluster(step.d2, step.v, k), step.d2, float(step.beta))


@pytest.fixture(scope="module")
def drawings():
    with torch.device("cpu"):
        v, labels = experiment_1(seed=3)
        return attend(v[::2]), v[1::2], labels[1::2]


def state_after(images, model, sequence="affine", steps=3):
    config = ClusterConfig(model, 2, sequence=sequence, iterations=steps, batch=4)
    *_, last = train(config, images, 0)
    return last.state


def test_new_images_join_the_cluster_of_their_class_with_nearly_all_weight(drawings):
    model, new, labels = drawings
    found = model.predict(new)
    same = found.assignments[:, None] == found.assignments
    assert torch.equal(same, labels[:, None] == labels)
    assert (found.weight > 0.95).all()


def test_aligned_images_match_the_mean_of_their_cluster_better(drawings):
    model, new, _ = drawings
    found = model.predict(new)
    moved = SE2.act(new, found.tau)
    torch.testing.assert_close(found.aligned, moved.clamp(0, float(new.max())), atol=0.1, rtol=0)
    assert (found.aligned.amax((1, 2, 3)) <= new.amax((1, 2, 3))).all()
    assert (found.aligned >= 0).all()
    centres = model.centres[found.assignments]
    before = (normalise(new) * centres).flatten(1).sum(1)
    after = (normalise(found.aligned) * centres).flatten(1).sum(1)
    assert (after > before - 1e-3).all()
    assert after.mean() > before.mean() + 0.1


def test_poses_are_those_of_the_search_over_all_pairs(drawings):
    model, new, _ = drawings
    found, m = model.predict(new), len(new)
    every = GlobalSearch(SE2).align(normalise(torch.cat([new, model.images])))
    central = model.anchors[found.assignments]
    tau = every.tau[torch.arange(m, device="cpu"), m + central]
    aligned, own = (SE2.act(normalise(new), poses) for poses in (tau, found.tau))
    assert ((aligned - own).flatten(1).square().sum(1) < 0.01).all()


def test_the_images_of_the_result_are_aligned_as_its_model_states(drawings):
    model, *_ = drawings
    found = model.predict(model.images)
    assert torch.equal(found.assignments, model.labels)
    torch.testing.assert_close(found.aligned, model.aligned)
    means = [found.aligned[model.labels == k].mean(0) for k in range(3)]
    torch.testing.assert_close(model.centres, torch.stack(means))


def test_an_image_is_far_if_it_is_more_isolated_than_every_image_of_the_result(drawings):
    model, new, _ = drawings
    ring = torch.zeros_like(new[:1])
    ring[..., 20:44, 20:24] = ring[..., 30:34, 8:56] = 1
    found = model.predict(torch.cat([new[:2], ring]))
    assert found.far.tolist() == [False, False, True]
    others = [[float(x) for j, x in enumerate(row) if j != i] for i, row in enumerate(model.d2)]
    assert float(found.distance[2]) > model.limit == max(map(min, others))
    assert not model.predict(model.images).far.any()


@pytest.mark.parametrize("n", [3, 9])
def test_a_new_image_of_the_same_distribution_is_far_at_most_once_in_n_plus_1(n):
    """The rate in 60 runs with 50 new images each, with a margin of three standard errors."""
    rates = []
    for seed in range(60):
        v = rand(n + 50, 1, 6, 6, seed=seed)
        rates.append(float(attend(v[:n], "ka", k=2).predict(v[n:]).far.double().mean()))
    error = np.std(rates) / len(rates) ** 0.5
    assert 0.2 / (n + 1) < np.mean(rates) < 1 / (n + 1) + 3 * error


def test_the_rate_of_far_images_is_bounded_for_poses_too():
    rates = []
    for seed in range(12):
        v = blobs(28, size=12, seed=seed, sigma=1.5, dtype=torch.float32)
        model = attend(v[:4], group="translation", k=1)
        rates.append(float(model.predict(v[4:]).far.double().mean()))
    error = np.std(rates) / len(rates) ** 0.5
    assert 0.04 < np.mean(rates) < 0.2 + 3 * error


def test_distances_to_clusters_are_those_to_their_nearest_images():
    d2 = tensor([[0.3, 0.1, 0.5], [0.2, 0.9, 0.2]])
    labels = tensor([0, 0, 1], torch.int64)
    found = find_distances(d2, labels)
    assert found.tolist() == [[0.1, 0.5], [0.2, 0.2]]
    assert choose(found).tolist() == [0, 0], "the first of equally near clusters"


@pytest.mark.parametrize("settings", [
    {}, {"sigma": 1.0}, {"kernel": "laplace"}, {"kernel": "softmax", "sigma": 2.0},
    {"bandwidth": "topk", "neighbours": 3}, {"bandwidth": "local", "neighbours": 2},
    {"bandwidth": "local", "kernel": "softmax", "sigma": 1.0}, {"bandwidth": "quantile"},
    {"bandwidth": "theorem"}, {"kernel": "cauchy"}, {"kernel": "epanechnikov", "beta": 1.0},
], ids=str)  # fmt: skip
def test_the_weights_of_images_of_the_run_are_the_shares_of_its_w(settings):
    v = rand(9, 1, 8, 8, seed=4) ** 4
    config = AttentionConfig("ka", steps=1, **settings)
    (step,) = iterate(config, normalise(v))
    labels = tensor([0, 1, 0, 1, 1, 2, 2, 0, 1], torch.int64)
    model = AttentionModel(config, v, labels, step.d2, float(step.beta.median()))
    own = labels.numpy()[:, None] == labels.numpy()
    wanted = (step.W.numpy() * own).sum(0)
    np.testing.assert_allclose(model.predict(v).weight.numpy(), wanted, atol=1e-6)


def test_the_weight_of_a_new_image_is_the_share_of_the_kernel_of_smoothed_images():
    v, beta, sigma = rand(9, 1, 8, 8, seed=6) ** 4, 30.0, 1.5
    model = attend(v[:6], "ka", k=2, kernel="softmax", beta=beta, sigma=sigma)
    found, smooth = model.predict(v[6:]), blur(normalise(v), sigma).flatten(1).numpy()
    kappa = np.exp(beta * (smooth[6:] @ smooth[:6].T))
    own = model.labels.numpy() == found.assignments.numpy()[:, None]
    np.testing.assert_allclose(found.weight.numpy(), (kappa * own).sum(1) / kappa.sum(1))


@pytest.mark.parametrize("pairs", ["needed", "nearest"])
def test_poses_change_no_share_of_w(pairs):
    v, _ = experiment_1(seed=3)
    config = AttentionConfig(steps=1, pairs=pairs, nearest=4, beta=8.0)
    (step,) = iterate(config, normalise(v[::2]))
    labels = torch.arange(9, device="cpu") % 2
    model = AttentionModel(config, v[::2], labels, step.d2, 8.0)
    wanted = (step.W * (labels[:, None] == labels)).sum(0)
    torch.testing.assert_close(model.predict(v[::2]).weight, wanted, atol=0.02, rtol=0)


def test_kernel_attention_compares_pixel_by_pixel_and_moves_nothing():
    v = rand(9, 1, 6, 6, seed=2)
    model = attend(v[:6], "ka", k=2)
    found = model.predict(v[6:])
    unit = normalise(v)
    d2 = torch.cdist(unit[6:].flatten(1), unit[:6].flatten(1)).square()
    torch.testing.assert_close(found.distances, find_distances(d2, model.labels))
    assert torch.equal(found.aligned, v[6:])
    assert found.tau.shape == (3, 0)
    own = torch.stack([v[:6][model.labels == k].mean(0) for k in range(2)])
    torch.testing.assert_close(model.centres, own)


def test_larger_images_are_reduced_and_images_of_other_proportions_are_refused():
    v = rand(2, 1, 6, 8)
    assert fit_size(v, (9, 1, 6, 8)) is v
    assert fit_size(rand(2, 1, 12, 16), (9, 1, 6, 8)).shape == (2, 1, 6, 8)
    for shape in ((2, 3, 6, 8), (2, 1, 8, 8), (2, 1, 3, 4), (0, 1, 6, 8)):
        with pytest.raises(EngineError, match="new images must have the channels"):
            fit_size(torch.zeros(shape, device="cpu"), (9, 1, 6, 8))


@pytest.mark.parametrize("model", ["dti-kmeans", "dti-gmm", "ti", "kmeans", "gmm"])
def test_prototypes_assign_new_images_as_the_reading_of_a_run_does(model):
    images = rand(8, 1, 12, 12, seed=3, dtype=torch.float32)
    state = state_after(images[:6], model)
    fitted = read(state, images[:6], state.rows)
    found = PrototypeModel.of(state, fitted).predict(images[6:])
    expected = read(state, images[6:])
    assert torch.equal(found.assignments, expected.assignments)
    torch.testing.assert_close(found.distances, expected.distances)
    assert torch.equal(found.distance, found.distances.amin(1))
    assert found.far.tolist() == (found.distance > fitted.distances.amin(1).max()).tolist()
    assert (found.weight is None) == (model not in ("gmm", "dti-gmm"))
    modules = 6 if model.startswith(("dti", "ti")) else 0
    assert found.tau.shape == (2, modules)


def test_images_mapped_back_to_their_prototypes_have_the_means_of_the_run():
    images = rand(6, 1, 12, 12, seed=4, dtype=torch.float32)
    state = state_after(images, "dti-kmeans")
    found = PrototypeModel(state, 0.0).predict(images)
    for k in found.assignments.unique().tolist():
        own = found.aligned[found.assignments == k].mean(0)
        torch.testing.assert_close(own, means(state, images)[1][k])


def test_the_parameters_of_modules_that_have_not_started_are_zero():
    images = rand(6, 1, 12, 12, seed=5, dtype=torch.float32)
    config = ClusterConfig(k=2, iterations=4, batch=4, shares=(0.0, 1.0, 1.0, 1.0))
    step = next(s for s in train(config, images, 0, rhythm=0.0) if s.progress.iteration == 2)
    tau = PrototypeModel(step.state, 0.0).predict(images).tau
    assert step.state.stage == 1
    assert not tau[:, 6:].any()
    assert tau.shape[1] > 6
