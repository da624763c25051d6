"""Exported files of a run contain the computed results, and the exported script reproduces them."""

import csv
import io
import re

import numpy as np
import pytest
from PIL import Image

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.figures.export import (
    draw_film,
    draw_moment,
    name_classes,
    pack_history,
    write_clusters,
    write_history,
    write_python,
)
from ia_engine.figures.player import PlayerHeader, write_player
from ia_engine.runs.attend import attend, plan
from tests.unit.figures.scripts import run_script

pytestmark = pytest.mark.cpu_only("written files do not depend on the default device")


@pytest.fixture(scope="module")
def run():
    data = make(RECIPES["experiment-1"])
    planned = plan((AttentionConfig(steps=2), AttentionConfig(method="ka", steps=2)), data, 6)
    moments = list(attend(planned, data))
    return planned, {m: [moment.shown[m] for moment in moments] for m in planned.configs}


def frames(run):
    return {method: [step.frame for step in steps] for method, steps in run[1].items()}


def test_an_exported_player_has_sliders_for_beta_even_if_a_control_of_the_page_sets_beta():
    page = write_player("run", [], PlayerHeader(has_sliders=False, advises=True)).decode()
    found = dict(re.findall(r'"(has_sliders|advises)": ?(true|false)', page))
    assert found == {"has_sliders": "true", "advises": "false"}


def test_the_exported_arrays_contain_every_frame(run):
    packed = np.load(io.BytesIO(pack_history(frames(run), run[0].names)))
    assert packed["ia.d2"].shape == (3, 6, 6)
    for k, frame in enumerate(frames(run)["ka"]):
        np.testing.assert_array_equal(packed["ka.d2"][k], frame.arrays["d2"])


def test_the_exported_arrays_include_the_names_and_classes_of_the_images(run):
    planned = run[0]
    content = pack_history(frames(run), planned.names, planned.labels, planned.classes)
    packed = np.load(io.BytesIO(content))
    assert tuple(packed["names"]) == tuple(planned.names)
    written = [str(packed["classes"][label]) for label in packed["labels"]]
    assert written == [planned.classes[label] for label in planned.labels]
    assert packed["ia.assignments"].shape == (3, len(planned.names))


def test_the_table_of_images_has_their_clusters_for_each_method_at_the_last_step(run):
    planned, steps = run
    last = {method: shown[-1].numbers for method, shown in steps.items()}
    rows, names = range(10, 16), ("=1+1", *planned.names[1:])
    classes = name_classes(planned.labels, planned.classes, 6)
    content = write_clusters(last, rows, names, classes)
    lines = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [line["name"] for line in lines] == ["'=1+1", *planned.names[1:]]
    assert [int(line["image"]) for line in lines] == [*range(11, 17)], (
        "images are numbered as in the whole set"
    )
    assert [line["class"] for line in lines] == classes
    for method, numbers in last.items():
        written = [int(line[f"cluster {method}"]) - 1 for line in lines]
        assert written == [*numbers.assignments]
    assert {line["iteration"] for line in lines} == {"2"}


def test_without_classes_the_column_of_classes_is_empty(run):
    last = {"ia": run[1]["ia"][-1].numbers}
    content = write_clusters(last, range(6), run[0].names, name_classes((), (), 6))
    lines = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert {line["class"] for line in lines} == {""}


def test_the_table_has_one_row_for_each_method_and_iteration(run):
    numbers = {method: [step.numbers for step in steps] for method, steps in run[1].items()}
    rows = list(csv.DictReader(io.StringIO(write_history(numbers).decode("utf-8-sig"))))
    assert [(row["method"], row["p"]) for row in rows] == [
        (method, str(p)) for method in numbers for p in range(3)
    ]
    assert [int(row["clusters"]) for row in rows[:3]] == [n.clusters for n in numbers["ia"]]


def test_the_exported_animation_has_one_frame_for_each_iteration(run):
    film = Image.open(io.BytesIO(draw_film(frames(run)["ia"])))
    assert film.n_frames == 3
    assert film.size == Image.open(io.BytesIO(draw_moment(frames(run)["ia"][-1]))).size


def test_the_exported_script_prints_the_numbers_of_the_run(run, tmp_path):
    planned, steps = run
    configs = [*planned.configs.values()]
    script = write_python('a "run"', planned.recipe, configs, 6, uploaded=False)
    lines = [line.split() for line in run_script(script, tmp_path)]
    wanted = [
        [method, str(p + 1), str(steps[method][p].numbers.clusters)]
        for method in planned.configs
        for p in range(2)
    ]
    assert [line[:3] for line in lines] == wanted
