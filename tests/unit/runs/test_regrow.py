"""Merge trees and weights for different settings, computed from a saved run."""

import pytest

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.attend import attend, plan, rebuild_tree, restore_weights


@pytest.fixture(scope="module")
def steps():
    data = make(RECIPES["experiment-1"])
    planned = plan([AttentionConfig(method="ka", beta=5.0, steps=2)], data, 18)
    return [moment.shown["ka"] for moment in attend(planned, data, lambda _: {})]


def test_the_default_threshold_gives_the_default_tree(steps):
    assert len(rebuild_tree(steps, 1.0).clusters) == len(steps[-1].numbers.tree.clusters)


def test_a_larger_threshold_never_gives_more_clusters(steps):
    counts = [len(rebuild_tree(steps, lax).clusters) for lax in (1.0, 4.0, 1e6)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 1


def test_a_larger_beta_leaves_only_the_diagonal(steps):
    shares = [float(restore_weights(steps[0], by).diagonal().mean()) for by in (1.0, 10.0, 1000.0)]
    assert shares == sorted(shares)
    assert shares[-1] > 0.99
