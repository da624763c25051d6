"""A sweep varies one quantity, repeats with other seeds, and computes nothing twice."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from ia_engine.attention.iteration import iterate
from ia_engine.figures.comparison.plots import plot_sweep
from ia_engine.runs.comparison import catalogue, methods, sweep
from ia_engine.runs.comparison.compare import Measures, Moment, Result, expected_moments
from ia_engine.runs.comparison.config import ComparisonConfig, set_task
from ia_engine.runs.comparison.sweep import (
    COUNT,
    MEASURES,
    SWEPT,
    Spread,
    SweepConfig,
    SweepPlan,
    configure,
    expected_sweep,
    known_results,
    limit_seconds,
    make_set,
    spread_of,
    swept_results,
)

pytestmark = pytest.mark.cpu_only("generated data are on the CPU")

METHODS = ("kmeans", "ka", "ia-rotation")


def plan_of(name, **changes):
    methods_ = ComparisonConfig(methods=METHODS, seed=5)
    return SweepPlan(SweepConfig(sweep=name, **{"strengths": 4, "copies": 3, **changes}), methods_)


def result(method, seconds=1.0, ari=0.5, memory=None):
    found = torch.zeros(9, dtype=torch.int64)
    measures = None if ari is None else Measures(0.5, 0.5, ari, None)
    return Result(method, seconds, memory, True, "", 1, measures, found, torch.zeros(0, 1, 8, 8))


@pytest.fixture
def computed(monkeypatch):
    """Let sweeps compute nothing; list the value, the seed and the method of every computation."""
    calls = []

    def compare(plan, data, known, helper):
        before = {one.method: one for one in known}
        for method in plan.config.methods:
            found = before.get(method)
            if found is None:
                found = result(method)
                calls.append((plan.config, len(data.images), method))
                yield Moment(plan, method, 0.0)
            yield Moment(plan, method, 0.0, found)

    monkeypatch.setattr(sweep, "compare", compare)
    return calls


@pytest.mark.parametrize("name", SWEPT)
def test_the_values_of_a_sweep_increase_from_the_smallest_to_the_largest(name):
    plan, swept = plan_of(name, copies=20), SWEPT[name]
    steps = plan.steps
    assert len(steps) == 4
    assert all(one < other for one, other in pairwise(steps))
    if name != COUNT:
        assert (steps[0], steps[-1]) == pytest.approx((swept.least, swept.most))


def test_values_on_a_logarithmic_axis_have_a_constant_ratio():
    steps = plan_of("beta").steps
    ratios = [other / one for one, other in pairwise(steps)]
    assert ratios == pytest.approx([ratios[0]] * 3)


@pytest.mark.parametrize(("copies", "most"), [(6, 18), (40, 120), (200, 600)])
def test_a_sweep_over_n_has_the_same_number_of_copies_of_each_picture(copies, most):
    plan = plan_of(COUNT, copies=copies)
    assert plan.steps[0] == 9
    assert plan.steps[-1] == most
    data = make_set(plan.sweep, plan.steps[1], 0)
    assert len(data.images) == plan.steps[1]
    assert set(torch.bincount(data.labels).tolist()) == {plan.steps[1] / 3}


@pytest.mark.parametrize(("copies", "values"), [(3, 1), (4, 2), (8, 6), (12, 10)])
def test_a_sweep_over_n_has_distinct_values_up_to_the_largest_that_was_set(copies, values):
    plan = plan_of(COUNT, copies=copies, strengths=10)
    assert len(set(plan.steps)) == len(plan.steps) == values
    assert (plan.steps[0], plan.steps[-1]) == (9, 3 * copies)
    assert expected_sweep(plan) == values * expected_moments(plan.config)


def test_the_noise_of_a_sweep_has_the_stated_standard_deviation_and_the_same_poses():
    config = SweepConfig(sweep="noise", copies=3)
    plain, noisy = (make_set(config, value, 0) for value in (0.0, 0.1))
    angles = [data.poses[:, 0] for data in (plain, noisy)]
    assert torch.equal(*angles)
    inside = (plain.images > 0.4) & (plain.images < 0.6)  # far from 0 and 1, where it is clipped
    deviation = (noisy.images - plain.images)[inside].std()
    assert float(deviation) == pytest.approx(0.1, rel=0.1)


def test_the_rotation_of_the_pictures_can_be_chosen_in_sweeps_of_other_quantities():
    small, large = (
        make_set(SweepConfig(sweep="sigma", copies=9, angle=angle), 1.0, 0) for angle in (5.0, 90.0)
    )
    assert small.poses.abs().max() <= torch.pi * 5 / 180
    assert large.poses.abs().max() > 1


def test_each_repetition_has_a_different_seed_and_beta_needs_an_averaging_step():
    plan = plan_of("beta")
    configs = [configure(plan, 7.0, repeat) for repeat in range(3)]
    assert [config.seed for config in configs] == [5, 6, 7]
    assert {(config.beta, config.averagings) for config in configs} == {(7.0, 1)}
    assert configure(plan_of("sigma"), 2.5, 0).sigma == 2.5
    assert configure(plan_of("rotation"), 90.0, 0) == plan.config


def test_methods_without_beta_are_computed_only_once_in_each_repetition(computed):
    items = list(sweep.sweep(plan_of("beta", repeats=2)))
    for method, count in (("kmeans", 2), ("ka", 8), ("ia-rotation", 8)):
        assert [name for _, _, name in computed].count(method) == count
    results = swept_results(items)
    assert {at: len(own) for at, own in results.items()} == dict.fromkeys(range(4), 6)


@pytest.mark.parametrize("name", ["beta", "noise"])
def test_the_time_left_is_the_budget_of_every_method_that_is_still_to_be_computed(computed, name):
    plan = plan_of(name, repeats=2)
    history, left = [], [limit_seconds(plan)]
    for item in sweep.sweep(plan):
        history.append(item)
        left.append(limit_seconds(plan, history))
    assert left[0] == len(computed) * plan.config.budget
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0


def test_in_sweeps_that_change_the_data_every_method_is_computed_at_every_value(computed):
    list(sweep.sweep(plan_of("noise", repeats=2)))
    assert len(computed) == 2 * 4 * 3
    assert {config.seed for config, _, _ in computed} == {5, 6}


def test_a_sweep_continues_with_the_results_that_are_missing(computed):
    plan = plan_of("rotation", repeats=2)
    items = list(sweep.sweep(plan))
    del computed[:]
    finished = items[: len(items) // 2 + 3]
    again = list(sweep.sweep(plan, known_results(finished)))
    done = sum(item.moment.result is not None for item in finished)
    assert len(computed) == 2 * 4 * 3 - done
    places = [(one.repeat, one.at, one.moment.method) for one in again if one.moment.result]
    assert places == [
        (repeat, at, method) for repeat in range(2) for at in range(4) for method in METHODS
    ]


def test_attention_uses_the_beta_and_the_sigma_of_the_task(monkeypatch):
    used = []

    def note(config, v, *rest):
        used.append((config.beta, config.sigma, config.steps))
        return iterate(config, v, *rest)

    monkeypatch.setattr(methods, "iterate", note)
    plan = plan_of("beta")
    data = make_set(plan.sweep, 7.0, 0)
    config = replace(configure(plan, 7.0, 0), sigma=2.0)
    task, _ = set_task(sweep.plan_comparison(config, data), data)
    for name in ("ka", "ia-rotation"):
        list(catalogue.METHODS[name].solve(replace(task, images=task.images[::3, :, ::4, ::4])))
    assert (7.0, 2.0, 2) in used
    assert used[-1] == (7.0, 2.0, 2)


def test_a_method_declares_which_settings_of_attention_change_it(computed, monkeypatch):
    """An added method that uses β is computed at every value of β."""
    monkeypatch.setitem(
        catalogue.METHODS, "kmeans", methods.Method("β-means", methods.solve_kmeans, ("beta",))
    )
    for name, times in (("beta", 4), ("sigma", 1)):
        del computed[:]
        list(sweep.sweep(plan_of(name)))
        assert [method for _, _, method in computed].count("kmeans") == times


def test_the_spread_is_the_median_the_smallest_and_the_largest_value():
    results = [result("ka", ari=ari) for ari in (0.9, 0.1, 0.4)] + [result("gmm", ari=1.0)]
    assert spread_of(results, "ka", "ARI") == Spread(0.4, 0.1, 0.9)
    assert spread_of(results, "kmeans", "ARI") is None
    assert spread_of([result("ka", ari=None)], "ka", "ARI") is None
    assert spread_of([result("ka", memory=3_000_000)], "ka", "memory [MB]").middle == 3.0
    assert next(iter(MEASURES)) == "ARI"


def test_the_spread_is_drawn_as_bars_and_times_on_logarithmic_axes():
    lines, bars = {"a": [0.5, 0.7], "b": [0.2, None]}, {"a": [(0.4, 0.9), (0.7, 0.7)]}
    figure = plot_sweep((9, 90), lines, axis="n", measure="s", bars=bars, log=True, score=False)
    one, other = figure.data
    assert one.error_y.array == pytest.approx((0.4, 0.0))
    assert one.error_y.arrayminus == pytest.approx((0.1, 0.0))
    assert other.error_y.array is None
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
