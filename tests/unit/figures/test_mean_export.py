"""Exported files of a mean contain the computed results, and the exported script reproduces
them.
"""

import csv
import io

import numpy as np
import pytest
from PIL import Image

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.figures.mean import film_mean, plan_mean
from ia_engine.figures.mean_figures import (
    draw_mean,
    draw_mean_film,
    pack_mean,
    write_mean,
    write_mean_python,
)
from tests.unit.figures.scripts import run_script

pytestmark = pytest.mark.cpu_only("written files do not depend on the default device")


@pytest.fixture(scope="module")
def film():
    data = make(RECIPES["experiment-1"])
    *_, last = film_mean(*plan_mean(MeanConfig(steps=2), data, data.classes[0]))
    return last


def test_the_exported_arrays_contain_every_step(film):
    packed = np.load(io.BytesIO(pack_mean(film)))
    n = len(film.plan.names)
    assert packed["mu"].shape[0] == packed["objective"].shape[0] == 3
    assert packed["aligned"].shape[1] == n
    assert packed["poses"].shape == (3, n, 3)
    frame = film.steps[-1].frame.arrays["images"]
    np.testing.assert_allclose(packed["mu"][-1].transpose(1, 2, 0) * 255, frame[0], atol=1e-3)


def test_the_table_has_one_row_for_each_step_and_image(film):
    rows = list(csv.DictReader(io.StringIO(write_mean(film).decode("utf-8-sig"))))
    n = len(film.plan.names)
    assert [(int(row["k"]), int(row["image"])) for row in rows] == [
        (k, i + 1) for k in range(3) for i in range(n)
    ]
    assert float(rows[-1]["theta [deg]"]) == film.steps[-1].poses[-1][0]
    assert float(rows[0]["objective"]) == film.steps[0].objective


def test_the_exported_animation_has_one_frame_for_each_step(film):
    pages = Image.open(io.BytesIO(draw_mean_film(film)))
    assert pages.n_frames == 3
    assert pages.size == Image.open(io.BytesIO(draw_mean(film))).size


def test_the_exported_script_prints_the_numbers_of_the_run(film, tmp_path):
    lines = run_script(write_mean_python('a "mean"', film, uploaded=False), tmp_path)
    found = [[float(word) for word in line.split()] for line in lines]
    wanted = [[step.k, step.objective, step.sharpness] for step in film.steps]
    np.testing.assert_allclose(found, wanted, rtol=1e-3)


def test_a_script_for_uploaded_images_explains_where_to_read_them(film):
    assert b"were uploaded" in write_mean_python("a mean", film, uploaded=True)
