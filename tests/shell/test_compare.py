"""`compare`: its exit codes, and its keys and arrays, which may be added to but not changed."""

import json

import numpy as np
import pytest

from ia_engine.runs.comparison.compare import compare as run
from ia_engine.shell import compare

pytestmark = pytest.mark.usefixtures("reused_helpers")
KEYS = ["method", "seconds", "acc", "nmi", "ari", "clusters"]
FEW = ("--methods", "kmeans,ia-se2", "--budget", 20, "--json")


def rows(ended):
    assert ended.code == 0
    return [json.loads(line) for line in ended.out]


def test_every_method_has_a_line_that_begins_with_the_documented_keys(shell, npz, tmp_path):
    out = tmp_path / "x.npz"
    found = rows(shell("compare", "--data", npz, "--k", 2, *FEW, "--out", out))
    assert [list(row)[:6] for row in found] == [KEYS, KEYS]
    assert [row["method"] for row in found] == ["kmeans", "ia-se2"]
    assert all((row["ari"], row["clusters"], row["purity"]) == (1, 2, None) for row in found)
    assert all(row["memory"] is None or row["memory"] >= 0 for row in found)
    with np.load(out) as kept:
        assert kept["centres_ia_se2"].shape == (2, 1, 16, 16)
        assert kept["assignments_kmeans"].shape == (6,)


def test_without_labels_the_values_that_need_them_are_null(shell, unlabelled):
    for row in rows(shell("compare", "--data", unlabelled, *FEW)):
        assert row["acc"] is row["nmi"] is row["ari"] is row["purity"] is None
        assert row["clusters"] >= 1


def test_finished_results_are_saved_after_an_interruption(shell, npz, tmp_path, monkeypatch):
    def stop(plan, data):
        for moment in run(plan, data):
            yield moment
            if moment.result is not None:
                raise KeyboardInterrupt

    monkeypatch.setattr(compare, "compare", stop)
    out = tmp_path / "x.npz"
    ended = shell("compare", "--data", npz, "--k", 2, *FEW, "--out", out)
    assert (ended.code, len(ended.out)) == (130, 1)
    with np.load(out) as kept:
        assert set(kept) == {"centres_kmeans", "assignments_kmeans"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--methods kmeans,magic", "got 'magic'"),
        ("--budget -1", "budget must be between"),
        ("--k 0", "--k must be at least 1"),
        ("--k 30", "lower K"),
        ("--limit 2", "--limit must be at least 4"),
        ("--data blobs", "the data for 'compare' must be images; got points"),
    ],
)
def test_wrong_usage_exits_with_code_2_and_prints_one_line(shell, line, message):
    ended = shell("compare", *line.split())
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert message in ended.err[0]


def test_the_largest_seed_that_is_legal_for_data_is_also_legal_here(shell, npz):
    argv = ("--methods", "kmeans,gmm,spectral", "--k", 2, "--budget", 20, "--json")
    assert len(rows(shell("compare", "--data", npz, *argv, "--seed", 2**31 - 1))) == 3
