"""The pytest plugin of the test commands: it records reports, orders tests, distributes files over
workers, and stops at a deadline.

It is loaded with `-p tests.runner.plugin`, and changes nothing unless one of its options is given.
"""

import json
import locale
import random
import time
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

TOGETHER = ("tests/browser/test_player_", "tests/unit/runs/test_claims_")
"""Files whose names begin in the same way run in one worker: they share a server, or computations
that are cached.
"""
SECONDS_PER_TEST = 0.3
"""Estimate for a test file that has no recorded duration."""


def pytest_addoption(parser):
    group = parser.getgroup("test commands")
    group.addoption("--record", metavar="FILE", help="append every report to FILE as a JSON line")
    group.addoption(
        "--longest-first",
        metavar="FILE",
        help="JSON file with the duration of every test file in seconds",
    )
    group.addoption("--shuffle", type=int, metavar="SEED", help="random order of files and tests")
    group.addoption("--only", metavar="FILE", help="run only the tests that FILE names")
    group.addoption("--stop-at", type=float, metavar="TIME", help="Unix time; start no test later")
    group.addoption("--user-locale", action="store_true", help="use the locale of LC_ALL")


def pytest_configure(config):
    if config.getoption("user_locale"):
        locale.setlocale(locale.LC_ALL, "")
    path = config.getoption("record")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(Path(path)))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    seed, durations = config.getoption("shuffle"), config.getoption("longest_first")
    if only := config.getoption("only"):
        names = set(Path(only).read_text("utf-8").splitlines())
        items[:] = [item for item in items if item.nodeid in names]
    files = group_by_file(items)
    if seed is not None:
        items[:] = shuffled(files, seed)
    elif durations:
        items[:] = longest_first(files, json.loads(Path(durations).read_text("utf-8")))


class Distribution(LoadScopeScheduling):
    """Gives each worker whole files, and those in TOGETHER to the same worker."""

    def _split_scope(self, nodeid):
        return scope_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return Distribution(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    """True once the deadline has passed, so that no other plugin runs the test."""
    stop_at = item.config.getoption("stop_at")
    return True if stop_at and time.time() > stop_at else None


def file_of(test):
    """The file in the name of a test."""
    return test.split("::")[0]


def scope_of(test):
    """The file of a test, or the part of its name that it shares with other files."""
    shared = (prefix for prefix in TOGETHER if test.startswith(prefix))
    return next(shared, file_of(test))


def group_by_file(items):
    files = {}
    for item in items:
        files.setdefault(file_of(item.nodeid), []).append(item)
    return files


def shuffled(files, seed):
    """Keep the tests of a file together, so that module fixtures are set up once."""
    generator = random.Random(seed)
    names = sorted(files)
    generator.shuffle(names)
    return [test for name in names for test in generator.sample(files[name], len(files[name]))]


def longest_first(files, seconds):
    def estimate(name):
        return seconds.get(name, SECONDS_PER_TEST * len(files[name]))

    names = sorted(files, key=lambda name: (-estimate(name), name))
    return [test for name in names for test in files[name]]


class Recorder:
    """Writes each event immediately, so that a killed process leaves its record."""

    def __init__(self, path):
        self.file = path.open("a", encoding="utf-8")

    def write(self, event, **values):
        print(json.dumps({"event": event, **values}), file=self.file, flush=True)

    def pytest_collection_finish(self, session):
        self.write("collected", tests=[item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids):
        self.write("collected", tests=list(ids))

    def pytest_collectreport(self, report):
        if not report.passed:
            self._report(report)

    def pytest_runtest_logstart(self, nodeid):
        self.write("start", test=nodeid)

    def pytest_runtest_logreport(self, report):
        self._report(report)

    def pytest_sessionfinish(self):
        self.write("end")

    def pytest_unconfigure(self):
        self.file.close()

    def _report(self, report):
        self.write(
            "report",
            test=report.nodeid,
            phase=getattr(report, "when", "collect"),
            outcome=report.outcome,
            seconds=getattr(report, "duration", 0.0),
            reason=first_line(report) if report.failed else "",
        )


def first_line(report):
    """The message of an exception without its traceback."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else str(report.longrepr)).strip().splitlines() or [""]
    return lines[0 if crash else -1].removeprefix("E ").strip()
