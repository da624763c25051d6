"""One run reports every failure: of tests, collection, workers and whole processes."""

import json
import os
import re
import subprocess
import sys

import pytest

from ia_engine.runs.comparison.helper import ALONE
from tests.runner.full import COMMON, all_tests, report
from tests.runner.parts import ROOT, Outcome, Part, Result, run, seconds_of_files, summarise
from tests.runner.plugin import TOGETHER, scope_of
from tests.waits import wait_until

FILES = {
    "test_good.py": "def test_holds(): pass\n",
    "test_bad.py": "def test_fails(): assert 1 == 2\ndef test_holds_beside_it(): pass\n",
    "test_crash.py": "import os\ndef test_crashes(): os._exit(1)\ndef test_after_it(): pass\n",
    "test_broken.py": "import there_is_no_such_module\n",
    "test_skipped.py": "import pytest\ndef test_waits(): pytest.skip('not here')\n",
    "test_setup.py": (
        "import pytest\n"
        "@pytest.fixture\ndef broken():\n    raise OSError('no disk')\n"
        "@pytest.fixture\ndef untidy():\n    yield\n    raise OSError('not closed')\n"
        "def test_needs_setup(broken): pass\n"
        "def test_leaves_a_mess(untidy): pass\n"
    ),
}


@pytest.fixture
def suite(tmp_path):
    """Return a function that runs the named files as a suite in a separate folder."""

    def run_suite(*names, limit=60, attempts=9, arguments=(), **others):
        files = {name: FILES[name] for name in names} | others
        for name, text in files.items():
            (tmp_path / f"{name.removesuffix('.py')}.py").write_text(text, "utf-8")
        (tmp_path / "pytest.ini").write_text(
            "[pytest]\naddopts = -p xdist -p no:cacheprovider\nmarkers = timed\n", "utf-8"
        )
        environment = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return run(
            Part("fake", arguments, folder=tmp_path, environment=environment), limit, attempts
        )

    return run_suite


def test_one_run_names_failures_of_every_kind(suite, capfd):
    outcome = suite(*FILES, arguments=COMMON)
    capfd.readouterr()
    assert report([outcome]) == 1
    summary = capfd.readouterr().out
    failed = summary[summary.index("Failed in") :]
    for name in (
        "test_bad.py::test_fails",
        "test_crash.py::test_crashes",
        "test_broken.py",
        "test_setup.py::test_needs_setup  in setup: OSError: no disk",
        "test_setup.py::test_leaves_a_mess  in teardown: OSError: not closed",
    ):
        assert name in failed
    assert "there_is_no_such_module" in failed
    assert summary.splitlines()[-1] == "3 passed, 5 failed, 1 skipped"


def test_a_suite_that_passes_ends_with_code_0(suite, capfd):
    outcome = suite("test_good.py", "test_skipped.py")
    assert report([outcome]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "1 passed, 0 failed, 1 skipped"


def test_a_failure_in_the_first_part_does_not_hide_the_second(suite, capfd):
    outcomes = [suite("test_bad.py"), suite("test_setup.py", arguments=("test_setup.py",))]
    assert report(outcomes) == 1
    output = capfd.readouterr().out
    assert "test_bad.py::test_fails" in output[output.index("Failed in") :]
    assert "test_setup.py::test_needs_setup" in output[output.index("Failed in") :]
    assert output.splitlines()[-1] == "1 passed, 3 failed, 0 skipped"


def test_if_pytest_is_killed_the_running_test_is_named_and_the_other_tests_run(suite):
    text = "import os, signal\ndef test_ends_all(): os.kill(os.getpid(), signal.SIGKILL)\n"
    outcome = suite("test_good.py", test_killer=text, arguments=("test_killer.py", "test_good.py"))
    assert outcome.failures == [
        "test_killer.py::test_ends_all  was running when pytest was killed by SIGKILL",
        "part 'fake': pytest was killed by SIGKILL",
    ]
    assert outcome.having("passed") == ["test_good.py::test_holds"]


def test_compiled_files_are_kept_even_if_an_environment_variable_forbids_this(suite, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    text = "import sys\ndef test_kept(): assert not sys.dont_write_bytecode\n"
    assert suite(test_bytecode=text).failures == []


def test_a_part_that_hangs_is_stopped_and_leaves_no_process(suite, tmp_path, monkeypatch):
    wait = subprocess.Popen.wait

    def reach_limit(process, timeout=None):
        """Simulate reaching the time limit once the test has started its child."""
        if timeout is None:
            return wait(process)
        wait_until(lambda: child.exists() and child.read_text(), "the child of the test")
        raise subprocess.TimeoutExpired(process.args, timeout)

    text = (
        "import pathlib, subprocess, sys\n"
        "def test_hangs():\n"
        "    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        "    pathlib.Path('child').write_text(str(child.pid))\n"
        "    child.wait()\n"
    )
    child = tmp_path / "child"
    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "wait", reach_limit)
        outcome = suite(test_stuck=text)
    assert outcome.failures == [
        "test_stuck.py::test_hangs  was running at the time limit",
        "part 'fake': stopped at its time limit",
    ]
    command = ["ps", "-o", "stat=", "-p", child.read_text()]

    def has_ended():
        """True if the process is gone or a zombie; a killed process may take a moment to end."""
        state = subprocess.run(command, capture_output=True, text=True, check=False)
        return state.stdout.strip()[:1] in ("", "Z")

    wait_until(has_ended, "the end of the child")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [(("--no-such-option",), "wrong arguments"), (("-k", "nothing"), "no tests found")],
)
def test_a_part_that_runs_no_test_counts_as_failed(suite, arguments, problem):
    outcome = suite("test_good.py", arguments=arguments)
    assert [problem in failure for failure in outcome.failures] == [True]
    assert report([outcome]) == 1


def test_the_summary_contains_the_wall_time_of_each_part_and_the_slowest_tests(suite):
    lines = summarise([suite("test_good.py")])
    assert any(re.search(r"\d s  fake: 1 passed, 0 failed, 0 skipped", line) for line in lines)
    assert any(re.search(r"\d s  test_good.py::test_holds$", line) for line in lines)


def test_the_longest_file_runs_first_and_the_duration_of_unknown_files_is_estimated(
    suite, tmp_path, capfd
):
    seconds = tmp_path / "seconds.json"
    seconds.write_text(json.dumps({"test_good.py": 9.5, "test_bad.py": 0.1}), "utf-8")
    suite(
        "test_bad.py",
        "test_good.py",
        "test_setup.py",
        arguments=("-v", f"--longest-first={seconds}"),
    )
    ran = re.findall(r"^(test_\w+)\.py::", capfd.readouterr().out, re.MULTILINE)
    assert list(dict.fromkeys(ran)) == ["test_good", "test_setup", "test_bad"]


@pytest.mark.parametrize("prefix", TOGETHER)
def test_files_that_share_a_server_or_a_cache_are_one_piece_of_work(prefix):
    files = [path.relative_to(ROOT).as_posix() for path in ROOT.glob(f"{prefix}*.py")]
    assert len(files) > 2
    assert {scope_of(f"{file}::test_it[a]") for file in files} == {prefix}
    assert scope_of("tests/unit/test_ties.py::test_it[a::b]") == "tests/unit/test_ties.py"


def test_libraries_in_child_processes_of_all_tests_use_one_thread():
    given = all_tests().environment
    assert {given[name] for name in ALONE} == {"1"}


def test_the_shuffled_order_depends_on_the_seed_and_keeps_files_together(suite, capfd):
    many = {f"test_{k}": "".join(f"def test_{i}(): pass\n" for i in range(4)) for k in range(5)}

    def order(seed):
        suite(**many, arguments=("-v", "--shuffle", str(seed)))
        return re.findall(r"^(test_\d)\.py::(test_\d) ", capfd.readouterr().out, re.MULTILINE)

    first = order(1)
    assert len(first) == 20
    assert first == order(1)
    assert first != order(2)
    assert first != sorted(first)
    assert [name for name, _ in first[::4]] == list(dict.fromkeys(name for name, _ in first))


def test_no_test_begins_after_the_deadline(suite):
    outcome = suite("test_good.py", "test_bad.py", arguments=("--stop-at", "1"), attempts=1)
    assert not outcome.tests
    assert len(outcome.collected) == 3
    assert not outcome.failures


def test_tests_that_did_not_run_count_as_failed(suite):
    outcome = suite("test_good.py", arguments=("--stop-at", "1"))
    assert outcome.failures == ["test_good.py::test_holds  did not run"]


def test_the_duration_of_a_file_is_the_sum_of_the_durations_of_its_tests():
    tests = {f"test_a.py::test_{k}": Result("passed", 1.5 * k) for k in (1, 2)}
    outcomes = [Outcome("one", tests=tests), Outcome("two", tests={"test_b.py::test_1": Result()})]
    assert seconds_of_files(outcomes) == {"test_a.py": 4.5, "test_b.py": 0.0}


def test_without_its_options_the_plugin_does_not_change_the_order_of_the_tests(suite, tmp_path):
    suite("test_good.py", "test_bad.py")
    command = [sys.executable, "-m", "pytest", "-p", "tests.runner.plugin", "--co", "-q", "."]
    with_plugin = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert with_plugin.stdout.splitlines()[:3] == [
        "test_bad.py::test_fails",
        "test_bad.py::test_holds_beside_it",
        "test_good.py::test_holds",
    ]


def test_a_record_with_an_incomplete_last_line_is_read_up_to_that_line():
    """A process that is killed while it writes leaves an incomplete line."""
    lines = [
        '{"event": "collected", "tests": ["a.py::one", "a.py::two"]}',
        '{"event": "start", "test": "a.py::one"}',
        '{"event": "report", "test": "a.py::o',
    ]
    outcome = Outcome("part")
    outcome.add(lines, -9)
    assert outcome.collected == {"a.py::one", "a.py::two"}
    assert outcome.having("failed") == ["a.py::one"]
    assert outcome.problems == ["part 'part': pytest was killed by SIGKILL"]
