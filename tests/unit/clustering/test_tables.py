"""The paper's recipes and tables: complete, runnable where data is, and honest where it is not."""

import pytest

from ia_engine.clustering import tables
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PAPER, PaperRecipe, quicken
from ia_engine.clustering.tables import TABLES, Cell, main, reach
from ia_engine.datasets.imageset import Recipe
from ia_engine.datasets.written import DigitsConfig
from ia_engine.errors import EngineError


def test_schedules_are_those_of_the_paper():
    mnist = PAPER["mnist-test"].config
    assert mnist.starts() == pytest.approx((50 / 300, 150 / 300, 200 / 300, 280 / 300))
    assert PAPER["svhn"].config.focus == 7
    assert PAPER["affnist"].config.rate == 1e-4
    assert PAPER["mnist-1k"].iterations(1000) == 17_000
    assert all(len(x.config.starts()) == len(x.config.modules) + 1 for x in PAPER.values())


def test_quick_work_keeps_the_set_and_the_sequence():
    config = quicken(PAPER["fashion"].config)
    assert (config.encoder, config.sequence, config.k) == ("quick", "color,affine,tps", 10)
    assert config.starts()[0] == 0.03


def test_tables_hold_as_many_figures_as_the_paper():
    assert {number: len(cells) for number, cells in TABLES.items()} == {1: 24, 2: 6, 3: 11}
    names = [cell.method for cell in TABLES[3]]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["frgc", "usps"])
def test_a_set_that_is_not_here_is_not_measured_and_named(name, monkeypatch, tmp_path):
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(EngineError, match=r"source|is not here"):
        PAPER[name].load()
    found = reach(Cell(name, "DTI K-means", 1.0, 2.0, PAPER[name].config), 1, 1.0, quick=True)
    assert found.runs == 0
    assert found.note.startswith("not measured: ")


@pytest.mark.cpu_only("data are loaded as everywhere in the app")
def test_a_table_is_printed_with_both_figures(monkeypatch, capsys):
    data = Recipe("digits", DigitsConfig(count=40, size=12))
    tiny = PaperRecipe("digits", data, ClusterConfig(sequence="affine"), 5)
    cell = Cell("tiny", "DTI K-means", 96.7, 96.8, tiny.config)
    monkeypatch.setattr(tables, "PAPER", {"tiny": tiny})
    monkeypatch.setattr(tables, "TABLES", {2: (cell,)})
    main(["--table", "2", "--budget", "0.1", "--runs", "2"])
    head, line = capsys.readouterr().out.splitlines()
    assert head.startswith("set")
    assert "96.7 96.8" in line
    assert "2 × 0.1 s, Hungarian; 40 images, quick" in line
