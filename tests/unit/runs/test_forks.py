from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.attend import attend, list_distances, plan, restore_weights
from ia_engine.runs.kinds.iterations import begin, find_like, same_data


@pytest.fixture(scope="module")
def data():
    with torch.device("cpu"):
        return make(RECIPES["experiment-1"])


def planned(data, kept=0, **values):
    configs = (AttentionConfig(method="ka", beta=2.0, steps=2), AttentionConfig(**values))
    return replace(plan(configs, data, 6), kept=kept)


@pytest.fixture(scope="module")
def history(data):
    with torch.device("cpu"):
        return list(attend(planned(data, steps=2), data))


def go_on(new, data, history):
    return list(attend(new, data, partial(begin, new, history)))


def of(method, run):
    return [moment.shown[method] for moment in run]


def test_a_run_with_the_same_settings_reuses_all_results(data, history):
    again = go_on(planned(data, steps=2), data, history)
    for method in ("ia", "ka"):
        assert all(a is b for a, b in zip(of(method, again), of(method, history), strict=True))


def test_a_run_reuses_the_known_iterations_and_computes_only_additional_ones(data, history):
    assert of("ia", go_on(planned(data, steps=1), data, history)) == of("ia", history)[:2]
    longer = plan((AttentionConfig(steps=3),), data, 6)
    more, whole = of("ia", go_on(longer, data, history)), of("ia", attend(longer, data))
    assert more[1] is of("ia", history)[1]
    assert len(more) == 4
    torch.testing.assert_close(more[2].mu, whole[2].mu, atol=1e-4, rtol=0)


def test_a_new_beta_reuses_the_distances_and_gives_the_result_of_a_full_run(data, history):
    new = planned(data, steps=2, beta=4.0)
    quick, whole = of("ia", go_on(new, data, history)), of("ia", attend(new, data))
    for a, b in zip(quick, whole, strict=True):
        torch.testing.assert_close(a.mu, b.mu, atol=1e-4, rtol=0)
        torch.testing.assert_close(restore_weights(a), restore_weights(b), atol=1e-4, rtol=0)


def test_a_new_beta_does_not_align_the_data_again(data, history):
    v = normalise(data.images)[:6]
    known = begin(planned(data, beta=4.0), history, v)["ia"].known
    assert torch.equal(known.d2, list_distances(of("ia", history))[0])
    assert begin(planned(data, group="rotation"), history, v)["ia"].known is None


def test_a_fork_keeps_the_earlier_steps_and_continues_from_its_iteration(data, history):
    forked = of("ia", go_on(planned(data, kept=1, steps=2, beta=60.0), data, history))
    first, second, _ = of("ia", history)
    assert [item.numbers.p for item in forked] == [0, 1, 2, 3]
    assert forked[0].mu is first.mu or torch.equal(forked[0].mu, first.mu)
    assert [item.config.beta for item in forked] == [15, 60, 60, 60]
    assert forked[1].numbers.contraction == second.numbers.contraction


def test_a_fork_of_a_fork_does_not_reuse_steps_with_different_settings(data, history):
    forked = go_on(planned(data, kept=1, steps=1, beta=60.0), data, history)
    again = of("ia", go_on(planned(data, steps=2), data, forked))
    assert [item.config.beta for item in again] == [15, 15, 15]
    whole = of("ia", history)
    torch.testing.assert_close(again[1].mu, whole[1].mu, atol=1e-4, rtol=0)


def test_reused_steps_are_shown_with_their_original_weights(data, history):
    forked = of("ia", go_on(planned(data, kept=1, steps=1, beta=60.0), data, history))[0]
    x = forked.frame.arrays["x"].astype(float)
    kappa = np.exp(-forked.beta * x)
    W = restore_weights(of("ia", history)[0]).numpy()
    np.testing.assert_allclose(kappa / kappa.sum(0), W, atol=1e-5)


def test_only_runs_of_the_same_data_and_distances_are_reused(data, history):
    assert find_like(planned(data, beta=3.0), [history]) is history
    assert find_like(planned(data, sigma=1.0), [history]) == ()
    assert find_like(planned(data), [()]) == ()
    fewer = plan((AttentionConfig(),), data, 5)
    assert not same_data(fewer, history[0].plan)
    once = replace(history[0].plan, names=[f"image {k}" for k in range(6)])
    assert same_data(once, planned(data)), (
        "the names that images had when the run was saved do not matter"
    )
    assert find_like(fewer, [history]) == ()
