"""Every `RunKind` in the catalogue can compute, save, list, open and resume its runs."""

import json
from dataclasses import replace
from itertools import islice

import pytest
import torch

from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.describe import describe_saved
from ia_engine.equivariant.race import RaceConfig
from ia_engine.figures.mean import plan_mean
from ia_engine.runs.attend import plan
from ia_engine.runs.catalogue import RUN_KINDS, count_done
from ia_engine.runs.clustering.run import plan_clusters
from ia_engine.runs.comparison.config import ComparisonConfig, plan_comparison
from ia_engine.runs.comparison.sweep import SweepConfig, SweepPlan
from ia_engine.runs.differences import compare_runs, read_settings
from ia_engine.runs.kinds.kind import find_data, makes_own, read_data
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import Library
from tests.frames import assert_same_frame

pytestmark = [
    pytest.mark.cpu_only("files would be read onto the default device"),
    pytest.mark.usefixtures("reused_helpers", "short_races"),
]
METHODS = ComparisonConfig(methods=("kmeans", "ka"), k=3)
UNITS = {
    "iterations": (2, "iteration"),
    "attention": (2, "iteration"),
    "mean": (2, "iteration"),
    "comparison": (2, "result"),
    "sweep": (4, "result"),
    "race": (10, "iteration"),
}
"""Number and unit of the steps of the runs below; for clustering, it depends on the machine."""


@pytest.fixture(scope="module")
def data():
    return make(RECIPES["experiment-1"])


@pytest.fixture(scope="module")
def saved(tmp_path_factory, data):
    """Return a function that computes and saves a small run of a kind, once for all tests."""
    library, known = Library(tmp_path_factory.mktemp("runs")), {}
    attention = AttentionConfig(steps=2)
    plans = {
        "iterations": lambda: plan((attention,), data, 6),
        "attention": lambda: attention,
        "mean": lambda: plan_mean(MeanConfig(steps=2), data)[0],
        "clustering": lambda: plan_clusters(ClusterConfig(k=2, batch=9), data, 0, 0.2),
        "comparison": lambda: plan_comparison(METHODS, data),
        "sweep": lambda: SweepPlan(SweepConfig(strengths=2, copies=3), METHODS),
        "race": lambda: RaceConfig(iterations=10, digits=200),
    }

    def save(kind):
        if kind.id not in known:
            planned = plans[kind.id]()
            own = None if kind.id in ("sweep", "race") else data
            record, given = kind.begin_record("a run", planned, own)
            v = normalise(data.images)
            if kind.id == "attention":
                given = {"v": v.numpy(), "labels": data.labels.numpy()}
            work = kind.work(planned, v if kind.id == "attention" else own, None)
            destination = Destination(library, kind.id, "ann")
            known[kind.id] = list(save_items(destination, kind, lambda: (record, given), work))
        return library.find(kind.id), known[kind.id]

    return save


@pytest.mark.parametrize(
    "kind", [kind for kind in RUN_KINDS.values() if kind.saved], ids=lambda kind: kind.id
)
def test_a_run_of_any_kind_can_be_saved_listed_compared_and_opened(saved, kind):
    kept, items = saved(kind)
    assert (kept.kind, kept.state) == (kind.id, "done")
    done, unit = count_done(kept)
    assert unit == kind.unit
    assert done > 0
    assert (done, unit) == UNITS.get(kind.id, (done, unit))
    again = kind.unpack(kept)
    packed = [kind.pack(item) for item in items]
    packed = [arrays for arrays in packed if arrays is not None]
    assert len(again) == kept.steps == len(packed)
    for item, arrays in zip(again, packed, strict=True):
        assert kind.pack(item).keys() == arrays.keys()
    assert len(kind.open(kept)) == kept.steps
    lines = compare_runs([kept, kept])
    assert len(lines) > 1, "the numbers of the last step must be listed"
    assert all(line.result and line.values[0] == line.values[1] for line in lines)
    assert ("", "seed") in read_settings(kept)
    if not makes_own(kept):
        recipe, brought = find_data(kept)
        assert (recipe, brought) == (kept.record.recipe, None)
        assert read_data(kept).recipe.to_json() == recipe


@pytest.mark.parametrize(
    "kind", [kind for kind in RUN_KINDS.values() if kind.saved], ids=lambda kind: kind.id
)
def test_the_methods_paragraph_of_any_run_states_how_much_is_finished(saved, kind):
    kept, _ = saved(kind)
    done, unit = count_done(kept)
    finished, cut_off = describe_saved(kept), describe_saved(replace(kept, state="cancelled"))
    assert finished.settings[-1].value == f"{done} {unit}{'s' * (done != 1)}, done"
    assert kept.record.digest in finished.to_text()
    assert "incomplete" not in finished.to_text()
    assert f"incomplete ({done} {unit}{'s' * (done != 1)}, cancelled)." in cut_off.to_markdown()


@pytest.mark.parametrize(
    "kind", [kind for kind in RUN_KINDS.values() if kind.resumable], ids=lambda kind: kind.id
)
def test_the_plan_of_a_resumable_run_can_be_restored(saved, kind):
    kept, _ = saved(kind)
    items = kind.open(kept)
    rest = kind.resume(items)
    assert rest.repeated in (0, len(items))
    item = items[-1]
    plan = item.config if kind.id == "race" else item.plan
    done = {"done": rest.plan.done} if kind.id == "clustering" else {}
    describe = RUN_KINDS["iterations" if kind.id == "attention" else kind.id].describe
    assert describe(rest.plan) == describe(replace(plan, **done))


def test_only_means_cannot_be_resumed():
    assert [kind.id for kind in RUN_KINDS.values() if kind.saved and not kind.resumable] == ["mean"]


def test_the_ids_of_kinds_are_those_of_saved_runs():
    assert [kind.id for kind in RUN_KINDS.values() if kind.saved] == [
        "iterations", "attention", "mean", "clustering", "comparison", "sweep", "race",
    ]  # fmt: skip
    assert all(name == kind.id for name, kind in RUN_KINDS.items())
    assert len({kind.title for kind in RUN_KINDS.values()}) == len(RUN_KINDS)


def test_a_run_from_the_command_line_opens_and_continues_as_an_iterations_run(saved, data):
    kept, steps = saved(RUN_KINDS["attention"])
    items = RUN_KINDS["attention"].open(kept)
    assert [item.shown["ia"].numbers.p for item in items] == [0, 1]
    for item, step in zip(items, steps, strict=True):
        assert torch.equal(item.shown["ia"].mu, step.mu)
        assert item.shown["ia"].numbers.ari is not None
    iterations = RUN_KINDS["iterations"]
    rest = iterations.resume(items)
    whole = list(iterations.work(rest.plan, data, rest.start))
    alone = list(iterations.work(rest.plan, data, None))
    assert len(whole) == len(alone) == 3
    for one, other in zip(whole, alone, strict=True):
        assert_same_frame(one.shown["ia"].frame, other.shown["ia"].frame)


@pytest.mark.parametrize("source", ["a part of the data", "a file"])
def test_a_run_from_the_command_line_contains_its_images_if_no_recipe_generates_them(
    tmp_path, data, source
):
    kind, config = RUN_KINDS["attention"], AttentionConfig(steps=1)
    few = data.first(6)
    record, _ = kind.begin_record("a run", config, few)
    if source == "a file":
        changed = json.dumps({"source": "file", "config": {"name": "mine.npz"}})
        record = type(record)(**{**vars(record), "recipe": changed})
    v = normalise(few.images)
    destination = Destination(Library(tmp_path), "part", "")
    items = kind.work(config, v, None)
    list(save_items(destination, kind, lambda: (record, {"v": v.numpy()}), islice(items, 1)))
    kept = destination.library.find("part")
    recipe, brought = find_data(kept)
    assert json.loads(recipe)["source"] == "upload"
    assert brought.digest == read_data(kept).digest
    torch.testing.assert_close(normalise(brought.images), v)
    (item,) = kind.open(kept)
    assert item.plan.recipe == recipe
    assert item.plan.size == item.plan.total == 6
