"""One thread for torch: many small operations, and other tests want the other cores."""

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest
import torch

torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def folder_of_runs() -> Iterator[None]:
    """Runs are kept, but not among those of whoever runs the tests."""
    os.environ["IA_RUNS"] = folder = tempfile.mkdtemp()
    yield
    shutil.rmtree(folder, ignore_errors=True)
