"""Runs an exported script as a user of the project would."""

import os
import subprocess
import sys
from pathlib import Path

from tests.waits import MAX_WAIT_S

ROOT = Path(__file__).parents[3]


def run_script(content, tmp_path):
    """Run a script and return the lines that it prints."""
    path = tmp_path / "again.py"
    path.write_bytes(content)
    ended = subprocess.run(
        [sys.executable, str(path)],
        check=True,
        capture_output=True,
        text=True,
        timeout=MAX_WAIT_S,
        # Use as many threads as the tests, because the order of sums may change the optimum that is
        # found.
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
    )
    return ended.stdout.splitlines()
