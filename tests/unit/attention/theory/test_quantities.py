"""The quantities of Theorem 4.1, compared with loops in float64."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from ia_engine.attention.clusters.measures import NEAR
from ia_engine.attention.iteration import AttentionConfig, iterate
from ia_engine.attention.theory.quantities import (
    explain_missing_constant,
    list_quantities,
    scan_constants,
)
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.errors import EngineError
from tests.unit.attention.reference import largest_ratio

DATA = make_blobs(BlobsConfig(blobs=3, points=5))
POINTS, LABELS = DATA.points.double(), DATA.labels
CONFIG = AttentionConfig(method="ka", beta=0.6, steps=3)


def all_pairs(x):
    return np.array([[math.dist(a, b) for b in x] for a in x])


def average(x, beta):
    gamma = np.exp(-beta * all_pairs(x) ** 2)
    return (gamma / gamma.sum(0)).T @ x


def test_every_quantity_is_that_of_a_reference_in_double_precision():
    steps = [*iterate(CONFIG, POINTS)]
    found = list_quantities([step.d2 for step in steps], [CONFIG.beta] * len(steps), LABELS)
    x, before, least = POINTS.numpy(), None, 0.0
    for p, one in enumerate(found):
        d = all_pairs(x)
        if before is None:
            least = NEAR * d.max()
            assert (one.largest, one.within) == (None, None)
        else:
            ratios = (
                largest_ratio(before, d, least),
                largest_ratio(before, d, least, lambda i, j: LABELS[i] == LABELS[j]),
            )
            assert (one.largest, one.within) == pytest.approx(ratios, rel=1e-6)
        inside = [d[i, j] ** 2 for i, j in np.ndindex(d.shape) if i != j and LABELS[i] == LABELS[j]]
        wanted = (p, d.max(), CONFIG.beta * d.max() ** 2, np.mean(inside))
        assert (one.p, one.radius, one.constant, one.d2_within) == pytest.approx(wanted, rel=1e-6)
        x, before = average(x, CONFIG.beta), d


def test_quantities_that_need_labels_or_a_single_beta_are_missing_without_them():
    d2 = [step.d2 for step in iterate(CONFIG, POINTS)]
    *_, last = list_quantities(d2, [None] * len(d2), None)
    assert (last.constant, last.within, last.d2_within) == (None, None, None)
    assert last.largest is not None
    assert list_quantities([], [], None) == []


def test_the_scan_of_constants_equals_a_reference_in_double_precision():
    constants = (0.5, 4.0, 64.0)
    x = POINTS.numpy()
    d = all_pairs(x)
    for trial, c in zip(scan_constants(CONFIG.build(), POINTS, constants), constants, strict=True):
        beta = c / d.max() ** 2
        ratio = largest_ratio(d, all_pairs(average(x, beta)), NEAR * d.max())
        wanted = (c, beta, ratio)
        assert (trial.constant, trial.beta, trial.largest) == pytest.approx(wanted, rel=1e-6)


def test_a_scan_of_equal_images_is_refused():
    with pytest.raises(EngineError, match="the images must differ for a scan of c′"):
        next(scan_constants(CONFIG.build(), torch.ones_like(POINTS), (1.0,)))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, ""),
        ({"bandwidth": "topk", "neighbours": len(POINTS)}, ""),
        ({"kernel": "laplace"}, "the Gaussian kernel, not about κ = exp(-β d)"),
        ({"kernel": "cauchy"}, "the Gaussian kernel, not about κ = 1/"),
        ({"bandwidth": "topk", "neighbours": 4}, "all 15 images; here, a mean averages at most 4"),
    ],
)
def test_the_theorem_is_about_the_gaussian_kernel_and_all_weights(changed, reason):
    method = replace(CONFIG, **changed).build(len(POINTS))
    found = explain_missing_constant(method.weighting, len(POINTS))
    assert reason in found
    assert bool(found) == bool(reason)
    if reason:
        with pytest.raises(EngineError, match="a scan of c′ needs the Gaussian kernel and weights"):
            next(scan_constants(method, POINTS, (1.0,)))
