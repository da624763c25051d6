"""The kernels that ship: their values, and weights that are exactly 0."""

import math

import pytest
import torch

from ia_engine.attention.clusters.detection import cluster, merge_clusters
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.kernels.base import FIRST_OCTAVE, LAST_OCTAVE, nodes
from ia_engine.attention.weights import weigh
from ia_engine.figures.player import PlayerHeader, describe_run, header_of
from ia_engine.predict import AttentionModel
from tests.tensors import blobs, rand, tensor


@pytest.mark.parametrize(
    ("name", "kappa"),
    [
        ("rbf", lambda d2: math.exp(-3 * d2)),
        ("laplace", lambda d2: math.exp(-3 * math.sqrt(d2))),
        ("cauchy", lambda d2: 1 / (1 + 3 * d2)),
        ("epanechnikov", lambda d2: max(0.0, 1 - 3 * d2)),
    ],
)
def test_weights_are_the_values_of_the_kernel_divided_by_the_sum_of_their_column(name, kappa):
    d2 = tensor([[0.0, 0.1, 0.2], [0.1, 0.0, 0.5], [0.2, 0.5, 0.0]])
    gamma = [[kappa(x) for x in row] for row in d2.tolist()]
    total = [sum(column) for column in zip(*gamma, strict=True)]
    wanted = tensor([[x / total[j] for j, x in enumerate(row)] for row in gamma])
    torch.testing.assert_close(weigh(d2, 3.0, KERNELS[name]), wanted)


def test_an_image_beyond_the_support_of_all_others_is_its_own_mean():
    v = normalise(blobs(4, size=15))
    config = AttentionConfig(method="ka", kernel="epanechnikov", beta=200.0, steps=1)
    (step,) = iterate(config, v)
    assert step.d2.fill_diagonal_(1).min() > 1 / 200
    assert torch.equal(step.W, torch.eye(4, dtype=v.dtype, device="cpu"))
    torch.testing.assert_close(step.mu, v)
    d2 = step.d2.fill_diagonal_(0)
    assert merge_clusters(d2, v, step.W).shape == (4,)
    assert len(set(cluster(d2, v, 2).tolist())) == 2


@pytest.mark.parametrize("method", ["ia", "ka"])
def test_means_and_clusters_are_finite_if_most_weights_are_zero(method):
    v = normalise(rand(5, 1, 15, 15, seed=2) ** 6)
    config = AttentionConfig(method=method, kernel="epanechnikov", beta=2.0, steps=2)
    for step in iterate(config, v):
        assert (step.W == 0).any()
        assert step.mu.isfinite().all()
        torch.testing.assert_close(step.W.sum(0), torch.ones_like(step.W[0]))
        assert len(merge_clusters(step.d2, step.v, step.W)) == 5


def test_a_new_image_beyond_the_support_of_all_images_has_no_weight():
    v = rand(6, 1, 8, 8, seed=3) ** 4
    config = AttentionConfig("ka", kernel="epanechnikov", beta=200.0, steps=1)
    (step,) = iterate(config, normalise(v[:5]))
    labels = tensor([0, 1, 0, 1, 1], torch.int64)
    found = AttentionModel(config, v[:5], labels, step.d2, 200.0).predict(v[4:])
    assert found.weight.tolist() == [1, 0]
    assert found.assignments[0] == 1


def test_the_browser_gets_a_table_of_every_kernel_that_is_not_exponential():
    assert float(nodes()[0]) == 2.0**FIRST_OCTAVE
    assert float(nodes()[-1]) == 2.0**LAST_OCTAVE
    for name, kernel in KERNELS.items():
        run = describe_run("run", AttentionConfig(kernel=name), (), 1, beta=3.0)
        (sent,) = header_of([run], PlayerHeader(), "key")["runs"]
        assert (sent["kernel"] is None) == kernel.is_exponential
        if sent["kernel"]:
            assert len(sent["kernel"]["values"]) == len(nodes())
            assert f"κ = {kernel.formula}" in sent["formula"]
            assert "x_{ij}" not in sent["formula"]
