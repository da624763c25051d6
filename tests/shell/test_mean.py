"""`mean`: its exit codes, and its keys and arrays, which may be added to but not changed."""

import json

import numpy as np
import pytest

from ia_engine.attention.means.algorithm1 import find_mean
from ia_engine.shell import mean

KEYS = ["step", "iteration", "seconds", "objective", "sigma"]


def rows(ended):
    assert ended.code == 0
    return [json.loads(line) for line in ended.out]


@pytest.mark.parametrize("solver", ["global", "descent"])
def test_there_is_a_line_for_the_initial_mean_and_for_every_step(shell, npz, solver):
    ended = shell("mean", "--data", npz, "--solver", solver, "--steps", 3, "--json")
    assert [list(row) for row in rows(ended)] == [KEYS] * 4
    assert [(row["step"], row["iteration"]) for row in rows(ended)] == [(k, k) for k in range(4)]
    assert all(isinstance(row[key], float) for row in rows(ended) for key in KEYS[2:])


@pytest.mark.parametrize("solver", ["global", "descent"])
def test_every_mean_and_the_last_poses_are_saved(shell, npz, tmp_path, solver):
    out = tmp_path / "x.npz"
    argv = ("--group", "affine", "--solver", solver, "--steps", 3, "--out", out, "--json")
    last = rows(shell("mean", "--data", npz, *argv))[-1]
    with np.load(out) as kept:
        assert set(kept) == {"mu", "aligned", "tau"}
        shapes = [kept[name].shape for name in ("mu", "aligned", "tau")]
        assert shapes == [(4, 1, 16, 16), (6, 1, 16, 16), (6, 6)]
        np.testing.assert_allclose(kept["aligned"].mean(0), kept["mu"][-1], atol=1e-6)
        assert last["objective"] == pytest.approx(1 - np.square(kept["mu"][-1]).sum(), abs=1e-5)


def test_the_printed_smoothing_is_constant_or_follows_the_schedule(shell, npz):
    argv = ("mean", "--data", npz, "--solver", "descent", "--steps", 5, "--json")
    constant = rows(shell(*argv, "--schedule", "constant", "--sigma", 1.5))
    assert [row["sigma"] for row in constant] == [0, *[1.5] * 5]
    annealed = rows(shell(*argv, "--schedule", "annealed"))
    assert [row["sigma"] for row in annealed] == [0, 2, 1, 0.5, 0.25, 0]


def test_finished_steps_are_saved_after_an_interruption(shell, npz, tmp_path, monkeypatch):
    out = tmp_path / "x.npz"

    def stop_after_two(config, v, weights):
        for step in find_mean(config, v, weights):
            if step.k == 2:
                raise KeyboardInterrupt
            yield step

    monkeypatch.setattr(mean, "find_mean", stop_after_two)
    ended = shell("mean", "--data", npz, "--out", out, "--json")
    assert (ended.code, len(ended.out)) == (130, 2)
    with np.load(out) as kept:
        assert len(kept["mu"]) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--solver guess", "got 'guess'"),
        ("--schedule slow", "got 'slow'"),
        ("--steps 0", "steps must be between"),
        ("--data blobs", "points, which have no poses"),
    ],
)
def test_wrong_usage_exits_with_code_2_and_prints_one_line(shell, line, message):
    ended = shell("mean", *line.split())
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert message in ended.err[0]


def test_images_that_would_not_fit_into_memory_are_refused_unless_the_solver_is_descent(
    shell, npz, monkeypatch
):
    monkeypatch.setattr("ia_engine.shell.memory._memory", lambda: 1000)
    assert shell("mean", "--data", npz).code == 2
    assert shell("mean", "--data", npz, "--solver", "descent", "--steps", 1).code == 0
