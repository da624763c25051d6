"""A process ends without waiting for its jobs."""

import subprocess
import sys

import pytest

from tests.waits import MAX_WAIT_S

PROCESS = """
import torch
from ia_engine.runs.job import Jobs

def endless():
    a = torch.rand(64, 64)
    while True:
        for _ in range({inner}):
            a = (a @ a).tanh()
        yield a.sum()

job = Jobs(1).submit("ann", "endless", endless, 10)
while not ({begun}):
    job.wait(0.01)
print("end")
"""


@pytest.mark.cpu_only("another process has its own default device")
@pytest.mark.parametrize(
    ("inner", "begun"),
    [(100, "job.history"), (10**9, "job.started")],
    ids=["short steps", "an endless step"],
)
def test_the_process_ends_without_waiting_for_jobs(inner, begun):
    code = PROCESS.format(inner=inner, begun=begun)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=MAX_WAIT_S, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "end", "")
