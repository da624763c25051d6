"""How the Papers page shows results of finished seeds."""

import numpy as np
import pytest

from ia_engine.figures.papers.drawing import plot_curves, plot_seeds
from ia_engine.figures.papers.panels import Curves, Seeds
from ia_engine.runs.papers import ENTRIES
from ia_engine.runs.papers.judge import OTHER_SETS, TABLES, TITLES
from ia_engine.runs.papers.seeds import MISSING, show_finished
from ia_engine.runs.tables.results import load_result, save_result
from ia_engine.runs.tables.rows import ROWS, find_tasks
from tests.unit.runs.seed_files import make_seed

pytestmark = pytest.mark.cpu_only("no tensor is made")


def finish(folder, name, values):
    for task, value in zip(find_tasks(name), values, strict=False):
        save_result(make_seed(task.row, task.seed, value), task, folder)


def panels(found, kind):
    return [panel for panel in found.panels if isinstance(panel, kind)]


def test_errors_of_seeds_are_shown_beside_those_in_the_paper(tmp_path):
    finish(tmp_path, "rot-mnist/p4", [2, 3])
    found = show_finished("gcnn-table-1", tmp_path)
    line = found.lines[0]
    assert line["test error, ours"] == "2.50 ± 0.71"
    assert line["test error, paper"] == "2.048 ± 0.045"
    assert line["seeds"] == "2 of 5 seeds"
    assert line["schedule"] == "100 of 100 epochs"
    assert line["machine"]
    assert line["command"] == "python -m assets.make_tables --only rot-mnist/p4"
    assert line["commit"] == load_result(find_tasks("rot-mnist/p4")[0], tmp_path).commit
    assert found.notes == ("some digits",)
    (curves,) = panels(found, Curves)
    assert curves.names == ("p4-CNN, seed 0", "p4-CNN, seed 1")
    np.testing.assert_allclose(curves.y, [[50, 25], [50, 25]])
    assert plot_curves(curves).layout.yaxis.type == "log"  # because errors fall by a large factor


def test_rows_without_finished_seeds_state_that_none_has_been_computed(tmp_path):
    for entry in TABLES:
        found = show_finished(entry, tmp_path)
        assert found.lines
        assert {line["seeds"].split()[0] for line in found.lines} == {"0"}
        assert all(line["CPU min per seed"] == "–" for line in found.lines)
        assert found.undecided
        assert not found.panels


def test_a_row_contains_acc_and_nmi_both_on_average_and_at_the_lowest_loss(tmp_path):
    finish(tmp_path, "mnist-test/dti-kmeans-quick", [88, 66])
    lines = show_finished("dti-table-1", tmp_path).lines
    line = next(line for line in lines if line["set"] == "MNIST-test")
    assert line["method"] == "DTI K-means, quick encoder"
    assert (line["ACC, ours"], line["ACC, paper"]) == ("77 ± 16", "96.6")
    assert (line["NMI, ours"], line["NMI, paper"]) == ("70 ± 14", "94.6")
    names = (f"{name} of the run with the lowest loss, {whose}" for name in ("ACC", "NMI")
             for whose in ("ours", "paper"))  # fmt: skip
    assert [line[name] for name in names] == ["66", "98", "60", "95.3"]


def test_a_plot_shows_every_seed_beside_the_mean_and_the_spread_of_the_paper(tmp_path):
    finish(tmp_path, "mnist-1k/dti-kmeans-quick", [80, 90])
    finish(tmp_path, "mnist-1k/dti-gmm-quick", [70])
    (panel,) = panels(show_finished("dti-table-2", tmp_path), Seeds)
    np.testing.assert_allclose(panel.values, [[80, 90], [70, np.nan]])
    assert (panel.means, panel.spreads) == ((79.8, 80.8), (6.9, 7.2))
    seeds, paper = plot_seeds(panel).data
    assert len(seeds.y) == 4
    assert list(paper.error_y.array) == [6.9, 7.2]


def test_rows_of_competitors_and_of_missing_data_sets_are_quoted():
    lines = show_finished("dti-table-2").quoted
    vade = next(line for line in lines if line["method"] == "VaDE" and line["set"] == "MNIST-1k")
    assert (vade["ACC"], vade["runs"]) == ("49.6 ± 5.6", "5, average")
    own = next(line for line in lines if line["method"] == "DTI K-means")
    assert own["set"] == "affNIST-test"
    assert own["note"] == MISSING["affnist"]


def test_rows_that_are_computed_are_not_quoted_as_well():
    assert not show_finished("gcnn-table-1").quoted
    methods = {line["method"] for line in show_finished("dti-table-3").quoted}
    assert methods == {"TI, all three", "TI, affine only"}


def test_every_row_belongs_to_an_entry():
    assert set(TABLES) <= set(ENTRIES)
    shown = {table for tables in TABLES.values() for table in tables}
    assert {row.table for row in ROWS} == shown == set(TITLES)
    assert {table for tables in OTHER_SETS.values() for table in tables} == set(MISSING)


def test_an_entry_that_is_not_a_table_has_no_seeds():
    assert show_finished("ia-figure-4") is None
