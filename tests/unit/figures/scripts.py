"""Runs an exported script as somebody would who has the project."""

import os
import subprocess
import sys
from pathlib import Path

from tests.waits import MAX_WAIT_S

ROOT = Path(__file__).parents[3]


def run_script(content, tmp_path):
    """The lines that it prints."""
    path = tmp_path / "again.py"
    path.write_bytes(content)
    ended = subprocess.run(
        [sys.executable, str(path)],
        check=True,
        capture_output=True,
        text=True,
        timeout=MAX_WAIT_S,
        # As many threads as the tests: another order of the same sums may end in another local top.
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
    )
    return ended.stdout.splitlines()
