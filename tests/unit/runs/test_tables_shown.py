"""What Papers shows of finished seeds."""

import numpy as np
import pytest

from ia_engine.runs.papers import ENTRIES
from ia_engine.runs.tables.results import (
    TABLES,
    TITLES,
    Moment,
    make_result,
    save_result,
    show_finished,
)
from ia_engine.runs.tables.rows import ROWS, find_tasks

pytestmark = pytest.mark.cpu_only("no tensor is made")


def finish(folder, name, figures, curve, columns):
    for task, own in zip(find_tasks(name), figures, strict=False):
        last = Moment(9, 9, 90.0, curve, columns, lambda *_: None, "some digits", own)
        save_result(make_result(task, last), task, folder)


def test_errors_of_seeds_stand_beside_the_paper(tmp_path):
    curve = ((1.0, 0.5), (2.0, 0.25))
    errors = [{"test error": 0.02}, {"test error": 0.03}]
    finish(tmp_path, "rot-mnist/p4", errors, curve, ("epoch", "validation error"))
    found = show_finished("gcnn-table-1", tmp_path)
    (line,) = found.lines
    assert line["here"] == "2.50 ± 0.71 %"
    assert line["paper"] == "2.048 ± 0.045 %"
    assert line["seeds"] == "2 of 5"
    assert found.notes == ("some digits",)
    (curves,) = found.curves
    assert curves.names == ("p4-CNN, seed 0", "p4-CNN, seed 1")
    np.testing.assert_allclose(curves.y, [[50, 25], [50, 25]])


def test_accuracy_of_the_run_with_the_least_loss_is_said(tmp_path):
    curve = ((0.0, 0.9, 0.1), (10.0, 0.5, 0.8))
    figures = [{"ACC": 0.8, "NMI": 0.7, "loss": 0.5}, {"ACC": 0.9, "NMI": 0.7, "loss": 0.4}]
    finish(tmp_path, "mnist-1k/dti-kmeans-quick", figures, curve, ("epoch", "loss", "ACC"))
    found = show_finished("dti-table-2", tmp_path)
    (line,) = found.lines
    assert line["here"] == "85.00 ± 7.07 %; 90.00 % with the least loss"
    assert line["row"] == "MNIST-1k: DTI K-means, quick encoder"
    assert found.notes == ("some digits", "encoder 'quick' in place of 'resnet20'")
    np.testing.assert_allclose(found.curves[0].y, [[10, 80], [10, 80]])


def test_every_row_belongs_to_an_entry():
    assert set(TABLES) <= set(ENTRIES)
    shown = {table for tables in TABLES.values() for table in tables}
    assert {row.table for row in ROWS} == shown == set(TITLES)


def test_an_entry_without_finished_seeds_shows_nothing(tmp_path):
    for entry in ENTRIES:
        found = show_finished(entry, tmp_path)
        assert (found.lines, found.notes, found.curves) == ((), (), ())
