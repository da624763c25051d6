"""No finished step or run is lost if processes are killed or share a folder."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from ia_engine.runs.library import Library
from tests.waits import MAX_WAIT_S

pytestmark = pytest.mark.cpu_only("another process has its own default device")


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "runs")


COMPUTE = """
import os, sys, torch
from pathlib import Path
from ia_engine.attention.iteration import AttentionConfig, iterate
from ia_engine.runs.kinds.attention import ATTENTION, resume_steps
from ia_engine.runs.kinds.saving import write_items
from ia_engine.runs.library import Library
from ia_engine.runs.folder import Record

torch.set_num_threads(1)
library = Library(Path(sys.argv[1]))
config = AttentionConfig(method="ka", steps=8)
record = Record("{}", config.to_json(), 0, "", "cpu", "")
v = torch.rand(40, 1, 24, 24, generator=torch.Generator().manual_seed(0)) / 24

def compute(run):
    if run:
        steps = resume_steps(library, run, torch.device("cpu"))
    else:
        writer = library.begin(ATTENTION.id, record, {"v": v.numpy()})
        steps = write_items(writer, ATTENTION, iterate(config, v))
    for step in steps:
        pass

for line in sys.stdin:
    child = os.fork()
    if not child:
        compute(line.strip())
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture
def computer(library):
    """Return a function that computes a run in a child process, which is quick to start and to
    kill.
    """
    command = [sys.executable, "-c", COMPUTE, str(library.folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:

        def compute(run="", kill=None):
            known = set(os.listdir(library.folder)) if library.folder.exists() else set()
            print(run, file=process.stdin, flush=True)
            child = int(process.stdout.readline())
            if kill is not None:
                wait_for(library.folder, known, kill[0])
                time.sleep(kill[1])
                with contextlib.suppress(ProcessLookupError):  # the child had already ended
                    os.kill(child, signal.SIGKILL)
            return int(process.stdout.readline())

        yield compute
        process.stdin.close()


def wait_for(folder, known, step):
    """Wait until the new run has this many steps."""
    until = time.monotonic() + MAX_WAIT_S
    while time.monotonic() < until:
        new = [path for path in folder.glob("[0-9]*") if path.name not in known]
        if new and len(list(new[0].glob("step-*"))) >= step:
            return
    raise AssertionError(f"no run has reached step {step}")


def test_runs_killed_at_fifty_moments_keep_every_finished_step_and_end_bit_identical(
    library, computer
):
    assert computer() == 0
    expected = [library.runs()[0].arrays(k)["mu"] for k in range(1, 9)]
    moments, found = random.Random(0), []
    for _ in range(50):
        computer(kill=(moments.randrange(8), moments.uniform(0, 0.01)))
        assert library.unreadable() == {}
        kept = library.runs()[0]
        found.append(kept.steps)
        for k in range(1, kept.steps + 1):
            np.testing.assert_array_equal(kept.arrays(k)["mu"], expected[k - 1])
        if kept.state == "done":  # the child was killed before the run began or after it ended
            continue
        assert kept.state == "interrupted"
        assert computer(kept.id) == 0
        ended = library.open(kept.id)
        assert (ended.state, ended.steps) == ("done", 8)
        for k in range(1, 9):
            np.testing.assert_array_equal(ended.arrays(k)["mu"], expected[k - 1])
    assert len(set(found)) > 3  # the moments must be spread over the run


WRITE = """
import sys
from pathlib import Path
import numpy as np
from ia_engine.runs.library import Library
from ia_engine.runs.folder import Record

library = Library(Path(sys.argv[1]))
for k in range(100):
    writer = library.begin("mean", Record("{}", "{}", k, "", "cpu", sys.argv[2]), {})
    writer.append({"mu": np.full(3, k)})
    writer.end("done")
    assert library.unreadable() == {}
"""


def test_two_processes_that_share_a_folder_lose_no_run(library):
    command = [sys.executable, "-c", WRITE, str(library.folder)]
    both = [subprocess.Popen([*command, name]) for name in ("ann", "bob")]
    assert [process.wait(timeout=MAX_WAIT_S) for process in both] == [0, 0]
    found = {(kept.record.title, kept.record.seed, kept.steps) for kept in library.runs()}
    assert found == {(name, k, 1) for name in ("ann", "bob") for k in range(100)}
