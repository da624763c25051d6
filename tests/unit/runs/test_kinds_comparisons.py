"""Saved comparisons and sweeps are restored, resumed and compared."""

import json
from contextlib import closing
from itertools import islice

import numpy as np
import pytest
import torch

from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.comparison.compare import Measures, Moment, Result, compare, results_of, to_row
from ia_engine.runs.comparison.config import ComparisonConfig, plan_comparison
from ia_engine.runs.comparison.sweep import (
    SweepConfig,
    SweepMoment,
    SweepPlan,
    swept_results,
)
from ia_engine.runs.differences import compare_runs
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.comparisons import COMPARISONS, SWEEPS, describe, describe_sweep
from ia_engine.runs.kinds.kind import OWN, makes_own
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import Library

pytestmark = [
    pytest.mark.cpu_only("files would be read onto the default device"),
    pytest.mark.usefixtures("reused_helpers"),
]
METHODS = ("kmeans", "ka")


@pytest.fixture(scope="module")
def data():
    return make(RECIPES["experiment-1"])


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def plan_of(data, **values):
    return plan_comparison(ComparisonConfig(methods=METHODS, k=3, **values), data)


def result_of(method, ari=0.5):
    chance = torch.Generator().manual_seed(0)
    return Result(
        method=method, seconds=1.5, memory=None, finished=False, note="out of time", clusters=3,
        measures=Measures(0.8, 0.7, ari, None), assignments=torch.tensor([0, 1, 2, 1]),
        centres=torch.rand(3, 1, 8, 8, generator=chance),
    )  # fmt: skip


def moments(plan, ari=0.5):
    """Yield moments in order: before its result, each method is reported as being computed."""
    for method in plan.config.methods:
        yield Moment(plan, method, 0.0)
        yield Moment(plan, method, 0.3)
        yield Moment(plan, method, 1.5, result_of(method, ari))


def keep(library, codec, config, items, *, name="named", count=None):
    record = Record(OWN, config, 0, "", "cpu", "a run")
    destination = Destination(library, name, "ann")
    with closing(save_items(destination, codec, lambda: (record, {}), iter(items))) as kept:
        list(islice(kept, count))
    return library.find(name)


def test_a_comparison_is_restored_from_one_file_for_each_result(library, data):
    plan = plan_of(data)
    kept = keep(library, COMPARISONS, describe(plan), moments(plan))
    assert (kept.kind, kept.state, kept.steps) == ("comparison", "done", 2)
    again = COMPARISONS.unpack(kept)
    assert [moment.plan for moment in again] == [plan, plan]
    for one, other in zip(results_of(again), results_of([*moments(plan)]), strict=True):
        assert to_row(one) == to_row(other)
        assert one.assignments.tolist() == other.assignments.tolist()
        np.testing.assert_allclose(one.centres, other.centres, atol=0.5 / 255)


def test_a_stopped_comparison_resumes_with_its_results(library, data):
    plan = plan_of(data)
    kept = keep(library, COMPARISONS, describe(plan), moments(plan), count=4)
    assert (kept.state, kept.steps) == ("cancelled", 1)
    known = results_of(COMPARISONS.unpack(kept))
    again = results_of([*compare(plan, data, known)])
    assert [result.method for result in again] == list(METHODS)
    assert again[0] is known[0]
    assert again[1].seconds != 1.5, "the second result must have been computed"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("beta", "(bandwidth β: 1 to 100)"),
        ("noise", "(standard deviation of the noise: 0 to 0.5)"),
        ("rotation", "(rotated by up to: 0 to 180 °)"),
    ],
)
def test_the_statement_of_a_sweep_gives_the_unit_of_its_quantity_if_it_has_one(name, text):
    sweep = SweepPlan(SweepConfig(sweep=name), ComparisonConfig(methods=METHODS))
    record = Record("{}", describe_sweep(sweep), 0, "", "cpu", "", {})
    assert text in str(SWEEPS.statement(record))


def test_the_statement_of_a_sweep_names_the_values_that_it_has():
    sweep = SweepPlan(
        SweepConfig(sweep="n", strengths=10, copies=8), ComparisonConfig(methods=METHODS)
    )
    record = Record("{}", describe_sweep(sweep), 0, "", "cpu", "", {})
    assert "6 values of one quantity (number of images n: 9 to 24 images)" in str(
        SWEEPS.statement(record)
    )


def test_a_sweep_is_restored_by_strength_and_generates_its_own_data(library, data):
    sweep = SweepPlan(SweepConfig(strengths=2), ComparisonConfig(methods=METHODS))
    inner = plan_of(data)
    items = [SweepMoment(sweep, at, moment, at) for at in range(2) for moment in moments(inner)]
    kept = keep(library, SWEEPS, describe_sweep(sweep), items)
    assert makes_own(kept)
    assert kept.steps == 4
    again = SWEEPS.unpack(kept)
    assert [item.repeat for item in again] == [0, 0, 1, 1]
    assert {item.plan for item in again} == {sweep}
    found = swept_results(again)
    assert {at: [one.method for one in own] for at, own in found.items()} == {
        0: list(METHODS), 1: list(METHODS),
    }  # fmt: skip


def test_the_differences_of_two_comparisons_include_settings_and_results(library, data):
    runs = []
    for name, seed, ari in (("one", 0, 0.25), ("two", 7, 0.75)):
        plan = plan_of(data, seed=seed)
        runs.append(keep(library, COMPARISONS, describe(plan), moments(plan, ari), name=name))
    lines = {line.name: line.values for line in compare_runs(runs)}
    assert lines["K-means: ARI"] == ("0.25", "0.75")
    assert ("0", "7") in lines.values()
    assert not any("budget" in name for name in lines)


def test_the_record_contains_the_plan_of_the_run(library, data):
    plan = plan_of(data)
    kept = keep(library, COMPARISONS, describe(plan), moments(plan))
    assert json.loads(kept.record.config)["config"] == json.loads(plan.config.to_json())
