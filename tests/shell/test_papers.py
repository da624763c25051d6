"""`papers`: a line for every entry, also for what cannot be computed here."""

import json

import numpy as np
import pytest

KEYS = ["id", "paper", "ours", "seconds"]


@pytest.fixture(autouse=True)
def no_files(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_CACHE", str(tmp_path))
    monkeypatch.delenv("IA_DATA", raising=False)


def test_a_line_has_these_keys_and_named_figures(shell, tmp_path):
    out = tmp_path / "papers.npz"
    argv = ("--only", "ia-figure-2,gcnn-figure-4", "--budget", 1, "--out", out, "--json")
    ended = shell("papers", *argv)
    assert ended.code == 0
    rows = [json.loads(line) for line in ended.out]
    assert [row["id"] for row in rows] == ["ia-figure-2", "gcnn-figure-4"]
    assert all(list(row) == KEYS for row in rows)
    assert rows[0]["paper"] == {"iterations to collapse": 4}
    assert rows[0]["paper"].keys() <= rows[0]["ours"].keys()
    assert rows[0]["seconds"] > 0
    with np.load(out) as kept:
        assert kept["ia-figure-2.0.points"].shape == (3, 120, 2)


def test_what_cannot_be_computed_has_a_line_and_a_reason(shell):
    only = "ia-figure-2,dti-figure-1c,dti-figure-3b"
    ended = shell("papers", "--only", only, "--json")
    assert ended.code == 0
    rows = [json.loads(line) for line in ended.out]
    assert [row["seconds"] is None for row in rows] == [False, True, True]
    assert (rows[1]["paper"], rows[1]["ours"]) == ({}, {})
    said = " ".join(ended.err)
    assert "Instagram" in said
    assert "florence_cathedral.npz" in said


def test_images_of_ones_own_take_the_place_of_missing_ones(shell, tmp_path):
    path = tmp_path / "photos.npz"
    np.savez(path, images=np.random.default_rng(0).integers(0, 255, (24, 32, 32, 3), np.uint8))
    argv = ("--only", "dti-figure-3b", "--data", path, "--budget", 0.3, "--json")
    ended = shell("papers", *argv)
    assert ended.code == 0
    assert any("your images" in name for name in json.loads(ended.out[0])["ours"])


def test_a_budget_is_shared_among_all(shell):
    argv = ("--only", "gcnn-figure-1,dti-figure-1b", "--budget", 1.5, "--json")
    rows = [json.loads(line) for line in shell("papers", *argv).out]
    assert sum(row["seconds"] for row in rows) < 15
