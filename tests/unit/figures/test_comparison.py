"""Comparisons of methods as a plot and as files."""

import csv
import io
import json

from ia_engine.figures.comparison.export import write_json
from ia_engine.figures.comparison.plots import plot_scores, plot_sweep
from ia_engine.figures.formats import write_csv
from ia_engine.figures.style import COLOURS

ROWS = [{"method": "kmeans", "ari": 0.5, "note": ""}, {"method": "ka", "ari": None, "note": "a, b"}]


def test_lines_of_a_sweep_differ_in_more_than_their_colour():
    lines = {f"method {k}": [1.0, 0.5, None] for k in range(14)}
    figure = plot_sweep((0, 90, 180), lines, axis="turned by [°]", measure="ARI")
    looks = {(t.line.color, t.line.dash, t.marker.symbol) for t in figure.data}
    assert len(looks) == 14
    assert figure.layout.xaxis.title.text == "turned by [°]"


def test_a_method_has_the_same_colour_in_every_plot_and_every_selection():
    titles = ["K-means", "Kernel attention", "Invariant attention, affine", "DTI GMM"]
    scores = plot_scores(dict.fromkeys(titles, (1.0, 0.5)))
    sweep = plot_sweep((0, 1), {title: [1, 0] for title in titles[::-1]}, axis="a", measure="ARI")
    in_scores = {trace.name: trace.marker.color for trace in scores.data}
    assert in_scores == {trace.name: trace.line.color for trace in sweep.data}
    assert len(set(in_scores.values())) == 4
    assert in_scores["Kernel attention"] == COLOURS["ka"]


def test_the_csv_file_contains_every_result_and_has_empty_cells_for_unknown_values():
    first, second = csv.DictReader(io.StringIO(write_csv(ROWS).decode("utf-8-sig")))
    assert first == {"method": "kmeans", "ari": "0.5", "note": ""}
    assert second == {"method": "ka", "ari": "", "note": "a, b"}
    assert write_csv([]).decode("utf-8-sig").strip() == ""


def test_the_json_file_contains_the_results_and_the_settings():
    written = json.loads(write_json(ROWS, {"images": 18}))
    assert written == {"images": 18, "results": ROWS}
