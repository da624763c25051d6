"""The quantities of Theorem 4.1 from stored frames, compared with float64 references."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from ia_engine.attention.clusters.measures import NEAR
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.datasets.generated import GeneratedConfig, generate
from ia_engine.runs.attend import attend, iterate_to_end, plan
from ia_engine.runs.attend_measures import explain_constants, measure_quantities, scan_run
from ia_engine.runs.kinds.iterations import begin
from tests.unit.attention.reference import largest_ratio

BLOBS = make_blobs(BlobsConfig(blobs=3, points=5))
IMAGES = generate(GeneratedConfig(copies=2, size=24))
POINTS = AttentionConfig(method="ka", beta=0.8, steps=2)


def run(config, data=BLOBS):
    return list(attend(plan((config,), data, 60), data))


def measure(history):
    plan = history[0].plan
    (method,) = plan.configs
    return measure_quantities([moment.shown[method] for moment in history], plan.labels)


def explain(history):
    (method,) = history[0].plan.configs
    return explain_constants([moment.shown[method] for moment in history])


def continue_run(history, data=BLOBS, **changed):
    """Continue after the first iteration with other settings."""
    first = history[0].plan
    configs = {method: replace(config, **changed) for method, config in first.configs.items()}
    new = replace(first, configs=configs, kept=1)
    return list(attend(new, data, partial(begin, new, history)))


@pytest.mark.parametrize(
    ("data", "config"),
    [
        (BLOBS, POINTS),
        (BLOBS, replace(POINTS, kernel="cauchy")),
        (IMAGES, AttentionConfig(method="ka", beta=2.0, steps=1, sigma=1.0)),
        (IMAGES, AttentionConfig(beta=15.0, steps=1)),
    ],
    ids=["points", "another kernel", "kernel attention", "invariant attention"],
)
def test_the_stored_frames_give_the_quantities_of_a_run_in_double_precision(data, config):
    v = data.points.double() if data is BLOBS else normalise(data.images.double())
    before, labels = None, data.labels
    steps = iterate_to_end(config, v)
    for one, step in zip(measure(run(config, data)), steps, strict=True):
        d = step.d2.numpy() ** 0.5
        if before is None:
            least = NEAR * d.max()
        else:
            wanted = (
                largest_ratio(before, d, least),
                largest_ratio(before, d, least, lambda i, j: labels[i] == labels[j]),
            )
            assert (one.largest, one.within) == pytest.approx(wanted, rel=2e-3)
        same = [d[i, j] ** 2 for i, j in np.ndindex(d.shape) if i != j and labels[i] == labels[j]]
        assert one.radius == pytest.approx(d.max(), rel=1e-3)
        assert one.d2_within == pytest.approx(np.mean(same), rel=2e-3, abs=1e-6)
        if config.kernel == "rbf":
            assert one.constant == pytest.approx(config.beta * d.max() ** 2, rel=2e-3)
        else:
            assert one.constant is None
        before = d


def by_quantile(d2):
    pairs = np.sort(d2[~np.eye(len(d2), dtype=bool)])
    return d2.max() / pairs[round(0.1 * (len(pairs) - 1))]


@pytest.mark.parametrize(
    ("changed", "constant"),
    [
        ({}, lambda d2: POINTS.beta * d2.max()),
        ({"bandwidth": "theorem", "constant": 6.0}, lambda _: 6.0),
        ({"bandwidth": "quantile", "quantile": 0.1}, by_quantile),
        ({"bandwidth": "local"}, lambda _: None),
        ({"bandwidth": "topk", "neighbours": 3}, lambda _: None),
        ({"bandwidth": "theorem", "kernel": "laplace"}, lambda _: None),
    ],
    ids=["fixed", "theorem", "quantile", "local", "top k", "another kernel"],
)
def test_the_constant_of_a_run_follows_from_its_rule_and_its_kernel(changed, constant):
    history = run(replace(POINTS, **changed))
    for one, moment in zip(measure(history), history, strict=True):
        wanted = constant(moment.shown["ka"].frame.arrays["d2"].astype(float))
        assert one.constant == (None if wanted is None else pytest.approx(wanted, rel=1e-6))


def test_an_iteration_keeps_its_constant_if_the_run_continues_with_another_beta_or_rule():
    history = run(POINTS)
    first = measure(history)[0].constant
    fixed = measure(continue_run(history, beta=5.0))
    assert fixed[0].constant == pytest.approx(first)
    assert fixed[1].constant == pytest.approx(5.0 * fixed[1].radius ** 2)
    by_rule = measure(continue_run(history, bandwidth="theorem", constant=6.0))
    assert [one.constant for one in by_rule] == pytest.approx([first, 6.0, 6.0, 6.0])


def test_an_iteration_with_another_kernel_has_no_constant_and_the_reason_is_stated():
    history = run(POINTS)
    assert explain(history) == []
    continued = continue_run(history, kernel="cauchy")
    first, *others = measure(continued)
    assert first.constant is not None
    assert {one.constant for one in others} == {None}
    (reason,) = explain(continued)
    assert reason.startswith("Theorem 4.1 is about the Gaussian kernel, not about κ = 1/(1 + β d²)")


def test_a_scan_starts_from_the_data_of_the_run():
    history = run(replace(POINTS, bandwidth="theorem", constant=3.0))
    (trial,) = scan_run(history[0], BLOBS, [3.0])
    assert trial.largest == pytest.approx(measure(history)[1].largest, rel=1e-5)


def test_the_scan_of_a_continued_run_has_the_settings_of_its_first_iteration():
    config = replace(POINTS, bandwidth="theorem", constant=3.0)
    history = run(config)
    continued = continue_run(history, kernel="laplace")
    (trial,) = scan_run(continued[0], BLOBS, [3.0])
    step, after = iterate(config, BLOBS.points)
    least = NEAR * float(step.d2.max()) ** 0.5
    wanted = largest_ratio(step.d2.sqrt().numpy(), after.d2.sqrt().numpy(), least)
    assert trial.largest == pytest.approx(wanted, rel=1e-5)
