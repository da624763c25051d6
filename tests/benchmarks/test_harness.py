"""The benchmark runner: the results that it measures again or reuses, and its exit codes."""

import ast
import json
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from ia_engine.errors import EngineError
from tests.benchmarks import __main__ as runner
from tests.benchmarks import browsing, report, results, sources
from tests.benchmarks.catalogue import CATALOGUE
from tests.benchmarks.results import Benchmark, Found
from tests.benchmarks.sources import digest_sources, find_imports, serialise

CODE = '''"""Text."""
import a.b
from a import c
@dataclass
class X:
    """Text."""
    n: int = 1
    """Text."""
    def f(self):
        # comment
        if self.n > 2:
            raise ValueError(f"n is {self.n}")
        return "words"
'''


def text_of(code):
    return "".join(serialise(ast.parse(code)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"""Text."""', '"""Other."""'),
        ("# comment", "# other"),
        ("n is", "got"),
        ("\n@", "\n\n\n@"),
    ],
)
def test_the_digest_ignores_wording(before, after):
    changed = CODE.replace(before, after)
    assert changed != CODE
    assert text_of(changed) == text_of(CODE)


@pytest.mark.parametrize(
    ("setting", "is_the_same"),
    [
        ('Range("ρ", 1, 9, "width", "px")', True),
        ('Range("r", 1, 9, f"width {UNIT}")', True),
        ('Range("r", 1, 8, "radius")', False),
        ('Range("r", 1, 9, "radius", log=True)', False),
        ('Choice("r", ("a", "b"), "radius")', False),
    ],
)
def test_the_digest_ignores_the_texts_of_a_setting_but_not_its_values(setting, is_the_same):
    assert (text_of(setting) == text_of('Range("r", 1, 9, "radius", "m")')) is is_the_same


def test_the_digest_covers_the_options_of_a_choice():
    assert text_of('Choice("r", ("a", "b"), "radius")') == text_of(
        'Choice("s", ("a", "b"), "size")'
    )
    assert text_of('Choice("r", ("a", "b"), "radius")') != text_of(
        'Choice("r", ("a", "c"), "radius")'
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("n: int = 1", "n: int = 2"),
        ("> 2", ">= 2"),
        ('"words"', '"word"'),
        ("ValueError", "OSError"),
    ],
)
def test_the_digest_covers_code(before, after):
    changed = CODE.replace(before, after)
    assert changed != CODE
    assert text_of(changed) != text_of(CODE)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return `write(path, text)`, which changes files of a separate project."""
    monkeypatch.setattr(sources, "ROOT", tmp_path)

    def forget():
        for cached in (sources._find, sources._parse, sources._imports, sources._digest_statements):
            cached.cache_clear()

    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        forget()

    write("tests/benchmarks/speed.py", "from engine.used import f\n\ndef g():\n    import app\n")
    write("engine/__init__.py", "")
    write("engine/used.py", "import engine.deep.below\nimport json")
    write("engine/deep/below.py", "x = 1")
    write("engine/unused.py", "x = 1")
    write("app.py", "x = 1")
    write("assets/film/film.js", "let x = 1")
    yield write
    forget()


def test_imports_are_followed_through_modules_packages_and_functions(project):
    assert find_imports("tests.benchmarks.speed") == {
        "tests.benchmarks.speed", "engine", "engine.used", "engine.deep.below", "app",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("engine/deep/below.py", True),
        ("tests/benchmarks/speed.py", True),
        ("assets/film/film.js", True),
        ("engine/unused.py", False),
        ("app.py", False),
    ],
)
def test_the_digest_covers_imports_from_the_named_packages_and_whole_folders(project, path, counts):
    before = digest_sources("tests.benchmarks.speed", ("engine", "assets/"))
    project(path, "from engine.used import f\nx = 2")
    assert (digest_sources("tests.benchmarks.speed", ("engine", "assets/")) != before) is counts


def test_moving_a_definition_to_another_file_keeps_the_digest(project):
    project("engine/used.py", "from engine.deep.below import x\n\ndef f():\n    return x\n")
    before = digest_sources("tests.benchmarks.speed", ("engine",))
    project("engine/used.py", "x = 1\n\ndef f():\n    return x\n")
    assert digest_sources("tests.benchmarks.speed", ("engine",)) == before
    project("engine/used.py", "x = 1\n\ndef f():\n    return x + x\n")
    assert digest_sources("tests.benchmarks.speed", ("engine",)) != before


@dataclass
class Fake:
    """A benchmark that counts its measurements."""

    name: str
    held: bool = True
    error: BaseException | None = None
    measured: int = 0

    def measure(self):
        self.measured += 1
        if self.error:
            raise self.error
        return Found({"figure": 1.5}, {"at most 2": self.held}, "none")


@pytest.fixture
def bench(tmp_path, monkeypatch):
    """Return a function that runs the benchmarks of the given experiments and returns the exit
    code.
    """
    monkeypatch.setattr(results, "FOLDER", tmp_path / "results")
    monkeypatch.setattr(report, "DOCUMENT", tmp_path / "benchmarks.md")

    def run(*experiments, options=()):
        catalogue = tuple(Benchmark(one, ("ia_engine.errors",)) for one in experiments)
        monkeypatch.setattr(runner, "CATALOGUE", catalogue)
        monkeypatch.setattr(runner.signal, "signal", lambda *_: None)
        monkeypatch.setattr(sys, "argv", ["benchmarks", *options])
        with pytest.raises(SystemExit) as ended:
            runner.main()
        return ended.value.code

    return run


def change(name, **entries):
    path = results.find_path(name)
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **entries}), "utf-8")


def test_fresh_results_are_measured_again_only_on_request(bench, capsys):
    one = Fake("one")
    assert bench(one) == bench(one) == 0
    assert one.measured == 1
    line = capsys.readouterr().out.splitlines()[-2]
    assert line.startswith("one ")
    assert "1 of 1" in line
    assert "fresh" in line
    assert results.describe_processor() in line
    bench(one, options=["--again"])
    assert one.measured == 2


@pytest.mark.parametrize(
    "entry", [{"processor": "abacus"}, {"sources": None}, {"sources": {
        "module": "tests.benchmarks.test_harness", "packages": [], "digest": "0"}}]
)  # fmt: skip
def test_results_from_different_sources_or_a_different_processor_are_measured_again(bench, entry):
    one = Fake("one")
    bench(one)
    change("one", **entry)
    bench(one)
    assert one.measured == 2


def test_a_missed_claim_is_named_and_fails_the_run_even_if_it_is_not_measured_again(bench, capsys):
    missed = Fake("one", held=False)
    for _ in range(2):
        assert bench(missed, Fake("two")) == 1
        assert "MISSED: at most 2" in capsys.readouterr().out
        assert "1 of 2 claims are missed" in report.DOCUMENT.read_text("utf-8")
    assert missed.measured == 1


def test_a_missing_file_is_reported_but_does_not_fail_the_run(bench, capsys):
    message = "put mnist.npz into the folder that IA_DATA names"
    assert bench(Fake("one", error=EngineError(message)), Fake("two")) == 0
    assert f"not measured: {message}" in capsys.readouterr().out.splitlines()[-3]


def test_an_error_fails_the_run_after_all_other_benchmarks_have_been_measured(bench, capsys):
    two = Fake("two")
    assert bench(Fake("one", error=EngineError("K must be at least 1")), two) == 1
    assert two.measured == 1
    assert "failed: K must be at least 1" in capsys.readouterr().out


def test_a_stopped_run_continues_where_it_stopped(bench):
    first, last = Fake("first"), Fake("last", error=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        bench(first, last)
    last.error = None
    assert bench(first, last) == 0
    assert first.measured == 1


def test_cheap_benchmarks_are_measured_first(bench):
    dear, cheap = Fake("dear"), Fake("cheap")
    bench(dear, cheap)
    change("dear", cpu_seconds=100.0)
    order = sorted(runner.CATALOGUE, key=runner.estimate_seconds)
    assert [one.name for one in order] == ["cheap", "dear"]


def test_stale_results_are_listed_by_name(bench, capsys):
    bench(Fake("one"), Fake("two"))
    change("two", sources=None)
    capsys.readouterr()
    results.list_stale()
    assert "1 fresh, 1 stale" in (printed := capsys.readouterr().out)
    assert "stale: two" in printed
    assert "stale: one" not in printed


def test_the_measurement_of_a_wait_ends_with_the_first_round_within_the_limit(monkeypatch):
    monkeypatch.setattr(browsing, "crowding", lambda: 2.0)
    waits = iter([8.0, 6.0, 2.0, 1.0])
    assert browsing.find_least(lambda: next(waits), limit=3) == 3.0
    assert next(waits) == 2.0


def test_every_benchmark_has_a_unique_name_and_file():
    assert len({results.find_path(one.name) for one in CATALOGUE}) == len(CATALOGUE)


def test_every_name_that_a_benchmark_imports_exists():
    """Imports inside functions, which let the catalogue load quickly, are checked as well."""
    trees = (ast.parse(path.read_text("utf-8")) for path in Path(__file__).parent.glob("*.py"))
    missing = [
        f"{node.module}.{alias.name}"
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module.startswith("tests.browser.")
        for alias in node.names
        if not hasattr(import_module(node.module), alias.name)
    ]
    assert not missing


def test_every_stored_result_belongs_to_a_benchmark():
    assert {one.name for one in results.read_all()} <= {one.name for one in CATALOGUE}
