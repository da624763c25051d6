"""Runs an exported script in a new process, as a user of the project would.

The process is forked from a server that has imported the libraries, because importing them takes
most of the time of a short script.
"""

import os
import runpy
import sys
from multiprocessing import get_context
from types import ModuleType
from unittest.mock import patch

import torch

from tests.waits import MAX_WAIT_S

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["torch", "kornia", "scipy.optimize", "sklearn.cluster"])


def run_script(content, tmp_path):
    """Run a script and return the lines that it prints."""
    script, printed = tmp_path / "again.py", tmp_path / "printed"
    script.write_bytes(content)
    process = PROCESSES.Process(target=_run, args=(str(script), str(printed)))
    # The new process would import the main module, which AppTest replaces by the script of an app.
    with patch.dict(sys.modules, __main__=ModuleType("__main__")):
        process.start()
    process.join(MAX_WAIT_S)
    process.kill()
    text = printed.read_text("utf-8")
    assert process.exitcode == 0, text
    return text.splitlines()


def _run(script, printed):
    """Run a script in this process; everything that it prints, and its errors, go to a file."""
    output = os.open(printed, os.O_WRONLY | os.O_CREAT)
    for standard in (sys.stdout, sys.stderr):
        os.dup2(output, standard.fileno())
    # Use as many threads as the tests, because the order of sums may change the optimum that is
    # found.
    torch.set_num_threads(1)
    runpy.run_path(script, run_name="__main__")
