"""One thread for torch: many small operations, and other tests want the other cores."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch

torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def folder_of_runs() -> Iterator[None]:
    """Runs are kept, but not among those of whoever runs the tests."""
    os.environ["IA_RUNS"] = folder = tempfile.mkdtemp()
    yield
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def helpers():
    """Lends processes that compute comparisons; each serves many tests, unless it is interrupted.

    A new process needs three seconds of CPU time before its first result.
    """
    from ia_engine.runs.comparison.helper import Helper

    class Reused(Helper):
        busy = False

        def begin(self, name, task):
            self.busy = True
            super().begin(name, task)

        def wait(self, seconds):
            answer = super().wait(seconds)
            self.busy = answer is None
            return answer

    idle = []

    @contextmanager
    def lend():
        helper = idle.pop() if idle else Reused()
        try:
            yield helper
        finally:
            if helper.busy:
                helper._stop()
            else:
                idle.append(helper)

    yield lend
    for helper in idle:
        helper._stop()


@pytest.fixture(scope="module")
def reused_helpers(helpers):
    """Comparisons and sweeps use a process of another test; test_comparison.py starts new ones."""
    from ia_engine.runs.comparison import compare, sweep

    with pytest.MonkeyPatch.context() as patch:
        for module in (compare, sweep):
            patch.setattr(module, "Helper", helpers)
        yield


@pytest.fixture(scope="module")
def short_races():
    """Races of networks measure their errors on 40 digits, which takes most of their time."""
    from ia_engine.equivariant import race

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race, "SPLIT", 40)
        yield
