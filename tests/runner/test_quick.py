"""`make quick` runs the tests closest to a change first, and names all tests that it leaves out."""

import subprocess

import pytest

from tests.runner import quick
from tests.runner.imports import Dependencies, list_files
from tests.runner.parts import ROOT, Outcome, Result
from tests.runner.quick import BUDGET_S, changed_files, choose, format_left_out, mirrors, run_checks
from tests.waits import MAX_WAIT_S

FILES = {
    "ia_engine/__init__.py": "",
    "ia_engine/__main__.py": "import ia_engine.shell.main",
    "ia_engine/base.py": "",
    "ia_engine/middle.py": "def f():\n    from ia_engine.base import x",
    "ia_engine/tools/__init__.py": "from ia_engine.base import everything",
    "ia_engine/tools/saw.py": "",
    "ia_engine/shell/__init__.py": "",
    "ia_engine/shell/main.py": "load(f'ia_engine.shell.{name}')",
    "ia_engine/shell/mean.py": "",
    "app.py": "Page('pages/mean.py')",
    "pages/mean.py": "import pages._ui.components.player",
    "pages/_ui/components/player.py": "component('ia_player', 'player')",
    "assets/bundles/player.js": "",
    "assets/bundles/film.js": "",
    "README.md": "",
    "unread.txt": "",
    "tests/conftest.py": "",
    "tests/unit/test_base.py": "from ia_engine.base import x",
    "tests/unit/test_alone.py": "from ia_engine.base import x",
    "tests/unit/test_middle.py": "import ia_engine.middle",
    "tests/unit/test_saw.py": "from ia_engine.tools import saw",
    "tests/unit/test_tools.py": "from ia_engine.tools import everything",
    "tests/unit/test_readme.py": "open('README.md')",
    "tests/shell/test_process.py": "run(python, '-m', 'ia_engine', 'mean')",
    "tests/app/test_mean.py": "open_page(ROOT / 'pages' / 'mean.py')",
    "tests/browser/test_film.py": "open_page('/mean?lesson=mean.1')",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def dependencies(project):
    return Dependencies(project, FILES)


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        (
            "ia_engine/base.py",
            {"test_alone": 1, "test_base": 1, "test_middle": 2, "test_tools": 2},
        ),
        ("ia_engine/tools/saw.py", {"test_saw": 1}),
        ("ia_engine/shell/mean.py", {"test_process": 3}),
        ("assets/bundles/player.js", {"test_mean": 3, "test_film": 3}),
        ("assets/bundles/film.js", {}),
        ("README.md", {"test_readme": 1}),
        ("tests/unit/test_saw.py", {"test_saw": 0}),
    ],
)
def test_the_distance_is_the_number_of_imports_between_a_test_and_a_changed_file(
    dependencies, changed, tests
):
    found = dependencies.distances([changed])
    names = {name.rpartition("/")[2].removesuffix(".py"): d for name, d in found.items()}
    assert {name: d for name, d in names.items() if name.startswith("test_")} == tests


def test_every_test_depends_on_the_conftest_files_of_its_folders(dependencies):
    found = dependencies.distances(["tests/conftest.py"])
    assert {name for name in FILES if quick.is_test(name)} <= found.keys()


def test_tests_named_after_the_changed_module_run_first_and_browser_tests_are_excluded(
    dependencies,
):
    assert choose({"ia_engine/base.py"}, dependencies, {}).run == (
        "tests/unit/test_base.py",
        "tests/unit/test_alone.py",
        "tests/unit/test_middle.py",
        "tests/unit/test_tools.py",
    )
    chosen = choose({"pages/_ui/components/player.py"}, dependencies, {})
    assert chosen.run == ("tests/app/test_mean.py",)
    assert chosen.left_out == {"need a browser": ("tests/browser/test_film.py",)}


def test_files_that_do_not_fit_into_the_minute_are_named_and_shorter_files_still_run(dependencies):
    seconds = {"tests/unit/test_base.py": BUDGET_S - 5, "tests/unit/test_alone.py": BUDGET_S}
    chosen = choose({"ia_engine/base.py"}, dependencies, seconds)
    assert chosen.run == ("tests/unit/test_base.py", "tests/unit/test_middle.py")
    assert chosen.left_out["exceed the minute"] == (
        "tests/unit/test_alone.py",
        "tests/unit/test_tools.py",
    )


def test_the_closest_file_runs_even_if_it_takes_longer_than_a_minute(dependencies):
    seconds = dict.fromkeys(FILES, 2.0 * BUDGET_S)
    assert choose({"ia_engine/base.py"}, dependencies, seconds).run == ("tests/unit/test_base.py",)


def test_a_changed_file_that_no_test_depends_on_is_named(dependencies):
    chosen = choose({"unread.txt", "ia_engine/middle.py"}, dependencies, {})
    assert chosen.left_out == {"no test depends on them": ("unread.txt",)}


def test_a_deleted_module_selects_the_tests_that_import_it(project):
    (project / "ia_engine/base.py").unlink()
    chosen = choose({"ia_engine/base.py"}, Dependencies(project, FILES), {})
    assert "tests/unit/test_base.py" in chosen.run


@pytest.mark.parametrize(
    ("test", "changed", "expected"),
    [
        ("tests/unit/attention/test_iteration.py", "ia_engine/attention/iteration.py", True),
        ("tests/unit/test_iteration.py", "ia_engine/attention/iteration.py", False),
        ("tests/app/test_mean.py", "pages/mean.py", True),
        ("tests/app/test_mean.py", "pages/_ui/mean/view.py", True),
        ("tests/app/test_mean.py", "pages/_ui/manifolds/view.py", False),
    ],
)
def test_a_test_mirrors_a_module_if_it_has_the_name_of_the_module_or_its_page(
    test, changed, expected
):
    assert mirrors(test, [changed]) is expected


def test_changed_files_are_those_edited_added_or_deleted_since_the_base(project):
    def git(*arguments):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *arguments], cwd=project, check=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    assert changed_files(project, "HEAD") == set()
    (project / "app.py").write_text("edited", "utf-8")
    (project / "README.md").unlink()
    (project / "new ü.py").write_text("", "utf-8")
    assert changed_files(project, "HEAD") == {"app.py", "README.md", "new ü.py"}
    assert "new ü.py" in list_files(project)
    git("add", "-A")
    git("commit", "-qm", "second")
    assert changed_files(project, "HEAD") == set()
    assert changed_files(project, "HEAD~1") == {"app.py", "README.md", "new ü.py"}


def test_a_failed_check_is_printed_and_named_and_checks_past_the_deadline_are_left_out(
    monkeypatch, capsys
):
    program = "python"
    checks = {"wrong": (program, "-c", "exit('E501 here')"), "right": (program, "-c", "")}
    monkeypatch.setattr(quick, "CHECKS", checks)
    outcome = run_checks(quick.time.time() + MAX_WAIT_S)
    assert outcome.failures == ["wrong"]
    assert outcome.having("passed") == ["right"]
    assert "E501 here" in capsys.readouterr().out
    late = run_checks(quick.time.time())
    assert not late.tests
    assert quick.unfinished(late) == ["right", "wrong"]


def test_a_check_that_hangs_is_stopped_and_left_out(monkeypatch):
    hanging = ("python", "-c", "import time; time.sleep(1000)")
    monkeypatch.setattr(quick, "CHECKS", {"hanging": hanging})
    outcome = run_checks(quick.time.time() + 1)
    assert not outcome.failures
    assert quick.unfinished(outcome) == ["hanging"]


def test_unfinished_tests_are_named_unless_one_file_has_many_of_them():
    tests = {"a/test_b.py::test_1": Result("passed"), "a/test_b.py::test_2": Result("running")}
    many = {f"a/test_c.py::test_{k}" for k in range(9)}
    outcome = Outcome("tests", tests=tests, collected=many | tests.keys())
    assert quick.unfinished(outcome) == ["a/test_b.py::test_2", "a/test_c.py (9 tests)"]
    assert format_left_out("late", quick.unfinished(outcome)) == [
        "  late:",
        "    a: test_b.py::test_2, test_c.py (9 tests)",
    ]


def test_the_report_names_failed_tests_and_tests_that_were_left_out(monkeypatch, capsys):
    tests = {"tests/unit/test_params.py::test_a": Result("failed", 0.1, "AssertionError")}
    monkeypatch.setattr(quick, "changed_files", lambda *_: {"ia_engine/params.py"})
    monkeypatch.setattr(quick, "run_checks", lambda _: Outcome("checks"))
    left_out = {"need a browser": ("tests/browser/test_app.py",)}
    monkeypatch.setattr(quick, "choose", lambda *_: quick.Choice(tuple(tests), left_out))
    monkeypatch.setattr(
        quick, "run", lambda *_, **__: Outcome("tests", tests=tests, collected=set(tests))
    )
    assert quick.main() == 1
    output = capsys.readouterr().out
    assert "tests/browser: test_app.py" in output
    assert "tests/unit/test_params.py::test_a  AssertionError" in output
    assert output.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"


def test_stopping_at_the_time_limit_is_not_a_failure(monkeypatch):
    tests = {"tests/unit/test_params.py::test_a": Result("running")}
    stopped = Outcome("tests", tests=tests, collected=set(tests), stopped=True)
    monkeypatch.setattr(quick, "run", lambda *_, **__: stopped)
    outcome = quick.run_tests(["tests/unit/test_params.py"], quick.time.time())
    assert not outcome.failures
    assert quick.unfinished(outcome) == ["tests/unit/test_params.py::test_a"]


def test_for_a_central_module_its_own_tests_are_selected_first():
    dependencies = Dependencies(ROOT, list_files(ROOT))
    for module, test in {
        "ia_engine/images.py": "tests/unit/test_images.py",
        "ia_engine/params.py": "tests/unit/test_params.py",
        "ia_engine/attention/iteration.py": "tests/unit/attention/test_iteration.py",
        "pages/mean.py": "tests/app/test_mean.py",
    }.items():
        chosen = choose({module}, dependencies, {})
        assert test in chosen.run[:2], module
        assert chosen.left_out["need a browser"]
