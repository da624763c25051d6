"""Each row of the matrix changes what it claims to change; one that cannot be prepared fails."""

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from tests.runner import matrix
from tests.runner.imports import list_files
from tests.runner.matrix import ROWS, Row, copy_project, lowest_versions, provide_locale, run_row
from tests.runner.parts import ROOT

SEEN = """
import json, locale, pathlib, time
locale.setlocale(locale.LC_ALL, "")
print(json.dumps({"comma": locale.str(0.5), "zone": time.strftime("%z"),
                  "here": str(pathlib.Path.cwd())}))
"""


def row(name):
    return next(one for one in ROWS if one.name == name)


def test_there_are_eight_rows_with_different_names():
    assert len({one.name for one in ROWS}) == len(ROWS) == 8


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        ("as-is", {}),
        ("default", {"ATEN_CPU_CAPABILITY": "default"}),
        ("avx2", {"ATEN_CPU_CAPABILITY": "avx2"}),
        ("mkl-sse4", {"MKL_ENABLE_INSTRUCTIONS": "SSE4_2", "ONEDNN_MAX_CPU_ISA": "SSE41"}),
        ("mkl-avx2", {"MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2"}),
    ],
)
def test_a_row_sets_its_variables_and_excludes_only_browser_tests(name, environment):
    with row(name).part() as part:
        assert part.environment == environment
        assert part.arguments[part.arguments.index("--ignore") :][:2] == (
            "--ignore",
            "tests/browser",
        )
        assert part.folder == ROOT


def test_the_elsewhere_row_changes_locale_time_zone_order_and_folder():
    with row("elsewhere").part() as part:
        found = subprocess.run(
            [sys.executable, "-c", SEEN],
            cwd=part.folder,
            env={**os.environ, **part.environment},
            capture_output=True,
            text=True,
            check=True,
        )
        seen = json.loads(found.stdout)
        assert seen["comma"] == "0,5"
        assert " " in seen["here"]
        assert "ü" in seen["here"]
        assert seen["zone"] in ("+1245", "+1345")
        assert {"--user-locale"} <= set(part.arguments)
        assert any(argument.startswith("--shuffle=") for argument in part.arguments)
        assert (part.folder / "app.py").is_file()
        folder = part.folder
    assert not folder.exists()


def test_an_existing_locale_is_used_unchanged(monkeypatch, tmp_path):
    monkeypatch.setattr(matrix, "LOCALE", "C")
    assert provide_locale(tmp_path / "locales") == {"LC_ALL": "C"}
    assert not (tmp_path / "locales").exists()


def test_the_copy_contains_new_files_but_no_ignored_or_deleted_ones(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target folder"
    source.mkdir()
    for name in ("kept ü.py", "deleted.py", "new.py", "ignored.pyc"):
        (source / name).write_text(name, "utf-8")
    (source / ".gitignore").write_text("*.pyc\n", "utf-8")
    for command in (["init", "-q"], ["add", "kept ü.py", "deleted.py"]):
        subprocess.run(["git", *command], cwd=source, check=True)
    (source / "deleted.py").unlink()
    copy_project(source, target)
    copied = {"kept ü.py", "new.py", ".gitignore"}
    assert {path.name for path in target.iterdir()} == {*copied, ".git"}
    assert list_files(target) == copied


def test_the_lowest_versions_are_the_lower_bounds_of_the_requirements():
    text = "# what is needed\ntorch==2.13.0\nnumpy>=2.2,<3\npillow >=12\n"
    assert lowest_versions(text).splitlines()[1:] == ["torch==2.13.0", "numpy==2.2", "pillow ==12"]


def test_every_requirement_has_a_lower_bound():
    lines = lowest_versions((ROOT / "requirements.txt").read_text("utf-8")).splitlines()
    assert all("==" in line for line in lines if line and not line.startswith("#"))


def test_the_row_of_lowest_versions_has_its_own_interpreter(monkeypatch):
    installed = []
    monkeypatch.setattr(matrix, "install", lambda *arguments: installed.append(arguments))
    with row("lowest").part() as part:
        assert Path(part.python).parts[-3] == ".venv-lowest"
    assert len(installed) == 1


def test_a_row_that_cannot_be_prepared_fails_and_states_the_reason(capsys):
    class Broken(Row):
        def part(self):
            raise OSError("no locale here")

    outcome = run_row(Broken("broken", "cannot be prepared"))
    assert outcome.failures == ["row 'broken' cannot be prepared: no locale here"]
    assert "broken: 0 passed, 1 failed, 0 skipped" in capsys.readouterr().out


def test_a_row_prints_the_kernels_of_torch_and_the_counts_of_its_tests(
    tmp_path, capfd, monkeypatch
):
    (tmp_path / "test_one.py").write_text("def test_fails(): assert False\n", "utf-8")
    part = matrix.Part("small", (str(tmp_path), "-p", "no:cacheprovider"))
    part = replace(part, environment=row("default").environment)
    monkeypatch.setattr(Row, "part", lambda _: nullcontext(part))
    assert len(run_row(row("default")).failures) == 1
    output = capfd.readouterr().out
    assert "DEFAULT kernels" in output or "NO AVX kernels" in output
    assert "default: 0 passed, 1 failed, 0 skipped" in output
    assert "test_one.py::test_fails" in output[output.index("default: 0 passed") :]
