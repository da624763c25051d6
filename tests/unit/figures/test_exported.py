"""Scripts that earlier versions exported still run; exported/ contains unchanged copies of them."""

import ast
import importlib
import runpy
from pathlib import Path

import pytest

from ia_engine.equivariant import race
from ia_engine.equivariant.race import Race, RacePoint

pytestmark = pytest.mark.cpu_only("other processes have their own default device")
SCRIPTS = sorted((Path(__file__).parent / "exported").glob("*.py"))
LINES = {
    "clustering": 2,
    "clustering_resumed": 2,
    "comparison": 2,
    "iterations": 4,
    "iterations_of_points": 2,
    "mean": 2,
    "sweep": 2,
}
"""Number of lines that each script prints; the race is too slow to run here."""


def test_every_exported_script_is_tested():
    assert {path.stem for path in SCRIPTS} == {*LINES, "race"}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_all_names_that_an_exported_script_imports_exist(path):
    imports = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if hasattr(n, "names")]
    assert imports
    for node in imports:
        for alias in node.names:
            assert hasattr(importlib.import_module(node.module), alias.name), alias.name


@pytest.mark.parametrize("name", LINES)
def test_an_exported_script_prints_its_lines(name, capsys):
    runpy.run_path(str(Path(__file__).parent / "exported" / f"{name}.py"), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) == LINES[name]


def test_the_exported_script_of_a_race_prints_the_last_measurement_of_each_network(
    monkeypatch, capsys
):
    def run_race(config):
        curve = (RacePoint(5, 0.1, 2.3, 0.9, None), RacePoint(10, 0.2, 2.0, 0.7, 0.75))
        yield Race(config, "digits", "", {"p4": curve, "z2": ()}, {})

    monkeypatch.setattr(race, "run_race", run_race)
    runpy.run_path(str(Path(__file__).parent / "exported" / "race.py"), run_name="__main__")
    assert capsys.readouterr().out.split() == ["p4", "10", "0.7", "0.75"]
