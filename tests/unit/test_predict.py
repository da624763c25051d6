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
from ia_engine.predict import (
    AttentionModel,
    PrototypeModel,
    choose,
    find_distances,
    fit_size,
    weigh_cluster,
)
from ia_engine.transforms import GROUPS
from tests.tensors import rand, tensor
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
    torch.testing.assert_close(found.aligned, SE2.act(new, found.tau))
    centres = model.centres[found.assignments]
    before = (normalise(new) * centres).flatten(1).sum(1)
    after = (normalise(found.aligned) * centres).flatten(1).sum(1)
    assert (after > before - 1e-3).all()
    assert after.mean() > before.mean() + 0.1


def test_poses_and_distances_to_the_means_are_those_of_the_search_over_all_pairs(drawings):
    model, new, _ = drawings
    found, m = model.predict(new), len(new)
    every = GlobalSearch(SE2).align(torch.cat([normalise(new), model.centres]))
    row = torch.arange(m, device="cpu")
    place = row, m + found.assignments
    torch.testing.assert_close(found.distance, every.d2[place], atol=5e-3, rtol=0)
    aligned = SE2.act(normalise(new), every.tau[place])
    own = SE2.act(normalise(new), found.tau)
    assert ((aligned - own).flatten(1).square().sum(1) < 0.01).all()


def test_an_image_is_far_if_no_image_of_the_result_is_as_far_from_its_own_mean(drawings):
    model, new, _ = drawings
    ring = torch.zeros_like(new[:1])
    ring[..., 20:44, 20:24] = ring[..., 30:34, 8:56] = 1
    found = model.predict(torch.cat([new[:2], ring]))
    assert found.far.tolist() == [False, False, True]
    assert float(found.distance[2]) > model.limit == float(model.fitted[0].max())
    assert not model.predict(model.images).far.any()


def test_distances_to_clusters_are_those_to_their_nearest_images():
    d2 = tensor([[0.3, 0.1, 0.5], [0.2, 0.9, 0.2]])
    labels = tensor([0, 0, 1], torch.int64)
    found = find_distances(d2, labels)
    assert found.tolist() == [[0.1, 0.5], [0.2, 0.2]]
    assert choose(found).tolist() == [0, 0], "the first of equally near clusters"


@pytest.mark.parametrize("kernel", ["rbf", "laplace", "softmax"])
def test_the_weight_of_a_cluster_is_the_share_of_the_kernel(kernel):
    d2, labels = rand(3, 5, seed=1), tensor([0, 1, 0, 1, 1], torch.int64)
    found = tensor([1, 0, 1], torch.int64)
    weight = weigh_cluster(d2, labels, found, kernel, beta=2.5)
    exponent = {"rbf": d2, "laplace": d2.sqrt(), "softmax": d2 / 2}[kernel]
    kappa = np.exp(-2.5 * exponent.numpy())
    own = labels.numpy() == found.numpy()[:, None]
    np.testing.assert_allclose(weight.numpy(), (kappa * own).sum(1) / kappa.sum(1))


def test_kernel_attention_compares_pixel_by_pixel_and_moves_nothing():
    v = rand(9, 1, 6, 6, seed=2)
    model = attend(v[:6], "ka", k=2)
    found = model.predict(v[6:])
    unit = normalise(v)
    d2 = torch.cdist(unit[6:].flatten(1), unit[:6].flatten(1)).square()
    torch.testing.assert_close(found.distances, find_distances(d2, model.labels))
    assert torch.equal(found.aligned, v[6:])
    assert found.tau.shape == (3, 0)
    own = torch.stack([unit[:6][model.labels == k].mean(0) for k in range(2)])
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
