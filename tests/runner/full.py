"""Runs all tests and prints one summary: python -m tests.runner.full.

The longest files run first, so that no worker waits for another at the end.
"""

import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ia_engine.runs.tables.pause import hold_lock
from tests.runner.parts import ROOT, Outcome, Part, run, seconds_of_files, summarise

RECORDED: Final = ROOT / ".pytest_cache" / "file-seconds.json"
COMMITTED: Final = Path(__file__).with_name("file-seconds.json")

BROWSER: Final = "tests/browser"
WORKERS_WITH_BROWSER: Final = ("--numprocesses", "3")
"""A browser test spends a third of its time waiting, so three workers keep two cores busy."""
ONE_THREAD: Final = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Environment variables that limit child processes to one thread, as conftest.py limits torch. With
more threads than cores, they take up to four times the CPU time, because idle threads spin. Most
rows of `make test-matrix` use the default number of threads.
"""
COMMON: Final = (
    *("--numprocesses", "2", "--dist", "loadscope", "--no-loadscope-reorder"),
    *("--max-worker-restart", "0"),  # a crash ends pytest; another process runs the rest
    "--continue-on-collection-errors",
)


def durations() -> Path:
    """The file with the duration of every test file: from the last local run or, without one, as
    committed.
    """
    return RECORDED if RECORDED.exists() else COMMITTED


def without_browser() -> tuple[str, ...]:
    """Arguments that select all tests without a browser."""
    return (*COMMON, "tests", "--ignore", BROWSER)


def all_tests() -> Part:
    order = f"--longest-first={durations()}"
    arguments = (*COMMON, *WORKERS_WITH_BROWSER, order, "tests")
    return Part("all tests", arguments, environment=ONE_THREAD)


def report(outcomes: Sequence[Outcome]) -> int:
    """Print the summary; the exit code is 1 if anything failed."""
    print(*summarise(outcomes), sep="\n", flush=True)
    return int(any(one.failures for one in outcomes))


def run_all(parts: Sequence[Part]) -> list[Outcome]:
    """The outcomes of all parts, even if some of them fail."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # this also ends the part in progress
    outcomes = []
    for part in parts:
        print(f"\n##### {part.name}", flush=True)
        outcomes.append(run(part))
    return outcomes


def record(outcomes: Sequence[Outcome]) -> None:
    """Store the durations of a complete run for the next run and for `make quick`."""
    RECORDED.parent.mkdir(exist_ok=True)
    seconds = json.dumps(seconds_of_files(outcomes), indent=1)
    RECORDED.write_text(seconds + "\n", "utf-8")


def main() -> int:
    with hold_lock():  # `make tables` pauses meanwhile
        outcomes = run_all([all_tests()])
    if not any(one.problems for one in outcomes):
        record(outcomes)
    return report(outcomes)


if __name__ == "__main__":
    sys.exit(main())
