"""Tests many mutated uploads and URLs: `python -m tests.fuzz [SEED]` exits with 1 if any fails."""

import os
import sys
import tempfile

import torch

from tests.fuzz import uploads, urls

UPLOADS = 2000
URLS = 1000


def main(seed: int = 0) -> int:
    """Print one line per failure, and the counts."""
    torch.set_num_threads(1)
    os.environ.pop("IA_DATA", None)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["IA_RUNS"] = os.environ["IA_CACHE"] = folder
        for name, run, count in (("uploads", uploads.run, UPLOADS), ("URLs", urls.run, URLS)):
            found = run(count, seed)
            print(
                *found, f"{count:,} {name}, seed {seed}: {len(found)} failed", sep="\n", flush=True
            )
            failures += found
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(*(int(text) for text in sys.argv[1:2])))
