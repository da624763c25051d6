from dataclasses import replace
from itertools import islice

import pytest
import torch

from ia_engine.attention.beta import exponents
from ia_engine.attention.clusters.detection import merge_clusters
from ia_engine.attention.distances.descent import Descent
from ia_engine.attention.distances.refinement import MANY, Pruning
from ia_engine.attention.distances.schedules import GREEDY
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.rules import RULES
from ia_engine.attention.weights import weigh
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.errors import EngineError
from ia_engine.images import blur
from ia_engine.metrics import score_clusters
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand
from tests.unit.attention.scenes import drawing, turned

METHODS = pytest.mark.parametrize("method", ["ia", "ka"])


def norms(v):
    return v.flatten(1).norm(dim=1)


@METHODS
def test_steps_are_numbered_from_one_and_each_continues_the_previous_one(method):
    steps = list(iterate(AttentionConfig(method=method, steps=3), normalise(blobs(3, size=15))))
    assert [step.k for step in steps] == [1, 2, 3]
    assert steps[1].v is steps[0].mu
    assert steps[2].v is steps[1].mu
    assert all(step.seconds >= 0 for step in steps)
    assert all((step.tau is None) == (method == "ka") for step in steps)


@METHODS
def test_a_step_contains_the_results_of_its_parts(method):
    config = AttentionConfig(method=method, beta=7.0, sigma=0.5)
    v, parts = normalise(blobs(3, 2, size=15)), config.build()
    step = next(iterate(config, v))
    found = parts.distance.align(v)
    assert step.v is v
    assert torch.equal(step.d2, found.d2)
    assert torch.equal(step.W, weigh(found.d2, 7.0))
    assert step.beta == 7.0
    assert torch.equal(step.mu, parts.mean.average(v, step.W, found.tau))
    torch.testing.assert_close(step.W.sum(0), torch.ones_like(step.W[0]))


@METHODS
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bandwidth", RULES)
def test_the_weights_depend_on_kernel_and_bandwidth(method, kernel, bandwidth):
    config = AttentionConfig(
        method=method, kernel=kernel, bandwidth=bandwidth, neighbours=2, sigma=0.5
    )
    v = normalise(blobs(4, size=15))
    step = next(iterate(config, v))
    square = blur(v, 0.5).flatten(1).square().sum(1)
    wanted = weigh(step.d2, step.beta, KERNELS[kernel], square, config.most)
    assert torch.equal(step.W, wanted)
    x = KERNELS[kernel].exponent(step.d2, square, square)
    beta = RULES[bandwidth].bandwidth(config).beta(x - x.amin(0))
    torch.testing.assert_close(step.beta, beta)


@METHODS
def test_with_the_softmax_kernel_the_local_rule_ranks_neighbours_by_their_inner_products(method):
    v = normalise(blobs(6, size=15)) * torch.linspace(0.2, 1, 6, device="cpu")[:, None, None, None]
    config = AttentionConfig(method=method, kernel="softmax", bandwidth="local", neighbours=2)
    step = next(iterate(config, v))
    square = v.flatten(1).square().sum(1)
    inner = (square[:, None] + square - step.d2) / 2
    others = inner.clone().fill_diagonal_(-torch.inf)
    second = others.topk(2, 0).values[1]
    torch.testing.assert_close(1 / step.beta, inner.amax(0) - second)


def test_the_descent_uses_the_given_settings():
    config = AttentionConfig(
        solver="descent", schedule="greedy", group="affine", sigma=0.5, rate=0.3, updates=7
    )
    solver = config.build().distance
    assert solver == Descent(GROUPS["affine"], 0.5, GREEDY, rate=0.3, steps=7)
    v = normalise(blobs(3, size=15))
    assert torch.equal(next(iterate(config, v)).d2, solver.align(v).d2)


def test_steps_are_computed_only_on_request():
    steps = iterate(AttentionConfig(steps=20), normalise(blobs(2, size=15)))
    assert [step.k for step in islice(steps, 2)] == [1, 2]
    steps.close()
    assert next(steps, None) is None


def test_images_are_normalised_once_before_the_loop():
    v = 7 * torch.cat([blobs(2, 3, size=15), torch.zeros(1, 3, 15, 15, device="cpu")])
    torch.testing.assert_close(norms(normalise(v)), torch.ones_like(norms(v)) * (norms(v) > 0))
    unlike = normalise(turned(drawing("crab"), (0, 0, 0), (0, 9, 9)))
    steps = list(iterate(AttentionConfig(method="ka", beta=0.1, steps=2), unlike))
    assert (norms(steps[1].v) < 0.95).all()


def test_points_are_normalised_row_by_row():
    x = normalise(rand(5, 2, low=1, high=3))
    torch.testing.assert_close(norms(x), torch.ones_like(x[:, 0]))


@METHODS
@pytest.mark.parametrize("group", GROUPS)
def test_inputs_are_not_modified(method, group):
    v = normalise(rand(3, 1, 9, 12))
    before = v.clone()
    held = [
        (step, step.d2.clone(), step.W.clone(), step.mu.clone())
        for step in iterate(AttentionConfig(method=method, group=group, steps=2), v)
    ]
    assert torch.equal(v, before)
    for step, d2, W, mu in held:
        assert all(map(torch.equal, (step.d2, step.W, step.mu), (d2, W, mu)))


def test_the_same_data_give_the_same_steps():
    v = normalise(blobs(4, size=17, dtype=torch.float32))
    first, second = (list(iterate(AttentionConfig(steps=2), v)) for _ in range(2))
    assert torch.equal(first[1].mu, second[1].mu)
    assert first[1].mu.dtype == torch.float32


@pytest.mark.parametrize(
    "values",
    [
        {"method": "attention"},
        {"group": "so3"},
        {"beta": 0.0},
        {"beta": float("nan")},
        {"beta": 1e4},
        {"sigma": -1.0},
        {"sigma": 80.0},
        {"steps": 0},
        {"steps": 2.0},
        {"steps": 1000},
        {"solver": "guess"},
        {"schedule": "slow"},
        {"kernel": "cosine"},
        {"bandwidth": "wide"},
        {"rate": 0.0},
        {"updates": 0},
        {"neighbours": 0},
        {"quantile": 1.5},
        {"constant": -1.0},
        {"pairs": "few"},
        {"nearest": 0},
    ],
    ids=str,
)
def test_the_error_names_the_value_that_is_out_of_bounds(values):
    with pytest.raises(EngineError, match=f"^{next(iter(values))} must"):
        AttentionConfig(**values)


def test_pairs_are_skipped_only_where_it_is_safe_and_saves_time():
    usual = AttentionConfig()
    assert usual.build(MANY).distance.pruning == Pruning(usual.beta)
    assert usual.build(MANY - 1).distance.pruning is None
    for other in (
        {"pairs": "all"},
        {"group": "affine"},
        {"kernel": "laplace"},
        {"bandwidth": "local"},
    ):
        assert AttentionConfig(**other).build(MANY).distance.pruning is None


@pytest.mark.parametrize(
    ("values", "n", "exact"),
    [
        ({}, MANY - 1, True),
        ({}, MANY, False),
        ({"pairs": "all"}, MANY, True),
        ({"pairs": "nearest"}, 30, False),
        ({"solver": "descent"}, MANY, True),
        ({"method": "ka", "pairs": "nearest"}, MANY, True),
    ],
    ids=str,
)
def test_distances_are_exact_unless_pairs_are_skipped(values, n, exact):
    assert AttentionConfig(**values).is_exact(n) is exact


def test_skipping_pairs_changes_no_column_of_weights_by_more_than_a_thousandth(monkeypatch):
    monkeypatch.setattr("ia_engine.attention.iteration.MANY", 4)
    v = normalise(turned(drawing("crab"), (0, 0, 0), (60, 3, 0)))
    v = torch.cat([v, normalise(turned(drawing("snail"), (0, 0, 0), (90, 0, 2)))])
    exact, spared = (
        next(iterate(AttentionConfig(beta=100.0, pairs=pairs), v)) for pairs in ("all", "needed")
    )
    assert exact.rough is None
    assert exact.compared == 1
    assert spared.compared < 1
    assert (spared.W - exact.W).abs().sum(0).max() < 1e-3


@pytest.mark.parametrize("kernel", KERNELS)
def test_with_nearest_pairs_only_neighbours_have_weight(kernel):
    v = normalise(
        torch.cat(
            [
                turned(drawing(name), (0, 0, 0), (60, 3, 0), (-90, 0, 3))
                for name in ("crab", "snail")
            ]
        )
    )
    # The norms differ, like those of the means after a step.
    v = v * torch.linspace(0.2, 1, len(v), device="cpu")[:, None, None, None]
    config = AttentionConfig(pairs="nearest", nearest=2, beta=3.0, kernel=kernel, steps=2)
    for step in iterate(config, v):
        assert ((step.W > 0).sum(0) <= 3).all()
        assert (step.W[step.rough] == 0).all()
        assert 0 < step.compared < 1
        x = exponents(step, config, 3.0)
        torch.testing.assert_close(KERNELS[kernel].weigh(3.0 * x), step.W)
    assert next(iterate(replace(config, nearest=5), v)).rough is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"solver": "descent"}, "solver must be 'global'"),
        ({"bandwidth": "theorem"}, "bandwidth must be 'fixed'"),
        ({"bandwidth": "local", "neighbours": 30}, "at least neighbours"),
    ],
)
def test_the_error_lists_what_nearest_pairs_require(values, message):
    with pytest.raises(EngineError, match=message):
        AttentionConfig(pairs="nearest", **values)


def test_blobs_in_the_plane_collapse_to_their_means_in_four_iterations():
    made = make_blobs(BlobsConfig(blobs=3, points=40))
    x, labels = made.points, made.labels
    means = torch.stack([x[labels == k].mean(0) for k in range(3)])
    steps = list(iterate(AttentionConfig(method="ka", beta=3.0, steps=4), x))
    spread = (steps[-1].mu - means[labels]).norm(dim=1).max()
    assert (x - means[labels]).norm(dim=1).mean() > 0.25
    assert spread < 0.1
    found = merge_clusters(torch.cdist(steps[-1].mu, steps[-1].mu).square(), steps[-1].mu)
    assert score_clusters(labels, found).ari == 1


def test_invariant_attention_merges_copies_and_keeps_classes_apart():
    poses = ((0, 0, 0), (60, 3.2, -2.1), (-100, -1.5, 2.6))
    v = normalise(torch.cat([turned(drawing(name), *poses) for name in ("crab", "snail")]))
    labels = torch.tensor([0, 0, 0, 1, 1, 1], device="cpu")
    last = list(iterate(AttentionConfig(steps=2), v))[-1]
    assert merge_clusters(last.d2, last.v).tolist() == labels.tolist()
    kernel = list(iterate(AttentionConfig(method="ka", steps=2), v))[-1]
    assert score_clusters(labels, merge_clusters(kernel.d2, kernel.v)).ari < 0.5
