"""CSV files preserve every cell, and no spreadsheet interprets a name as a formula."""

import csv
import io
from pathlib import Path

import pytest
import torch

import ia_engine.figures.formats
from ia_engine.equivariant.race import Race, RaceConfig, RacePoint
from ia_engine.figures.clustering.export import write_assignments
from ia_engine.figures.equivariance.export import write_race
from ia_engine.figures.formats import write_csv, write_table

ROOT = Path(__file__).parents[3]
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1"]


def read(content):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("name", FORMULAS)
def test_every_csv_writer_marks_names_that_begin_like_a_formula_as_text(name):
    one = torch.tensor([0], device="cpu")
    race = Race(RaceConfig(), "", "", {name: (RacePoint(1, 0.5, 0.5, 0.5, None),)}, {})
    tables = [
        write_csv([{"name": name}]),
        write_csv([{name: "a column"}]),
        write_table([name], [[name]]),
        write_assignments(one, [name], one, one.float(), [name]),
        write_race(race),
    ]
    for table in tables:
        cells = [cell for row in read(table) for cell in row]
        assert f"'{name}" in cells
        assert name not in cells


def test_numbers_and_other_strings_are_unchanged():
    rows = read(write_table(["a", "b", "c"], [[-1, -0.5, None], ["a-b", "ä, =", "1"]]))
    assert rows == [["a", "b", "c"], ["-1", "-0.5", ""], ["a-b", "ä, =", "1"]]


def test_only_one_module_imports_csv():
    (writer,) = [
        path
        for folder in ("ia_engine", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if "import csv" in path.read_text("utf-8")
    ]
    assert writer == Path(ia_engine.figures.formats.__file__)
