"""Runs the tests in a copy of the project to which one item of each kind is added.

python -m tests.extend                          all tests that need no browser
python -m tests.extend tests/property           only these files and folders
python -m tests.extend tests/unit -k=zoom       with options of pytest
"""

import argparse
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.extensions import EXTENSIONS
from tests.runner.full import durations, report, without_browser
from tests.runner.matrix import copy_project
from tests.runner.parts import ATTEMPTS, ROOT, Part, run

FOLDER: Final = "extended"
ALONE: Final = ("-p", "no:xdist")


def extend(folder: Path) -> None:
    """Add the file of each item and its entry in a catalogue, as CONTRIBUTING.md describes."""
    for extension in EXTENSIONS:
        (folder / extension.path).write_text(extension.text, "utf-8")
        catalogue = folder / extension.catalogue
        catalogue.write_text(extension.enter(catalogue.read_text("utf-8")), "utf-8")
        print(f"{extension.path}: {extension.entry} in {extension.table} of {extension.catalogue}")


def arguments_of(paths: Sequence[str]) -> tuple[str, ...]:
    """The arguments of pytest: these files and folders, or all tests that need no browser."""
    if paths:
        return (*ALONE, *paths)
    return (*without_browser(), f"--longest-first={durations()}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", help="test files and folders; all by default")
    chosen, options = parser.parse_known_args()  # the others are options of pytest
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # this also ends pytest
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, FOLDER)
        copy_project(ROOT, copy)
        extend(copy)
        arguments = (*arguments_of(chosen.paths), *options)
        attempts = 1 if options else ATTEMPTS  # options may deselect tests
        return report([run(Part("extended", arguments, folder=copy), attempts=attempts)])


if __name__ == "__main__":
    sys.exit(main())
