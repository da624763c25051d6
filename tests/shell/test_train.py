"""`train`: its keys, resumed runs and exit codes."""

import json

import numpy as np
import pytest

from ia_engine.equivariant.checkpoint import load_network
from ia_engine.equivariant.splits import load_original
from ia_engine.equivariant.training import train as train_steps
from ia_engine.shell import splitting, train

KEYS = ["iteration", "seconds", "loss", "validation_error", "test_error"]
ARGV = ("--network", "z2", "--batch", 4, "--every", 2, "--json")


@pytest.fixture
def many(tmp_path):
    path = tmp_path / "many.npz"
    images = np.zeros((40, 28, 28), np.float32)
    images[::2, 5:20, 10:14] = images[1::2, 10:18, 8:20] = 1
    np.savez(path, images=images, labels=np.arange(40) % 2)
    return path


def rows(ended):
    assert ended.code == 0, ended.err
    return [json.loads(line) for line in ended.out]


def test_there_is_a_line_for_every_validation_and_only_the_last_contains_the_test_error(
    shell, many, tmp_path
):
    out = tmp_path / "x.npz"
    found = rows(shell("train", "--data", many, *ARGV, "--iterations", 5, "--out", out))
    assert all(list(row) == KEYS for row in found)
    assert [row["iteration"] for row in found] == [2, 4, 5]
    assert [row["test_error"] is None for row in found] == [True, True, False]
    with np.load(out) as kept:
        assert set(kept) == set(KEYS)
        assert len(kept["loss"]) == 5


def test_a_budget_replaces_the_number_of_iterations(shell, many):
    found = rows(shell("train", "--data", many, *ARGV, "--budget", 0.3))
    assert 0.3 <= found[-1]["seconds"] < 5
    assert found[-1]["test_error"] is not None


def test_a_run_resumed_from_a_checkpoint_prints_the_remaining_lines(shell, many, tmp_path):
    whole = rows(shell("train", "--data", many, *ARGV, "--iterations", 6))
    kept = tmp_path / "run.safetensors"

    def stop(*arguments, ranks):
        for step in train_steps(*arguments, ranks=ranks):
            if step.iteration == 5:
                raise KeyboardInterrupt
            yield step

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train, "train", stop)
        argv = ("--iterations", 6, "--checkpoint", kept)
        assert shell("train", "--data", many, *ARGV, *argv).code == 130
    rest = rows(shell("train", "--data", many, *ARGV, "--iterations", 6, "--resume", kept))
    for name in ("iteration", "loss", "validation_error", "test_error"):
        assert [row[name] for row in rest] == [row[name] for row in whole[2:]]


def test_the_network_is_saved_with_its_record(shell, many, tmp_path):
    path = tmp_path / "net.safetensors"
    found = rows(shell("train", "--data", many, *ARGV, "--iterations", 2, "--save", path))
    record = load_network(path).record
    assert (record.network, record.iterations) == ("z2", 2)
    assert record.test_error == pytest.approx(found[-1]["test_error"])
    assert record.command.startswith("python -m ia_engine train --data")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--network p6", "got 'p6'"),
        ("--budget 0", "--budget must be above 0 seconds"),
        ("--budget 3 --iterations 3", "cannot be used together"),
        ("--recipe best", "best"),
        ("--batch 1", "batch must be between"),
        ("--resume nowhere", "does not exist"),
    ],
)
def test_wrong_usage_exits_with_code_2_and_prints_one_line(shell, line, message):
    ended = shell("train", *line.split())
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert message in ended.err[0]


@pytest.mark.parametrize("option", ["--save", "--checkpoint"])
def test_paths_of_output_files_are_checked_before_any_work(shell, option, monkeypatch, tmp_path):
    monkeypatch.setattr(train, "load_splits", None)  # any work would raise an exception
    for place in ("nowhere/x.safetensors", "."):
        ended = shell("train", *ARGV, option, tmp_path / place)
        assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
        assert f"{option} must" in ended.err[0]


@pytest.mark.parametrize("option", ["--save", "--checkpoint"])
def test_a_full_disk_is_reported_in_one_message(shell, many, option, monkeypatch, tmp_path):
    def fail(*_):
        raise OSError(28, "No space left on device")

    for saver in ("save_network", "save_checkpoint"):
        monkeypatch.setattr(train, saver, fail)
    argv = ("--iterations", 2, option, tmp_path / "x.safetensors")
    ended = shell("train", "--data", many, *ARGV, *argv)
    assert ended.code == 2
    assert "could not be written (No space left on device)" in ended.err[-1]


def test_a_limit_applies_to_each_split_of_a_folder(shell, many, tmp_path):
    for name in ("train", "validation", "test"):
        with np.load(many) as file:
            images, labels = (255 * file["images"]).astype(np.uint8), file["labels"]
            np.savez(tmp_path / f"{name}.npz", images=images, labels=labels)
    argv = ("--data", tmp_path, *ARGV, "--iterations", 1, "--limit", 5)
    ended = shell("train", *argv)
    assert ended.code == 0, ended.err
    assert "the first 5 of each: 5 for training, 5 for validation, 5 for testing" in ended.err[0]


def test_a_limit_applies_to_each_split_of_the_original_files(shell, monkeypatch, tmp_path):
    monkeypatch.setattr(splitting, "load_original", lambda folder: load_original(folder, 6))
    lines = np.arange(14)[:, None] % 2 * np.ones(785)
    for name in ("train_valid", "test"):
        np.savetxt(tmp_path / f"mnist_all_rotation_normalized_float_{name}.amat", lines, "%d")
    ended = shell("train", "--data", tmp_path, *ARGV, "--iterations", 1, "--limit", 5)
    assert ended.code == 0, ended.err
    assert "5 for training, 5 for validation, 5 for testing" in ended.err[0]
