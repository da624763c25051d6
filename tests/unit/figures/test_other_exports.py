"""Exported files of clusterings, comparisons, sweeps and races, and scripts that reproduce them."""

import csv
import io
import json

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.recipes import RECIPES
from ia_engine.equivariant.digits import draw_digit
from ia_engine.equivariant.networks import NETWORKS, make_untrained
from ia_engine.equivariant.orbit import turn_once
from ia_engine.equivariant.race import Race, RaceConfig, RacePoint
from ia_engine.figures.clustering import export as clustering
from ia_engine.figures.comparison import export as comparison
from ia_engine.figures.equivariance import export as equivariance
from ia_engine.figures.style import POINT_COLOURS
from ia_engine.runs.comparison.config import ComparisonConfig
from ia_engine.runs.comparison.sweep import SweepConfig
from tests.colours import from_hex
from tests.unit.figures.scripts import run_script

pytestmark = pytest.mark.cpu_only("written files do not depend on the default device")
DATA = RECIPES["experiment-1"].to_json()


def open_picture(content):
    return Image.open(io.BytesIO(content))


def read(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_the_animation_of_a_clustering_has_one_frame_for_each_recorded_state():
    pictures = [np.full((3, 8, 8, 1), 60 * t, np.uint8) for t in range(4)]
    assert open_picture(clustering.draw_film(pictures)).n_frames == 4
    packed = np.load(io.BytesIO(clustering.pack_film(pictures, (0.0, 1.0, 2.0, 3.0))))
    np.testing.assert_array_equal(packed["prototypes"], np.stack(pictures))
    assert packed["seconds"].tolist() == [0, 1, 2, 3]


def test_the_script_of_a_clustering_assigns_every_image(tmp_path):
    config = ClusterConfig(model="kmeans", k=3, sequence="").to_json()
    script = clustering.write_python("K-means", DATA, config, 0, 2.0, origin="", uploaded=False)
    _, assignments = run_script(script, tmp_path)
    assert len(json.loads(assignments)) == 18
    assert set(json.loads(assignments)) <= {0, 1, 2}


def test_the_script_of_a_resumed_clustering_run_explains_what_it_recomputes():
    arguments = ("x", DATA, "{}", 0, 1.0)
    assert b"(Split 3)" in clustering.write_python(*arguments, origin="Split 3", uploaded=False)


def test_the_script_of_a_comparison_prints_one_row_for_each_method(tmp_path):
    config = ComparisonConfig(methods=("kmeans", "ka"), k=3).to_json()
    script = comparison.write_comparison_python("two", DATA, config, uploaded=False)
    lines = run_script(script, tmp_path)
    assert ["'kmeans'" in lines[0], "'ka'" in lines[1]] == [True, True]


def test_the_script_of_a_sweep_prints_one_row_for_each_strength(tmp_path):
    sweep, config = SweepConfig(strengths=2, copies=3), ComparisonConfig(methods=("kmeans",))
    script = comparison.write_sweep_python("sweep", sweep.to_json(), config.to_json())
    assert [line.split()[0] for line in run_script(script, tmp_path)] == ["0.0", "180.0"]


def test_centres_have_one_row_for_each_method_that_found_clusters():
    one, none, two = torch.rand(3, 1, 8, 8), torch.zeros(0, 1, 8, 8), torch.rand(2, 1, 8, 8)
    wide = open_picture(comparison.draw_centres([one, none, two]))
    single = open_picture(comparison.draw_centres([one]))
    assert wide.width == single.width
    assert wide.height > 1.5 * single.height


def test_the_image_of_a_sweep_shows_every_line_even_if_points_are_missing():
    lines = {"a": [0.1, 0.9], "b": [None, 0.5]}
    picture = open_picture(comparison.draw_sweep((0, 30), lines, axis="×", measure="ARI"))
    colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20)}
    assert {tuple(colour) for colour in from_hex(POINT_COLOURS[:2]).tolist()} <= colours


@pytest.fixture(scope="module")
def race():
    lane = (RacePoint(5, 0.1, 2.3, 0.9, None), RacePoint(10, 0.2, 2.0, 0.7, 0.75))
    return Race(RaceConfig(iterations=10, digits=200), "digits", "", {"p4": lane, "z2": ()}, {})


def test_curves_of_a_race_are_exported_as_a_table_and_an_image(race):
    rows = read(equivariance.write_race(race))
    assert [row["iteration"] for row in rows] == ["5", "10"]
    assert [row["test error"] for row in rows] == ["", "0.75"]
    assert open_picture(equivariance.draw_race_file(race)).width > 600


def test_the_script_of_a_race_prints_the_last_error_of_every_network(race, tmp_path):
    lines = run_script(equivariance.write_race_python("a race", race), tmp_path)
    ends = {line.split()[0]: line.split() for line in lines}
    assert set(ends) == {"z2", "p4", "alpha-f-p4"}
    assert all(end[1] == "10" and end[3] != "None" for end in ends.values())


def test_predictions_are_exported_as_a_table_and_an_image():
    network = make_untrained("p4")
    orbits = {"p4": turn_once(network, NETWORKS["p4"].group, draw_digit(3), mirrored=False)}
    rows = read(equivariance.write_answers(orbits))
    assert len(rows) == len(orbits["p4"].probabilities)
    total = sum(float(rows[0][f"p({label})"]) for label in range(10))
    assert total == pytest.approx(1, abs=1e-5)
    assert rows[1]["rotation [deg]"] == "3.0"
    assert open_picture(equivariance.draw_answers_file(orbits, 3)).width > 600
