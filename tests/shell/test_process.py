"""Real processes: standard output contains only results, even after an interruption."""

import json
import signal
import subprocess
import sys

import numpy as np
import pytest

from ia_engine.runs.kinds.attention import measure_in_clusters
from ia_engine.shell import attend, interrupts
from tests.tensors import rand
from tests.waits import MAX_WAIT_S


def begin(*argv, **options):
    command = [sys.executable, "-m", "ia_engine", *map(str, argv)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.Popen(command, **pipes)


@pytest.fixture
def many(tmp_path):
    path = tmp_path / "many.npz"
    np.savez(path, images=rand(24, 24, 24).numpy())
    return path


def test_standard_output_contains_only_json(npz, tmp_path):
    out = tmp_path / "x.npz"
    with begin("attend", "--data", npz, "--json", "--steps", 2, "--out", out) as process:
        stdout, stderr = process.communicate(timeout=MAX_WAIT_S)
    assert process.returncode == 0
    assert [json.loads(line)["step"] for line in stdout.splitlines()] == [1, 2]
    assert "written to" in stderr


def test_finished_steps_are_saved_after_an_interruption(many, tmp_path):
    out = tmp_path / "x.npz"
    with begin("attend", "--data", many, "--json", "--steps", 20, "--out", out) as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, stderr = process.communicate(timeout=MAX_WAIT_S)
    assert process.returncode == 130
    assert stderr.splitlines()[-1] == "interrupted"
    steps = [json.loads(line)["step"] for line in [first, *rest.splitlines()]]
    with np.load(out) as kept:
        assert len(steps) <= len(kept["W"]) < 20
        assert len(kept["v"]) == len(kept["W"]) + 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.npz", "x.npz"]


def test_an_unknown_command_exits_with_code_2_and_prints_one_line():
    with begin("dance") as process:
        stdout, stderr = process.communicate(timeout=MAX_WAIT_S)
    assert (process.returncode, stdout, len(stderr.splitlines())) == (2, "", 1)


def test_an_interruption_takes_effect_at_the_end_of_a_protected_block():
    done = []

    def work():
        with interrupts.undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append(True)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        work()
    assert done
    assert signal.getsignal(signal.SIGINT) is before


def test_finished_steps_are_saved_after_an_interruption_in_this_process(
    shell, npz, tmp_path, monkeypatch
):
    out = tmp_path / "x.npz"

    def stop_after_two(steps, labels, k):
        for measured in measure_in_clusters(steps, labels, k):
            if measured.step.k == 3:
                raise KeyboardInterrupt
            yield measured

    monkeypatch.setattr(attend, "measure_in_clusters", stop_after_two)
    ended = shell("attend", "--data", npz, "--out", out, "--json")
    assert (ended.code, len(ended.out)) == (130, 2)
    with np.load(out) as kept:
        assert len(kept["W"]) == 2
