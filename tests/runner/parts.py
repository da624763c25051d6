"""Runs parts of the suite as pytest processes and summarises all failures."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.runner.plugin import file_of

ROOT = Path(__file__).parents[2]
LIMIT_S = 40 * 60
"""Time limit of a part; a part that runs longer is stuck."""
SLOWEST = 20
ATTEMPTS = 10
"""Maximum number of pytest processes of one part; all except the last ended early."""
RAN = ("running", "teardown")
"""A test has passed when its last phase has passed."""
EXPECTED = (1, 2)
"""Exit codes of pytest if tests failed or a worker crashed."""
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
CODES = {2: "interrupted", 3: "internal error", 4: "wrong arguments", 5: "no tests found"}


@dataclass(frozen=True)
class Part:
    """One pytest process: its arguments, interpreter, folder and environment variables."""

    name: str
    arguments: tuple[str, ...]
    python: str = sys.executable
    folder: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """The reports of one test, or of a file that could not be collected."""

    outcome: str = "running"
    seconds: float = 0.0
    reason: str = ""

    def add(self, report):
        self.seconds += report["seconds"]
        if report["outcome"] != "passed" or (self.outcome, report["phase"]) == RAN:
            rank = ("running", "passed", "skipped", "failed").index
            self.outcome = max(self.outcome, report["outcome"], key=rank)
        label = {"setup": "in setup: ", "teardown": "in teardown: "}.get(report["phase"], "")
        if report["phase"] == "collect":
            label = "cannot be collected: "
        self.reason = self.reason or (report["reason"] and label + report["reason"])


@dataclass
class Outcome:
    """The reports of a part, and the problems that do not belong to a single test."""

    name: str
    seconds: float = 0.0
    tests: dict[str, Result] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    collected: set[str] = field(default_factory=set)
    stopped: bool = False
    """True if the part was stopped at its time limit."""

    def add(self, lines: Sequence[str], code: int | None) -> None:
        """Add the record of a pytest process and its exit code, which is None if it was stopped."""
        ended = False
        failed = 0
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:  # the process was killed while it wrote this line
                break
            match entry["event"]:
                case "collected":
                    self.collected.update(entry["tests"])
                case "start":
                    self.tests[entry["test"]] = Result()
                case "report":
                    self.tests.setdefault(entry["test"], Result()).add(entry)
                    failed += entry["outcome"] == "failed"
                case "end":
                    ended = True
        if code is None:
            self.stopped = True
            return
        if problem := _describe(code, ended, failed):
            self.problems.append(f"part {self.name!r}: {problem}")
        for test in map(self.tests.get, self.having("running")):
            test.outcome, test.reason = (
                "failed",
                f"was running when {problem or 'its worker ended'}",
            )

    def having(self, outcome: str) -> list[str]:
        return [name for name, test in self.tests.items() if test.outcome == outcome]

    @property
    def failures(self) -> list[str]:
        """One line for each failed test, then one for each problem."""
        stopped = self.having("running") if self.stopped else []
        return [
            *(f"{name}  {self.tests[name].reason}".rstrip() for name in self.having("failed")),
            *(f"{name}  was running at the time limit" for name in stopped),
            *([f"part {self.name!r}: stopped at its time limit"] if self.stopped else []),
            *self.problems,
        ]

    @property
    def counts(self) -> str:
        return format_counts([self])


def run(part: Part, limit: float = LIMIT_S, attempts: int = ATTEMPTS) -> Outcome:
    """Run a part, print its output, and end all of its processes.

    If pytest or one of its workers ends early, another pytest process runs the remaining tests.
    """
    with tempfile.TemporaryDirectory() as folder:
        outcome = Outcome(part.name)
        remaining: set[str] = set()
        for attempt in range(attempts):
            record, selected = (Path(folder) / f"{name}-{attempt}" for name in ("record", "only"))
            selected.write_text("\n".join(remaining), "utf-8")
            arguments = ["-p", "tests.runner.plugin", f"--record={record}", *part.arguments]
            arguments += [f"--only={selected}"] if attempt else []
            began = time.monotonic()
            code = _run_pytest(part, arguments, limit - outcome.seconds)
            outcome.seconds += time.monotonic() - began
            outcome.add(record.read_text("utf-8").splitlines() if record.exists() else [], code)
            before, remaining = remaining, outcome.collected - outcome.tests.keys()
            if not remaining or code is None or remaining == before:
                break
    if attempts > 1 and remaining:
        outcome.problems += [f"{test}  did not run" for test in sorted(remaining)]
    return outcome


def _run_pytest(part: Part, arguments: Sequence[str], limit: float) -> int | None:
    """The exit code of pytest, or None if it took longer than the limit."""
    # Keep compiled files; otherwise, every worker and server would compile the project.
    known = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    process = subprocess.Popen(
        (part.python, "-m", "pytest", *arguments),
        cwd=part.folder,
        env={**known, **part.environment},
        start_new_session=True,
    )
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end_group(process)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads its session, and all remaining children."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # the group may be empty
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _describe(code: int, ended: bool, failed: int) -> str:
    """Why a pytest process ended early, or "" if it did not."""
    if code < 0:
        return f"pytest was killed by {signal.Signals(-code).name}"
    if ended and (code == 0 or (failed and code in EXPECTED)):
        return ""
    return f"pytest ended with code {code} ({CODES.get(code, 'unknown')})"


def format_counts(outcomes: Sequence[Outcome]) -> str:
    """N passed, N failed, N skipped: the line that continuous integration reads."""
    passed, skipped = (
        sum(len(one.having(outcome)) for one in outcomes) for outcome in ("passed", "skipped")
    )
    failed = sum(len(one.failures) for one in outcomes)
    return f"{passed} passed, {failed} failed, {skipped} skipped"


def summarise(outcomes: Sequence[Outcome]) -> list[str]:
    """Lines with the wall time of each part, the slowest tests, all failures, and the counts."""
    lines = ["", "=" * 30 + " summary " + "=" * 30]
    lines += [f"{one.seconds:8.1f} s  {one.name}: {one.counts}" for one in outcomes]
    timed = [(test.seconds, name) for one in outcomes for name, test in one.tests.items()]
    if timed:
        lines += ["", f"Slowest {min(SLOWEST, len(timed))} tests:"]
        lines += [
            f"{seconds:8.1f} s  {name}" for seconds, name in sorted(timed)[: -SLOWEST - 1 : -1]
        ]
    for one in filter(lambda one: one.failures, outcomes):
        lines += ["", f"Failed in {one.name}:", *(f"  {failure}" for failure in one.failures)]
    return [*lines, "", format_counts(outcomes)]


def seconds_of_files(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Total duration of the tests of each file."""
    seconds: dict[str, float] = defaultdict(float)
    for one in outcomes:
        for name, test in one.tests.items():
            seconds[file_of(name)] += test.seconds
    return {name: round(value, 1) for name, value in sorted(seconds.items())}
