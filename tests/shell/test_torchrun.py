"""Under torchrun, commands print once, give one result, and keep finished blocks if a rank dies."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ia_engine.shell.main import main
from tests.tensors import rand
from tests.waits import MAX_WAIT_S, wait_until

TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]


@pytest.fixture
def torchrun():
    """Return a function that starts a command in two processes, which are ended after the test."""
    started = []

    def begin(*argv):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        command = [*TORCHRUN, "-m", "ia_engine", *map(str, argv)]
        started.append(subprocess.Popen(command, start_new_session=True, **pipes))
        return started[-1]

    yield begin
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A file with enough images for many blocks of pairs, and the results of a single process."""
    folder = tmp_path_factory.mktemp("many")
    images, aligned = folder / "images.npz", folder / "aligned.npz"
    np.savez(images, images=rand(200, 14, 14).numpy())
    assert main(["align", "--data", str(images), "--out", str(aligned)]) == 0
    return images, aligned


def ours(name, stderr):
    """The messages of the program itself, without those of torchrun."""
    return [line for line in stderr.splitlines() if line.startswith(f"{name}: ")]


def find_rank(parent, rank):
    """The process of this rank, among the children of torchrun."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text("utf-8").split()
    for child in children:
        if f"\0RANK={rank}\0".encode() in Path(f"/proc/{child}/environ").read_bytes():
            return int(child)
    raise AssertionError(f"no process of rank {rank}")


def wait_for_a_block(folder, process):
    wait_until(lambda: list(folder.glob("[!.]*")) or process.poll() is not None, "a finished block")
    assert process.poll() is None, "the ranks ended before the test could end one"


def test_two_ranks_print_once_and_write_the_result_of_one_process(torchrun, shell, npz, tmp_path):
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    process = torchrun("align", "--data", npz, "--out", two, "--json")
    alone = shell("align", "--data", npz, "--out", one, "--json")
    stdout, stderr = process.communicate(timeout=MAX_WAIT_S)
    assert process.returncode == 0, stderr
    (row,), (expected,) = (list(map(json.loads, x)) for x in (stdout.splitlines(), alone.out))
    assert row.keys() == expected.keys()
    assert row["pairs"] == expected["pairs"]
    with np.load(one) as a, np.load(two) as b:
        np.testing.assert_allclose(b["d2"], a["d2"], atol=1e-5, rtol=0)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "drawings.npz",
        "one.npz",
        "two.npz",
    ]


def test_two_ranks_with_invalid_arguments_print_one_error(torchrun):
    process = torchrun("mean", "--data", "experiment-1")
    stdout, stderr = process.communicate(timeout=MAX_WAIT_S)
    assert process.returncode != 0
    assert stdout == ""
    (line,) = ours("mean", stderr)
    assert "without torchrun" in line


def test_a_process_reports_that_its_other_ranks_are_missing(shell, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delenv("RANK", raising=False)
    ended = shell("align")
    assert ended.code == 2
    (line,) = ended.err
    assert "RANK" in line
    assert "start them with torchrun" in line


@pytest.mark.parametrize("rank", [0, 1])
def test_if_a_rank_dies_the_run_ends_and_finished_blocks_are_kept(
    torchrun, shell, many, tmp_path, rank
):
    images, whole = many
    blocks, out = tmp_path / "blocks", tmp_path / "x.npz"
    argv = ["align", "--data", images, "--blocks", blocks, "--out", out]
    process = torchrun(*argv)
    wait_for_a_block(blocks, process)
    os.kill(find_rank(process.pid, rank), signal.SIGKILL)
    _, stderr = process.communicate(timeout=MAX_WAIT_S)
    assert process.returncode != 0
    (line,) = ours("align", stderr)
    assert "another process of this run has ended" in line
    assert not out.exists()
    finished = {path: path.stat().st_mtime_ns for path in blocks.glob("[!.]*")}
    assert finished
    resumed = shell(*argv)
    assert resumed.code == 0
    assert any(f"{len(finished)} of " in line for line in resumed.err)
    assert finished.items() <= {p: p.stat().st_mtime_ns for p in blocks.glob("[!.]*")}.items()
    with np.load(out) as a, np.load(whole) as b:
        np.testing.assert_array_equal(a["d2"], b["d2"])
        np.testing.assert_array_equal(a["tau"], b["tau"])
