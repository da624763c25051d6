"""`papers`: one line for each entry, including those that cannot be computed here."""

import json

import numpy as np
import pytest
from PIL import Image

from ia_engine.runs.papers.entry import DEFINITIONS, VERDICTS

KEYS = [
    "id", "paper", "ours", "seconds", "verdict", "seeds", "schedule", "spread", "paper_spread",
    "least_loss",
]  # fmt: skip


@pytest.fixture(autouse=True)
def no_files(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_CACHE", str(tmp_path))
    monkeypatch.delenv("IA_DATA", raising=False)


def test_a_line_has_the_documented_keys_and_its_values_are_named(shell, tmp_path):
    out = tmp_path / "papers.npz"
    argv = ("--only", "ia-figure-2,gcnn-figure-4", "--budget", 1, "--out", out, "--json")
    ended = shell("papers", *argv)
    assert ended.code == 0
    rows = [json.loads(line) for line in ended.out]
    assert [row["id"] for row in rows] == ["ia-figure-2", "gcnn-figure-4"]
    assert all(list(row) == KEYS for row in rows)
    assert rows[0]["paper"] == {"iterations until the points are at the means of their blobs": 4}
    assert rows[0]["paper"].keys() <= rows[0]["ours"].keys()
    assert rows[0]["seconds"] > 0
    assert rows[0]["verdict"] in VERDICTS
    with np.load(out) as kept:
        assert kept["ia-figure-2.0.points"].shape == (3, 120, 2)


def test_an_entry_that_cannot_be_computed_has_a_line_with_the_reason(shell):
    only = "ia-figure-2,dti-figure-1c,dti-figure-3b"
    ended = shell("papers", "--only", only, "--json")
    assert ended.code == 0
    rows = [json.loads(line) for line in ended.out]
    assert [row["seconds"] is None for row in rows] == [False, True, True]
    assert (rows[1]["paper"], rows[1]["ours"]) == ({}, {})
    said = " ".join(ended.err)
    assert "Instagram" in said
    assert "florence_cathedral.npz" in said


def test_images_of_the_user_replace_missing_data(shell, tmp_path):
    path = tmp_path / "photos.npz"
    np.savez(path, images=np.random.default_rng(0).integers(0, 255, (24, 32, 32, 3), np.uint8))
    argv = ("--only", "dti-figure-3b", "--data", path, "--budget", 0.3, "--json")
    ended = shell("papers", *argv)
    assert ended.code == 0
    assert any("your images" in name for name in json.loads(ended.out[0])["ours"])


def test_a_budget_limits_the_total_time_of_all_entries(shell):
    argv = ("--only", "gcnn-figure-1,dti-figure-1b", "--budget", 1.5, "--json")
    rows = [json.loads(line) for line in shell("papers", *argv).out]
    assert sum(row["seconds"] for row in rows) < 15


def test_figures_are_written_as_png(shell, tmp_path):
    folder = tmp_path / "new" / "figures"
    ended = shell("papers", "--only", "ia-figure-2,gcnn-figure-4", "--png", folder, "--json")
    assert ended.code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert "ia-figure-2-1.png" in names
    assert any(name.startswith("gcnn-figure-4-") for name in names)
    for name in names:
        with Image.open(folder / name) as picture:
            assert (picture.format, picture.mode) == ("PNG", "RGB")
            assert len(picture.getcolors(1 << 24)) > 1, "the figure must not be blank"
    assert f"written to {folder}" in " ".join(ended.err)


def test_figures_are_not_written_if_their_folder_is_a_file(shell, tmp_path):
    path = tmp_path / "taken"
    path.write_text("")
    for place in (path, path / "below"):
        ended = shell("papers", "--only", "ia-figure-2", "--png", place)
        assert ended.code == 2
        assert "--png needs a folder that exists or can be created" in " ".join(ended.err)
        assert not ended.out, "nothing may be computed"


def test_the_help_text_defines_every_verdict(shell):
    text = " ".join(shell("papers", "--help").out)
    for verdict, definition in DEFINITIONS.items():
        assert f"**{verdict}**: {definition}" in text
