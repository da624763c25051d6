"""Applies a defect to a copy of the project and runs the tests that can detect it."""

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.defects.results import Result
from tests.defects.sites import Defect

TEST_SECONDS: Final = 120
NOTHING_RAN: Final = 5  # pytest's exit code
CRASHED: Final = 70
REWRITTEN: Final = (
    "ignore::pytest.PytestAssertRewriteWarning"  # libraries are imported before pytest starts
)
LIBRARIES: Final = (
    *("torch", "kornia", "scipy.stats", "sklearn.cluster", "sklearn.datasets", "PIL.Image"),
    *("plotly.graph_objects", "streamlit.testing.v1"),
)
"""Modules that are imported once. The project itself is imported again for each run."""
FOLDERS: Final = ("unit", "property", "app", "shell", "benchmarks")
"""Kinds of tests, the fastest first."""
PLAYER: Final = (
    *("test_player_time", "test_player_pictures", "test_player_pair", "test_player_weights"),
    *("test_player_place", "test_selection", "test_app", "test_beta", "test_projector"),
    *("test_runs", "test_live", "test_lessons"),
)
BROWSER_TESTS: Final = {
    "player": PLAYER,
    "mean_film": ("test_mean", "test_formulas", "test_steps", "test_lessons"),
    "dial": ("test_manifolds", "test_formulas", "test_steps", "test_lessons"),
    "turning": ("test_equivariance", "test_projector", "test_steps", "test_lessons"),
    "layers": ("test_equivariance", "test_lessons"),
    "pad": ("test_equivariance",),
    "formula": ("test_formulas", "test_beta", "test_lessons"),
    "prototypes": ("test_clustering", "test_projector", "test_lessons"),
    "picture_table": ("test_clustering",),
    "tiles": ("test_data", "test_manifolds"),
    "tile_sheet": ("test_data", "test_manifolds"),
    "drawing": ("test_formulas", "test_lessons"),
    "projector": ("test_projector", "test_back", "test_plots", "test_lessons"),
    "shared": (*PLAYER, "test_mean", "test_clustering", "test_equivariance", "test_formulas"),
}
"""For each folder of assets/components, the tests of the pages that load it, closest first."""


class Tree:
    """A copy of the project, and the lines that each test executes."""

    def __init__(self, root: Path, coverage_file: Path | None, limit: float) -> None:
        self.root = root
        self.coverage_file = coverage_file
        self.limit = limit
        self.folder = Path(tempfile.mkdtemp())

    @cached_property
    def coverage(self):
        """The coverage data. Only `run` needs the package coverage, which pytest-cov installs."""
        from coverage import CoverageData

        data = CoverageData(str(self.coverage_file))
        data.read()
        return data

    def tests_of(self, defect: Defect) -> list[str]:
        """The tests that can detect a defect, closest first."""
        if defect.file.endswith(".js"):
            folder = Path(defect.file).parent.name
            files = (f"tests/browser/{name}.py" for name in BROWSER_TESTS[folder])
            return [name for name in files if (self.root / name).exists()]
        if self.coverage_file is None:
            return []
        source = (self.root / defect.file).read_text("utf-8")
        measured = self.coverage.measured_files()
        name = next((m for m in measured if m.endswith(f"/{defect.file}")), None)
        if name is None:
            return []
        by_line = self.coverage.contexts_by_lineno(name)
        lines = defect.lines(source)
        scopes = (lines, _enclosing(source, lines), by_line)
        found = next(filter(None, (_tests(by_line, scope) for scope in scopes)), set())
        return sorted(found, key=lambda test: (*_distance(defect.file, test), test))

    def run(self, tests: Sequence[str], without: Sequence[str] = ()) -> tuple[int, str | None]:
        """The exit code of pytest and the first test that failed."""
        cache = self.folder / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        names = self.folder / "tests.txt"
        names.write_text("\n".join([*(f"--deselect={name}" for name in without), *tests]), "utf-8")
        options = ["-x", "-q", "-W", REWRITTEN, "-o", f"cache_dir={cache}"]
        options += [f"--timeout={TEST_SECONDS}", f"--session-timeout={self.limit}"]
        if "timed: " in (self.root / "pyproject.toml").read_text("utf-8"):
            options += ["-m", "not timed"]
        code = _fork_pytest(self.root, [*options, f"@{names}"], self.folder / "log.txt")
        failed = cache / "v" / "cache" / "lastfailed"
        found = list(json.loads(failed.read_text("utf-8"))) if failed.exists() else []
        return code, found[0] if found else None

    @contextmanager
    def changed(self, defect: Defect) -> Iterator[None]:
        """Apply the defect inside the block; the file is restored afterwards."""
        path = self.root / defect.file
        source = path.read_bytes()
        try:
            defect.apply(self.root)
            self.bundle(defect)
            yield
        finally:
            path.write_bytes(source)
            self.bundle(defect)

    def bundle(self, defect: Defect) -> None:
        """Build the bundles of the browser code, which the pages load; the copy needs `npm ci`
        first.
        """
        if defect.file.endswith(".js"):
            subprocess.run(["npm", "run", "--silent", "bundle"], cwd=self.root, check=True)

    def last_line(self) -> str:
        lines = (self.folder / "log.txt").read_text("utf-8").strip().splitlines()
        return lines[-1] if lines else ""


def _fork_pytest(root: Path, arguments: Sequence[str], log: Path) -> int:
    """Run pytest in a fork of this process, which has already imported the libraries."""
    for library in LIBRARIES:
        import_module(library)
    process = os.fork()
    if not process:
        try:
            os.chdir(root)
            os.environ["PYTHONPATH"] = str(root)
            sys.path[0] = str(root)
            for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
                del sys.modules[name]
            output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            code = int(import_module("pytest").main(list(arguments)))
            sys.stdout.flush()
        except BaseException:
            traceback.print_exc()
            code = CRASHED
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def run_defect(tree: Tree, defect: Defect, first: str | None = None) -> Result:
    """Run `first`, then the tests that touch the defect, until one kills it.

    A killing test fails with the defect and passes without it. A browser test must then fail with
    the defect again, because on a busy machine it may fail for a different reason.
    """
    touching = tree.tests_of(defect)
    failing: list[str] = []  # tests that fail for a different reason
    for scope, tests in (("closest", [first] if first else []), ("touching", touching)):
        code = 0 if set(tests) <= set(failing) else 1
        while code:
            with tree.changed(defect):
                code, failed = tree.run(tests, failing)
            said = tree.last_line()
            if code == NOTHING_RAN or (code and scope == "closest" and failed is None):
                break  # the test is not part of this suite
            if code and failed is None:
                return _without_failure(tree, tests, code, said, scope)
            if failed and _is_killer(tree, defect, failed):
                return Result(failed, scope)
            failing += [failed] if failed else []
    note = f"{len(touching)} tests or files ran"
    scope = "touching" if touching else "closest"
    return Result(None, scope, f"{note}; fail without it: {failing}" if failing else note)


def _is_killer(tree: Tree, defect: Defect, test: str) -> bool:
    if tree.run([test])[0] != 0:
        return False
    if not test.startswith("tests/browser"):
        return True
    with tree.changed(defect):
        return tree.run([test])[0] != 0


def _without_failure(tree: Tree, tests: list[str], code: int, said: str, scope: str) -> Result:
    """The result if pytest ended without a failed test, at its time limit or before the first
    test.
    """
    if code == 1:
        return Result(None, scope, f"unfinished: {said}")
    clean, _ = tree.run(tests[:1])
    if clean == 0:
        return Result(f"{tests[0]} (cannot be collected: {said})", scope)
    return Result(None, scope, f"pytest ended with {code}: {said}")


def _tests(by_line: dict[int, list[str]], lines: Iterable[int]) -> set[str]:
    """The tests that executed these lines, without suffixes such as "|run", which name a phase."""
    contexts = {context for line in lines for context in by_line.get(line, ())}
    return {context.rsplit("|", 1)[0] for context in contexts if context}


def _enclosing(source: str, lines: range) -> range:
    """The lines of the innermost function or class that contains the defect; empty at module
    level.
    """
    best = range(0)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inside = range(node.lineno, (node.end_lineno or 0) + 1)
            if lines.start in inside and (not best or len(inside) < len(best)):
                best = inside
    return best


def _distance(file: str, test: str) -> tuple[int, int]:
    """Sort key: first by the number of path components in common, then by the speed of the kind."""
    words = set(Path(file).with_suffix("").parts)
    path = Path(test.split("::", maxsplit=1)[0])
    own = {*path.with_suffix("").parts[1:-1], path.stem.removeprefix("test_")}
    folder = path.parts[1]
    return -len(words & own), FOLDERS.index(folder) if folder in FOLDERS else len(FOLDERS)
