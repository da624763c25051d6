from dataclasses import replace

import pytest

from ia_engine.attention.beta import suggest_beta
from ia_engine.attention.clusters.measures import measure
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig, iterate
from ia_engine.datasets.experiments import BlobsConfig, make_blobs


@pytest.mark.parametrize("scale", [0.3, 1, 3])
def test_with_the_suggested_beta_points_collapse_to_their_blobs_regardless_of_scale(scale):
    data = make_blobs(BlobsConfig(blobs=4, points=15))
    data = replace(data, points=scale * data.points)
    config = AttentionConfig(method="ka", beta=suggest_beta(data), steps=5)
    *_, last = measure(iterate(config, data.points), data.labels)
    assert last.clusters == 4
    assert last.scores.ari == 1


def test_for_coinciding_points_the_default_beta_is_suggested():
    assert suggest_beta(make_blobs(BlobsConfig(spread=0.0))) == KERNEL_BETA
