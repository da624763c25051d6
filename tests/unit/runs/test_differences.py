"""Differences between saved runs: only settings that differ, with their units, and every result."""

import json
from dataclasses import replace

import numpy as np
import pytest

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.recipes import RECIPES
from ia_engine.runs.differences import compare_runs
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.kind import ABSENT
from ia_engine.runs.library import Library

MEAN = MeanConfig(steps=2)
STORED = MEAN.to_json()
DIGITS = RECIPES["digits"].to_json()


@pytest.fixture
def begin(tmp_path):
    """Return a function that saves a run without steps."""

    def begin(config=STORED, kind="mean", recipe=DIGITS, digest="d" * 64, **record):
        library = Library(tmp_path)
        about = Record(recipe, config, record.pop("seed", 0), digest, "cpu", "a run", **record)
        given = {"v": np.zeros(1, np.float32)} if kind == "attention" else {}
        writer = library.begin(kind, about, given)
        writer.end("done")
        return library.open(writer.id)

    return begin


def find(lines):
    return {line.name: line for line in lines}


def test_a_setting_that_differs_has_its_range_and_its_value_with_the_unit(begin):
    runs = [begin(replace(MEAN, sigma=sigma).to_json()) for sigma in (0.5, 2.0, 2.0)]
    (sigma, *results) = compare_runs(runs)
    assert (sigma.name, sigma.values) == ("sigma", ("0.5 px", "2 px", "2 px"))
    assert sigma.about.symbol == "σ"
    assert [line.name for line in results] == ["computed"]


def test_equal_runs_have_no_differences_but_their_results(begin):
    lines = compare_runs([begin(), begin()])
    assert [(line.name, line.values) for line in lines] == [
        ("computed", ("0 iterations, done",) * 2)
    ]


def test_settings_of_the_data_are_compared_only_if_both_sets_have_the_same_source(begin):
    fewer = json.loads(DIGITS)
    fewer["config"]["count"] = 7
    other = begin(recipe=json.dumps(fewer), digest="e" * 64)
    lines = find(compare_runs([begin(), other]))
    assert lines["count"].of == lines["digest"].of == "data"
    assert lines["count"].values[1] == "7"
    assert "source" not in lines
    blobs = begin(recipe=RECIPES["blobs"].to_json(), digest="f" * 64)
    lines = find(compare_runs([begin(), blobs]))
    assert lines["source"].values == ("digits", "blobs")
    assert "count" not in lines


def test_a_setting_that_a_run_does_not_store_has_no_value(begin):
    stored = json.loads(STORED)
    del stored["group"]
    line = find(compare_runs([begin(), begin(json.dumps(stored))]))["group"]
    assert line.values == (MEAN.group, ABSENT)


def test_settings_that_this_version_does_not_know_are_listed_as_they_are_stored(begin):
    stored = json.loads(STORED) | {"warmth": 3}
    assert find(compare_runs([begin(), begin(json.dumps(stored))]))["warmth"].values == (
        ABSENT,
        "3",
    )


def test_runs_of_different_kinds_are_compared_by_kind(begin):
    lines = find(compare_runs([begin(), begin("{}", kind="a kind of the future")]))
    assert lines["kind"].values == ("Mean", "a kind of the future")
    assert "sigma" not in lines, "runs of the other kind have no σ"


def test_seeds_and_versions_are_compared(begin):
    runs = [begin(), begin(seed=7, versions={"torch": "1.0"})]
    lines = find(compare_runs(runs))
    assert lines["seed"].values == ("0", "7")
    assert lines["version of torch"].values[1] == "1.0"


def test_a_very_long_value_is_truncated(begin):
    stored = json.loads(STORED) | {"warmth": "x" * 100_000}
    assert len(find(compare_runs([begin(), begin(json.dumps(stored))]))["warmth"].values[1]) == 200
