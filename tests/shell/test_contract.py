"""Keys, arrays and exit codes on which users' scripts rely; they may be added to but not
changed.
"""

import json

import numpy as np
import pytest

KEYS = {
    "data": ["n", "channels", "height", "width", "classes", "digest", "recipe"],
    "align": ["n", "pairs", "seconds", "d2_within", "d2_between", "compared"],
    "attend": [
        "step", "iteration", "seconds", "beta", "d2_within", "d2_between", "block_mass",
        "contraction",
        "clusters", "ari", "nmi", "acc", "compared",
    ],
}  # fmt: skip
NEED_LABELS = {"d2_within", "d2_between", "block_mass", "ari", "nmi", "acc", "classes"}


@pytest.mark.parametrize("command", KEYS)
def test_a_line_has_the_documented_keys_in_the_documented_order(shell, npz, command):
    ended = shell(command, "--data", npz, "--json")
    assert ended.code == 0
    for line in ended.out:
        assert list(json.loads(line)) == KEYS[command]
        nulls = {key for key, value in json.loads(line).items() if value is None}
        assert nulls <= {"contraction"}


@pytest.mark.parametrize("command", KEYS)
def test_without_labels_the_values_that_need_them_are_null(shell, unlabelled, command):
    line = json.loads(shell(command, "--data", unlabelled, "--json").out[0])
    assert list(line) == KEYS[command]
    nulls = {key for key, value in line.items() if value is None}
    assert nulls - {"contraction"} == NEED_LABELS & line.keys()


def test_the_data_command_prints_its_counts_and_its_source(shell, npz):
    line = json.loads(shell("data", "--data", npz, "--json").out[0])
    assert [line[key] for key in KEYS["data"][:5]] == [6, 1, 16, 16, 2]
    assert len(line["digest"]) == 64
    scale = {"kind": "float32", "scale": "stack", "low": 0.0, "high": 1.0, "alpha": 1.0}
    assert line["recipe"] == {"source": "file", "config": {"name": "drawings.npz", **scale}}


def test_saved_data_equal_the_input_and_can_be_read_again(shell, npz, drawings, tmp_path):
    out = tmp_path / "again.npz"
    first = shell("data", "--data", npz, "--out", out, "--json")
    with np.load(out) as kept:
        np.testing.assert_array_equal(kept["images"], drawings)
        assert kept["labels"].tolist() == [3, 3, 3, 7, 7, 7]
        assert "poses" not in kept
    again = shell("data", "--data", out, "--json")
    assert json.loads(again.out[0])["digest"] == json.loads(first.out[0])["digest"]


def test_saved_generated_images_include_their_true_poses(shell, tmp_path):
    out = tmp_path / "x.npz"
    assert shell("data", "--data", "experiment-1", "--limit", 5, "--out", out).code == 0
    with np.load(out) as kept:
        assert kept["images"].shape == (5, 64, 64)
        assert kept["poses"].shape == (5, 3)


def test_the_align_command_saves_distances_and_poses_of_all_pairs(shell, npz, tmp_path):
    out = tmp_path / "x.npz"
    argv = ("--data", npz, "--group", "se2", "--solver", "global", "--out", out, "--json")
    line = json.loads(shell("align", *argv).out[0])
    assert (line["n"], line["pairs"]) == (6, 15)
    assert line["d2_within"] < 1e-4 < line["d2_between"]
    with np.load(out) as kept:
        assert (kept["d2"].shape, kept["tau"].shape) == ((6, 6), (6, 6, 3))


@pytest.mark.parametrize("method", ["ia", "ka"])
def test_the_attend_command_saves_every_step_and_the_last_assignments(shell, npz, tmp_path, method):
    out = tmp_path / "x.npz"
    ended = shell("attend", "--data", npz, "--method", method, "--steps", 3, "--out", out, "--json")
    rows = [json.loads(line) for line in ended.out]
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert rows[0]["contraction"] is None
    assert (rows[-1]["clusters"], rows[-1]["ari"], rows[-1]["acc"]) == (2, 1.0, 1.0)
    with np.load(out) as kept:
        assert kept["v"].shape == (4, 6, 1, 16, 16)
        assert kept["W"].shape == kept["d2"].shape == (3, 6, 6)
        np.testing.assert_allclose(kept["W"].sum(1), 1, rtol=1e-5)
        np.testing.assert_allclose(np.square(kept["v"][0]).sum((1, 2, 3)), 1, rtol=1e-5)
        assert kept["assignments"].tolist() == [0, 0, 0, 1, 1, 1]


def test_points_work_with_kernel_attention_and_have_no_channels(shell, tmp_path):
    out = tmp_path / "x.npz"
    line = json.loads(shell("data", "--data", "blobs", "--out", out, "--json").out[0])
    assert [line[key] for key in KEYS["data"][:5]] == [120, None, None, None, 3]
    with np.load(out) as kept:
        assert (kept["points"].shape, kept["labels"].shape) == ((120, 2), (120,))
    ended = shell("attend", "--data", "blobs", "--method", "ka", "--steps", 2, "--out", out)
    assert ended.code == 0
    with np.load(out) as kept:
        assert kept["v"].shape == (3, 120, 2)


def test_the_same_seed_gives_the_same_data_and_another_seed_gives_other_data(shell):
    def digest(seed):
        ended = shell("data", "--data", "blobs", "--seed", seed, "--json")
        return json.loads(ended.out[0])["digest"]

    assert digest(1) == digest(1) != digest(2)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_attend_command_returns_the_given_number_of_clusters(shell, tmp_path, k):
    out = tmp_path / "x.npz"
    argv = ("--data", "blobs", "--method", "ka", "--steps", 2, "--k", k, "--out", out)
    rows = [json.loads(line) for line in shell("attend", *argv, "--json").out]
    assert [row["clusters"] for row in rows] == [k, k]
    with np.load(out) as kept:
        assert len(set(kept["assignments"].tolist())) == k


@pytest.mark.parametrize("schedule", ["constant", "annealed", "greedy"])
def test_the_align_command_descends_with_every_schedule(shell, npz, schedule):
    argv = ("--solver", "descent", "--schedule", schedule, "--updates", 5, "--rate", 0.5)
    line = json.loads(shell("align", "--data", npz, *argv, "--json").out[0])
    assert line["d2_within"] == pytest.approx(0, abs=1e-5)
    assert line["d2_between"] > 0.1


@pytest.mark.parametrize("solver", ["global", "descent"])
def test_the_attend_command_accepts_both_solvers(shell, npz, solver):
    argv = ("--solver", solver, "--schedule", "annealed", "--updates", 5, "--steps", 2)
    rows = shell("attend", "--data", npz, *argv, "--json").out
    assert [json.loads(row)["clusters"] for row in rows] == [2, 2]


@pytest.mark.parametrize("kernel", ["rbf", "laplace", "softmax", "cauchy", "epanechnikov"])
@pytest.mark.parametrize("bandwidth", ["fixed", "local", "quantile", "theorem", "topk"])
def test_the_attend_command_prints_the_effective_beta(shell, npz, tmp_path, kernel, bandwidth):
    out = tmp_path / "x.npz"
    rule = ("--bandwidth", bandwidth, "--neighbours", 4, "--quantile", 0.9, "--constant", 2)
    argv = ("--method", "ka", "--kernel", kernel, "--beta", 3, "--steps", 1, *rule)
    line = json.loads(shell("attend", "--data", npz, *argv, "--out", out, "--json").out[0])
    with np.load(out) as kept:
        far = kept["d2"].max()
    punished = {"laplace": far**0.5, "softmax": far / 2}.get(kernel, far)
    wanted = {"local": 1 / punished, "quantile": 1 / punished, "theorem": 2 / punished}
    assert line["beta"] == pytest.approx(wanted.get(bandwidth, 3), rel=1e-4)


@pytest.mark.parametrize("command", ["align", "attend"])
def test_only_the_nearest_pairs_are_compared_and_the_command_prints_their_share(
    shell, npz, tmp_path, command
):
    out = tmp_path / "x.npz"
    argv = ("--data", npz, "--pairs", "nearest", "--nearest", 2, "--out", out, "--json")
    ended = shell(command, *argv)
    assert json.loads(ended.out[0])["compared"] == pytest.approx(0.4)
    if command == "attend":
        assert any("40.0 % of the pairs" in line for line in ended.err)
        assert json.loads(ended.out[-1])["ari"] == 1
    else:
        with np.load(out) as kept:
            assert kept["rough"].sum() == 18


def test_comparing_only_nearest_pairs_requires_the_global_solver(shell, npz):
    ended = shell("attend", "--data", npz, "--pairs", "nearest", "--solver", "descent")
    assert ended.code == 2
    assert "solver must be 'global'" in ended.err[-1]
