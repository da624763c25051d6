"""The table and the scan in the panel on Theorem 4.1."""

from ia_engine.attention.theory.contraction import Trial
from ia_engine.attention.theory.quantities import Quantities
from ia_engine.figures.theorems import describe_contraction, plot_scan, tabulate_quantities

FOUND = [
    Quantities(0, 0.8, 9.6, None, None, 0.0226),
    Quantities(1, 0.79, 9.4, 0.99, 0.91, 0.0151),
]


def test_every_quantity_of_every_iteration_is_in_the_table():
    first, last = tabulate_quantities({"ia": FOUND})
    assert [*first.values()] == ["invariant", 0, 0.8, 9.6, None, None, 0.0226]
    assert [*last.values()] == ["invariant", 1, 0.79, 9.4, 0.99, 0.91, 0.0151]


def test_a_sentence_states_the_radius_and_the_factors_of_the_first_iteration():
    assert describe_contraction(FOUND) == (
        "R = 0.8 for the data and 0.79 after iteration 1. Iteration 1 multiplies every distance by "
        "at most 0.99, within classes by at most 0.91."
    )
    assert describe_contraction(FOUND[:1]) == "R = 0.8 for the data."


def test_the_scan_shows_every_trial_and_marks_the_constant_of_the_run():
    figure = plot_scan([Trial(0.5, 1.0, 0.6), Trial(8.0, 16.0, 1.02)], 9.6)
    (curve,) = figure.data
    assert (curve.x, curve.y) == ((0.5, 8.0), (0.6, 1.02))
    level, mark = figure.layout.shapes
    assert (level.y0, mark.x0) == (1, 9.6)
    assert len(plot_scan([Trial(0.5, 1.0, 0.6)], None).layout.shapes) == 1


def test_the_scan_has_a_title_units_and_a_legend_of_the_curve_and_both_lines():
    layout = plot_scan([Trial(0.5, 1.0, 0.6)], 9.6).layout
    assert "β\u00a0=\u00a0c′/R²" in layout.title.text
    axes = layout.xaxis, layout.yaxis
    assert all(axis.title.text.endswith("[no unit]") for axis in axes)
    assert layout.showlegend
    assert [line.showlegend for line in layout.shapes] == [True, True]
    assert layout.shapes[1].name == "c′ of this run: 9.6"
