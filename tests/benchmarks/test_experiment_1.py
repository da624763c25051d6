"""Experiment 1: invariant attention finds the classes; kernel attention does not.

`make bench` measures twenty seeds.
"""

from dataclasses import replace

import numpy as np
import pytest

from ia_engine.attention.clusters.detection import merge_clusters
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.attention.weights import block_mass
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.metrics import score_clusters
from tests.benchmarks.clock import one_thread

SEEDS = range(6)
BETAS = np.geomspace(0.1, 200, 10)


@pytest.fixture(scope="module", autouse=True)
def slowly():
    with one_thread():
        yield


@pytest.fixture(scope="module")
def experiments():
    """Images of unit norm and their labels, for every seed."""
    recipe = RECIPES["experiment-1"]
    made = [make(replace(recipe, config=replace(recipe.config, seed=seed))) for seed in SEEDS]
    return [(normalise(one.images), one.labels) for one in made]


def ari_after_two(config, v, labels):
    """The weights of the first iteration, and the ARI of the images after two iterations."""
    steps = list(iterate(config, v))
    third = config.build().distance.align(steps[1].mu)
    found = merge_clusters(third.d2, steps[1].mu)
    return steps[0].W, score_clusters(labels, found).ari


def test_invariant_attention_finds_the_classes_for_every_seed_with_k_estimated(experiments):
    config = AttentionConfig(steps=2)
    found = [ari_after_two(config, v, labels) for v, labels in experiments]
    mass = [block_mass(W, labels) for (W, _), (_, labels) in zip(found, experiments, strict=True)]
    ari = [ari for _, ari in found]
    print(f"\nblock mass at least {min(mass):.4f}, ARI at least {min(ari):.2f}, {len(ari)} seeds")
    assert min(mass) >= 0.99
    assert min(ari) == 1


def test_kernel_attention_does_not_find_the_classes_at_any_bandwidth(experiments):
    configs = [AttentionConfig(method="ka", beta=float(beta), steps=2) for beta in BETAS]
    ari = np.array([[ari_after_two(c, v, labels)[1] for c in configs] for v, labels in experiments])
    together, each = ari.mean(0), ari.max(1)
    print(
        f"\nkernel attention: mean ARI {together.max():.3f} at its best β = "
        f"{BETAS[together.argmax()]:.3g}, {each.mean():.3f} at the best β of each seed"
    )
    assert together.max() < 0.15
    assert each.mean() < 0.15
