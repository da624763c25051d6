"""The table and the scan in the panel on Theorem 4.1."""

from ia_engine.attention.theory.contraction import Trial
from ia_engine.attention.theory.quantities import Quantities
from ia_engine.figures.theorems import plot_scan, tabulate_quantities

FOUND = [
    Quantities(0, 0.8, 9.6, None, None, 0.0226),
    Quantities(1, 0.79, 9.4, 0.99, 0.91, 0.0151),
]


def test_every_quantity_of_every_iteration_is_in_the_table():
    first, last = tabulate_quantities({"ia": FOUND})
    assert [*first.values()] == ["invariant", 0, 0.8, 9.6, None, None, 0.0226]
    assert [*last.values()] == ["invariant", 1, 0.79, 9.4, 0.99, 0.91, 0.0151]


def test_the_scan_shows_every_trial_and_marks_the_constant_of_the_run():
    figure = plot_scan([Trial(0.5, 1.0, 0.6), Trial(8.0, 16.0, 1.02)], 9.6)
    (curve,) = figure.data
    assert (curve.x, curve.y) == ((0.5, 8.0), (0.6, 1.02))
    level, mark = figure.layout.shapes
    assert (level.y0, mark.x0) == (1, 9.6)
    assert len(plot_scan([Trial(0.5, 1.0, 0.6)], None).layout.shapes) == 1
