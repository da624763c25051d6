"""Fixtures for all tests. Torch uses one thread, because its operations are small and other tests
use the other cores.
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import torch

torch.set_num_threads(1)


def pytest_collection_finish() -> None:
    """Exclude the modules and the collected tests from garbage collection, which would visit half a
    million objects each time.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def folder_of_runs() -> Iterator[None]:
    """Save runs in a temporary folder, not among those of the user who runs the tests.

    The processes of runs have normal priority, because tests wait for them while other workers are
    busy.
    """
    os.environ["IA_RUNS"] = folder = tempfile.mkdtemp()
    os.environ["IA_NICENESS"] = "0"
    yield
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def helpers():
    """Lend tests the processes that compute comparisons, and reuse each one unless it was
    interrupted.

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
    """Let comparisons and sweeps reuse processes of earlier tests."""
    from ia_engine.runs.comparison import compare, sweep

    with pytest.MonkeyPatch.context() as patch:
        for module in (compare, sweep):
            patch.setattr(module, "Helper", helpers)
        yield


@pytest.fixture(scope="module")
def short_races():
    """Let races of networks use batches of 32 digits and measure their errors on only 40 digits,
    which saves most of the time.
    """
    from ia_engine.equivariant import race

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race, "SPLIT", 40)
        patch.setitem(race.RECIPES, "quick", replace(race.RECIPES["quick"], batch=32))
        yield
