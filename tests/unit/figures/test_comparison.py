"""Methods compared, as a plot and as files."""

import csv
import io
import json

from ia_engine.figures.comparison.export import write_json
from ia_engine.figures.comparison.plots import plot_sweep
from ia_engine.figures.formats import write_csv

ROWS = [{"method": "kmeans", "ari": 0.5, "note": ""}, {"method": "ka", "ari": None, "note": "a, b"}]


def test_lines_of_a_sweep_differ_by_more_than_their_colour():
    lines = {f"method {k}": [1.0, 0.5, None] for k in range(14)}
    figure = plot_sweep((0, 90, 180), lines, axis="turned by [°]", measure="ARI")
    looks = {(t.line.color, t.line.dash, t.marker.symbol) for t in figure.data}
    assert len(looks) == 14
    assert figure.layout.xaxis.title.text == "turned by [°]"


def test_csv_keeps_every_cell_and_leaves_out_what_is_not_known():
    first, second = csv.DictReader(io.StringIO(write_csv(ROWS).decode("utf-8-sig")))
    assert first == {"method": "kmeans", "ari": "0.5", "note": ""}
    assert second == {"method": "ka", "ari": "", "note": "a, b"}
    assert write_csv([]).decode("utf-8-sig").strip() == ""


def test_json_says_what_made_it():
    told = json.loads(write_json(ROWS, {"images": 18}))
    assert told == {"images": 18, "results": ROWS}
