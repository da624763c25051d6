"""Each compared method finds obvious clusters, stays within its budget and ends with its
process.
"""

import contextlib
import importlib
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import torch

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.datasets.subset import NamedConfig
from ia_engine.errors import EngineError
from ia_engine.metrics import score_clusters
from ia_engine.runs.comparison import limits
from ia_engine.runs.comparison.catalogue import METHODS
from ia_engine.runs.comparison.compare import compare, judge, results_of, to_row, to_screen_row
from ia_engine.runs.comparison.config import TITLES, ComparisonConfig, plan_comparison
from ia_engine.runs.comparison.helper import ENDED, Helper
from ia_engine.runs.comparison.limits import Outcome, solve_within
from ia_engine.runs.comparison.methods import Best, Method, Task
from ia_engine.runs.comparison.store import (
    PrecomputedComparison,
    pack_comparison,
    unpack_comparison,
)
from ia_engine.runs.comparison.sweep import ROTATED, SWEPT, SweepConfig, SweepPlan, make_set
from tests.waits import MAX_WAIT_S

pytestmark = pytest.mark.cpu_only("methods run on the CPU in a separate process")

COPIES = 7
ANYHOW = ("kmeans", "gmm", "mean-shift", "spectral", "ka", "ia-se2", "ia-affine")
"""Methods that end by themselves; the others train until their budget is used up."""


def obvious(copies=COPIES):
    """Noisy copies of a bar, two blocks and a ring on 20×20 pixels; no affine map transforms one
    shape into another.
    """
    three = torch.zeros(3, 1, 20, 20)
    three[0, :, 3:17, 9:11] = three[2, :, 4:16, 4:16] = 0.8
    three[1, :, 2:8, 2:8] = three[1, :, 12:18, 12:18] = 0.8
    three[2, :, 7:13, 7:13] = 0
    noise = torch.rand(3 * copies, 1, 20, 20, generator=torch.Generator().manual_seed(0))
    return (three.repeat_interleave(copies, 0) + 0.05 * noise).clamp(0, 1)


@pytest.fixture(scope="module")
def data():
    images = obvious()
    labels = torch.arange(3).repeat_interleave(COPIES)
    names = tuple(f"image {i}" for i in range(len(images)))
    recipe = Recipe("mnist", NamedConfig())
    return ImageSet(images, names, recipe, labels=labels, classes=("bar", "blocks", "ring"))


@pytest.fixture(scope="module")
def task(data):
    return Task(data.images, k=3, budget=2.0)


def solve(name, task):
    *_, best = METHODS[name].solve(task)
    return best


@pytest.fixture(scope="module")
def solved(task):
    """Return a function that returns the result of a method for the task, computed once."""
    results = {}

    def find(name):
        if name not in results:
            results[name] = solve(name, task)
        return results[name]

    return find


def test_the_titles_of_the_methods_differ():
    assert list(METHODS) == list(TITLES)
    assert len(set(TITLES.values())) == len(TITLES)


@pytest.mark.parametrize("name", TITLES)
def test_every_method_finds_three_obvious_clusters(name, solved, data):
    best = solved(name)
    assert best.assignments.shape == (len(data.images),)
    assert best.assignments.dtype == torch.int64
    assert score_clusters(data.labels, best.assignments).ari == 1
    assert best.centres.shape == (3, 1, 20, 20)
    assert best.centres.min() >= -1e-6
    assert best.centres.max() <= 1.1


@pytest.mark.parametrize("name", ["kmeans", "gmm", "ti", "dti-kmeans"])
def test_the_squared_error_is_close_to_the_variance_of_the_noise_and_is_saved(name, solved, data):
    best = solved(name)
    noise = 0.05**2 / 12
    assert 0.5 * noise < best.error < 3 * noise
    result = judge(name, Outcome(best, 0.1, None, finished=True), None, data.images)
    plan = plan_comparison(ComparisonConfig(methods=(name,)), data)
    (again,) = unpack_comparison(
        pack_comparison(PrecomputedComparison(plan, (result,), ()))
    ).results
    assert (again.error, to_row(again)["squared_error"]) == (best.error, best.error)
    assert to_screen_row(again)["squared error"] == round(best.error, 5)


def test_a_result_saved_without_a_squared_error_has_none(solved, data):
    result = judge("ka", Outcome(solved("ka"), 0.1, None, finished=True), None, data.images)
    plan = plan_comparison(ComparisonConfig(methods=("ka",)), data)
    arrays = pack_comparison(PrecomputedComparison(plan, (result,), ()))
    text = arrays["known"].tobytes().replace(b', "error": null', b"")
    assert (
        unpack_comparison(arrays | {"known": np.frombuffer(text, np.uint8)}).results[0].error
        is None
    )


@pytest.mark.parametrize("name", ["kmeans", "gmm", "spectral", "ka", "ia-se2"])
def test_the_method_finds_the_number_of_clusters_if_it_is_not_given(name, task, data):
    best = solve(name, replace(task, k=None))
    assert score_clusters(data.labels, best.assignments).ari == 1


@pytest.mark.parametrize("name", ANYHOW)
def test_the_same_seed_gives_the_same_result(name, task, solved):
    one, other = solved(name), solve(name, task)
    assert one.assignments.tolist() == other.assignments.tolist()
    assert torch.equal(one.centres, other.centres)


def test_invariant_attention_takes_averaging_steps_first_if_requested(task):
    few = replace(task, averagings=2)
    assert len(list(METHODS["ia-se2"].solve(few))) == len(list(METHODS["ia-se2"].solve(task))) + 2


def test_a_method_that_exceeds_its_budget_is_stopped(task):
    outcome = solve_within("ia-affine", replace(task, images=obvious(copies=100), budget=1.0))
    assert 0.1 < outcome.seconds < 1.0 + 0.4
    assert not outcome.finished
    assert outcome.best is None or len(outcome.best.assignments) == 300


def test_training_planned_for_a_budget_ends_within_it(task):
    few = obvious(copies=10)  # few enough that reading the result takes little time
    outcome = solve_within("dti-kmeans", replace(task, images=few, budget=2.0))
    assert outcome.finished
    assert len(outcome.best.assignments) == 30


def test_images_that_were_not_aligned_in_time_are_assigned_by_those_that_were(task):
    nothing, first, *_ = METHODS["ia-se2"].solve(replace(task, images=obvious(copies=36)))
    assert "no image was aligned" in nothing.note
    assert "12 of 108 images were aligned in time" in first.note
    assert score_clusters(torch.arange(3).repeat_interleave(36), first.assignments).ari == 1


def test_a_method_that_runs_out_of_time_reports_its_best_result_so_far(monkeypatch, task, data):
    def slow(task):
        yield Best(data.labels, data.images[::COPIES])
        while True:
            pass

    monkeypatch.setitem(limits.METHODS, "kmeans", Method("K-means", slow))
    outcome = solve_within("kmeans", replace(task, budget=0.2))
    result = judge("kmeans", outcome, data.labels, data.images)
    assert (result.finished, result.note, result.measures.ari) == (False, "out of time", 1)


def test_a_method_that_fails_reports_its_error_and_has_no_clusters(monkeypatch, task, data):
    def fail(task):
        raise EngineError("k must be at most the number of images")
        yield

    monkeypatch.setitem(limits.METHODS, "kmeans", Method("K-means", fail))
    result = judge("kmeans", solve_within("kmeans", task), data.labels, data.images)
    assert result.note == "k must be at most the number of images"
    assert (result.clusters, result.measures, len(result.centres)) == (0, None, 0)


@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        (RuntimeError("can't allocate\n 99 bytes"), "more memory than is available"),
        (AttributeError("module 'sympy' has no attribute 'core'"), "stopped unexpectedly"),
        (MemoryError(), "more memory than is available"),
    ],
)
def test_after_any_exception_a_method_reports_a_short_reason_and_its_best_result_so_far(
    monkeypatch, task, data, cause, reason
):
    def fail(task):
        yield Best(data.labels, data.images[::COPIES])
        raise cause

    monkeypatch.setitem(limits.METHODS, "kmeans", Method("K-means", fail))
    result = judge("kmeans", solve_within("kmeans", task), data.labels, data.images)
    assert reason in result.note
    assert str(cause) not in result.note or not str(cause)
    assert type(cause).__name__ not in result.note
    assert (result.finished, result.measures.ari) == (False, 1)


SLOW = """
import time
end = time.process_time() + 0.5
while time.process_time() < end:
    pass
whole = True
"""


def test_the_time_limit_never_interrupts_an_import(monkeypatch, task, data, tmp_path):
    def load(task):
        yield Best(data.labels, data.images[::COPIES])
        importlib.import_module("slow_to_load")
        while True:
            pass

    (tmp_path / "slow_to_load.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(limits.METHODS, "kmeans", Method("K-means", load))
    outcome = solve_within("kmeans", replace(task, budget=0.1))
    assert sys.modules.pop("slow_to_load").whole
    assert (outcome.finished, outcome.error) == (False, "")
    assert 0.5 <= outcome.seconds < 2


LOADED = """
import sys, warnings, torch
from ia_engine.runs.comparison.catalogue import METHODS
from ia_engine.runs.comparison.methods import Task
from ia_engine.runs.comparison.helper import warm_up

warnings.simplefilter("ignore")
torch.set_num_threads(1)
for channels, k in ((1, None), (3, 3)):
    task = Task(torch.rand(16, channels, 20, 20), k, 0.4)
    for name, method in METHODS.items():
        warm_up(name, task)
        before = set(sys.modules)
        for _ in method.solve(task):
            pass
        assert set(sys.modules) == before, (name, sorted(set(sys.modules) - before))
"""


def test_a_warmed_up_method_imports_no_further_modules():
    subprocess.run([sys.executable, "-c", LOADED], check=True, timeout=MAX_WAIT_S)


def test_imports_do_not_count_towards_any_budget(data):
    config = ComparisonConfig(methods=("dti-kmeans", "dti-gmm"), k=3, budget=0.1)
    found = results_of(list(compare(plan_comparison(config, data), data)))
    assert len(found) == 2
    assert [result.note for result in found if "unexpectedly" in result.note] == []


@pytest.mark.parametrize("caught", [Exception, BaseException])
def test_a_method_that_catches_all_exceptions_still_ends_in_time(monkeypatch, task, data, caught):
    def deaf(task):
        yield Best(data.labels, data.images[::COPIES])
        end = time.process_time() + 5.0
        with contextlib.suppress(caught):
            while time.process_time() < end:
                pass
        while time.process_time() < end:
            pass

    monkeypatch.setitem(limits.METHODS, "kmeans", Method("K-means", deaf))
    outcome = solve_within("kmeans", replace(task, budget=0.2))
    assert not outcome.finished
    assert outcome.seconds < 2


def test_purity_is_given_if_the_numbers_of_clusters_and_classes_differ(data):
    halves = torch.arange(len(data.images)) // (COPIES + 4)
    few = Outcome(Best(halves, data.images[:2]), 0.1, None, finished=True)
    result = judge("kmeans", few, data.labels, data.images)
    assert result.measures.purity >= result.measures.acc
    same = replace(few, best=Best(data.labels, data.images[:3]))
    assert judge("kmeans", same, data.labels, data.images).measures.purity is None
    assert judge("kmeans", same, None, data.images).measures is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"methods": ("kmeans", "magic")}, "a method must be one of kmeans, .*got 'magic'"),
        ({"methods": ()}, "methods must contain at least one of"),
        ({"methods": ("ka", "ka")}, "list each method once"),
        ({"budget": 0.0}, "budget must be between"),
    ],
)
def test_an_invalid_config_is_refused_with_one_message(values, message):
    with pytest.raises(EngineError, match=message) as caught:
        ComparisonConfig(**values)
    assert "\n" not in str(caught.value)


def test_a_config_is_unchanged_after_conversion_to_text_and_back():
    config = ComparisonConfig(methods=("ka", "ti"), k=4, budget=2.5)
    assert ComparisonConfig.from_json(config.to_json()) == config


def test_points_and_too_few_images_are_refused(data):
    with pytest.raises(EngineError, match="got points"):
        plan_comparison(ComparisonConfig(), make_blobs(BlobsConfig()))
    with pytest.raises(EngineError, match="lower K"):
        plan_comparison(ComparisonConfig(k=30), data)


@pytest.fixture(scope="module")
def moments(data):
    config = ComparisonConfig(methods=("kmeans", "ia-se2"), k=3, budget=20.0)
    return list(compare(plan_comparison(config, data), data))


def test_a_comparison_measures_cpu_time_and_memory_of_its_methods(moments):
    first, second = results_of(moments)
    assert (first.method, second.method) == ("kmeans", "ia-se2")
    for result in (first, second):
        assert result.measures.ari == 1
        assert result.finished
        assert 0 < result.seconds < 20
        assert result.memory is None or 0 <= result.memory < 1e9


def test_known_results_are_reused(moments, data):
    plan, known = moments[0].plan, results_of(moments)
    again = list(compare(plan, data, known))
    assert [moment.result for moment in again] == known


def test_the_process_ends_with_the_comparison(monkeypatch, data):
    begun = []
    popen = subprocess.Popen

    def watched(*arguments, **named):
        begun.append(popen(*arguments, **named))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", watched)
    config = ComparisonConfig(methods=("dti-kmeans",), k=3, budget=600.0)
    steps = compare(plan_comparison(config, data), data)
    next(steps)
    steps.close()
    assert begun[0].poll() is not None


def test_a_process_that_dies_is_reported_as_an_error(task):
    with Helper() as helper:
        helper.begin("dti-kmeans", replace(task, budget=600.0))
        helper._process.kill()
        with pytest.raises(EngineError, match=ENDED):
            helper.wait(MAX_WAIT_S)


def test_exported_rows_and_rows_on_the_screen_have_the_same_numbers(moments):
    result = results_of(moments)[0]
    row, words = to_row(result), to_screen_row(result)
    assert list(row)[:6] == ["method", "seconds", "acc", "nmi", "ari", "clusters"]
    assert words["ACC [%]"] == 100 * row["acc"]
    assert words["method"] == "K-means"


@pytest.mark.parametrize("name", [name for name in SWEPT if name not in ROTATED])
def test_images_of_a_sweep_are_the_same_at_strength_0_and_differ_at_the_maximum(name):
    config = SweepConfig(sweep=name, copies=3)
    steps = SweepPlan(config, ComparisonConfig()).steps
    same, other = (make_set(config, strength, 0).images for strength in (steps[0], steps[-1]))
    assert torch.allclose(same[0], same[1], atol=1e-5)
    assert (other[0] - other[1]).abs().max() > 0.2
    assert len(same) == len(other) == 9


def test_the_file_contains_the_comparison_and_the_sweeps(moments):
    plan, results = moments[0].plan, tuple(results_of(moments))
    swept = SweepPlan(SweepConfig(), ComparisonConfig(methods=("kmeans", "ia-se2")))
    again = unpack_comparison(
        pack_comparison(PrecomputedComparison(plan, results, ((swept, {0: results}),)))
    )
    assert again.plan == plan
    assert again.sweeps[0][0] == swept
    for one, other in zip(results, again.results, strict=True):
        assert to_row(one) == to_row(other)
        assert one.assignments.tolist() == other.assignments.tolist()
        np.testing.assert_allclose(one.centres, other.centres, atol=1 / 255)
    assert [to_row(result) for result in again.sweeps[0][1][0]] == [to_row(r) for r in results]
