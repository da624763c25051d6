"""Runs the checks and the tests closest to the changes, within a minute: python -m
tests.runner.quick.

A file has changed if it differs from HEAD, or from the revision that BASE names. Test files are
ordered by the number of imports between them and a changed file. Files that do not fit into the
minute are listed at the end, as are all browser tests.
"""

import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from tests.runner.full import BROWSER, COMMON, durations, report
from tests.runner.imports import Dependencies, list_files
from tests.runner.parts import ROOT, Outcome, Part, Result, run
from tests.runner.plugin import file_of

LAST_START_S: Final = 40
"""Time after which no test is started."""
LIMIT_S: Final = 52
"""Time at which everything that is still running is stopped, so that the total stays within a
minute.
"""
BUDGET_S: Final = 40
"""Maximum total of the recorded seconds of the selected test files."""
UNKNOWN_S: Final = 4.0
"""Estimate for a test file that has no recorded duration."""
NAMED: Final = 3
"""Maximum number of unfinished tests of one file that are listed; if there are more, they are only
counted.
"""
CHECKS: Final = {
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "mypy": ("mypy",),
    "lint-imports": ("lint-imports",),
    "bundles": ("python", "-m", "assets.check_bundles"),
}


def changed_files(root: Path, base: str) -> set[str]:
    """Files that differ from a revision, including deleted and new ones."""
    command = ["git", "diff", "--name-only", "--no-renames", "-z", base, "--"]
    listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    others = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    new = subprocess.run(others, cwd=root, capture_output=True, check=True).stdout
    return {name for name in (listed + new).decode().split("\0") if name}


def is_test(name: str) -> bool:
    path = PurePosixPath(name)
    return path.parts[0] == "tests" and path.name.startswith("test_") and path.suffix == ".py"


def mirrors(test: str, changed: Iterable[str]) -> bool:
    """True if a test is named after a changed module, or after the page that it belongs to.

    tests/unit/a/test_b.py mirrors ia_engine/a/b.py; tests/app/test_b.py mirrors pages/_ui/b/c.py.
    """
    path = PurePosixPath(test)
    inner = "/".join([*path.parts[2:-1], path.stem.removeprefix("test_")])
    ours = (f"ia_engine/{inner}.py", f"pages/{inner}.py", f"pages/_ui/{inner}/")
    return any(name.startswith(ours) for name in changed)


@dataclass(frozen=True)
class Choice:
    """The test files to run, closest first, and those that are left out, with the reason."""

    run: tuple[str, ...]
    left_out: Mapping[str, tuple[str, ...]]


def choose(changed: set[str], dependencies: Dependencies, seconds: Mapping[str, float]) -> Choice:
    """Select test files, closest to the change first, until their recorded seconds fill the
    budget.
    """
    distance = dependencies.distances(changed)

    def estimate(test: str) -> float:
        return seconds.get(test, UNKNOWN_S)

    def closeness(test: str) -> tuple[int, bool, float, str]:
        return distance[test], not mirrors(test, changed), estimate(test), test

    chosen: list[str] = []
    left_out: dict[str, list[str]] = defaultdict(list)
    total = 0.0
    affected = filter(lambda name: is_test(name) and name in dependencies.files, distance)
    for test in sorted(affected, key=closeness):
        if test.startswith(f"{BROWSER}/"):
            left_out["need a browser"].append(test)
        elif chosen and total + estimate(test) > BUDGET_S:
            left_out["exceed the minute"].append(test)
        else:
            chosen.append(test)
            total += estimate(test)
    if untested := sorted(name for name in changed if not reaches_test(name, dependencies)):
        left_out["no test depends on them"] = untested
    return Choice(tuple(chosen), {reason: tuple(names) for reason, names in left_out.items()})


def reaches_test(name: str, dependencies: Dependencies) -> bool:
    return any(map(is_test, dependencies.distances([name])))


def run_checks(until: float) -> Outcome:
    """Run the checks in order; a check that does not finish in time is left out."""
    outcome = Outcome("checks")
    began = time.monotonic()
    for name, command in CHECKS.items():
        outcome.collected.add(name)
        if time.time() >= until:
            continue
        start = time.monotonic()
        program = str(Path(sys.executable).with_name(command[0]))
        try:
            done = subprocess.run(
                (program, *command[1:]),
                cwd=ROOT,
                timeout=until - time.time(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
        except subprocess.TimeoutExpired:
            continue
        if done.returncode:
            print(f"{name} failed:", done.stdout, sep="\n", flush=True)
        state = "failed" if done.returncode else "passed"
        outcome.tests[name] = Result(state, time.monotonic() - start)
    outcome.seconds = time.monotonic() - began
    return outcome


def run_tests(files: Sequence[str], began: float) -> Outcome:
    """Run as many tests of these files as finish in time."""
    stop_at = f"--stop-at={began + LAST_START_S}"
    outcome = Outcome("tests")
    if files:
        part = Part("tests", (*COMMON, "-q", "--no-header", stop_at, *files))
        outcome = run(part, began + LIMIT_S - time.time(), attempts=1)
    outcome.stopped = False  # unfinished tests are left out
    return outcome


def unfinished(outcome: Outcome) -> list[str]:
    """The selected tests that did not finish in time; for a file with many, only their number."""
    ended = {name for name, test in outcome.tests.items() if test.outcome != "running"}
    files: dict[str, list[str]] = defaultdict(list)
    for name in sorted(outcome.collected - ended):
        files[file_of(name)].append(name)
    return [
        line
        for file, names in files.items()
        for line in (names if len(names) <= NAMED else [f"{file} ({len(names)} tests)"])
    ]


def format_left_out(reason: str, names: Iterable[str]) -> list[str]:
    """Group the names by folder, so that long lists stay readable."""
    folders: dict[str, list[str]] = defaultdict(list)
    for name in names:
        file, _, test = name.partition("::")
        folder, _, last = file.rpartition("/")
        folders[folder or "."].append(f"{last}::{test}" if test else last)
    lines = [f"    {folder}: {', '.join(files)}" for folder, files in sorted(folders.items())]
    return [f"  {reason}:", *lines]


def main() -> int:
    began = time.time()
    base = os.environ.get("BASE") or "HEAD"
    changed = changed_files(ROOT, base)
    print(f"{len(changed)} files differ from {base}: {', '.join(sorted(changed)[:10])}", flush=True)
    with ThreadPoolExecutor(1) as pool:
        checking = pool.submit(run_checks, began + LIMIT_S)
        dependencies = Dependencies(ROOT, list_files(ROOT) | changed)
        choice = choose(changed, dependencies, json.loads(durations().read_text("utf-8")))
        tests = run_tests(choice.run, began)
        checks = checking.result()
    left_out = {
        **choice.left_out,
        "not finished in time": [*unfinished(checks), *unfinished(tests)],
        "not collected in time": [] if tests.collected else choice.run,
    }
    if any(left_out.values()):
        print("\nLeft out (make check and make test run everything):")
    for reason, names in left_out.items():
        if names:
            print(*format_left_out(reason, names), sep="\n")
    code = report([checks, tests])
    if choice.run and not tests.tests:
        print("No test ran within the minute: run make test.")
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
