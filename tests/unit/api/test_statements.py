"""The methods paragraph of a result contains every argument of its function; an argument that has
no effect is refused.
"""

import inspect
import json
from datetime import datetime, timedelta

import numpy as np
import pytest
import torch

from ia_engine import align, attend, cluster, invariant_mean, load
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.errors import EngineError
from ia_engine.runs.paragraphs import format_setting
from tests.tensors import blobs

IMAGES = blobs(2, size=16, seed=5, sigma=2.0, dtype=torch.float32).clamp(0, 1)
DATA = torch.cat([IMAGES[:1].expand(3, -1, -1, -1), IMAGES[1:].expand(3, -1, -1, -1)])
TRAINED = {"k": 2, "method": "kmeans", "iterations": 2}
WEIGHTS = [1.0, 2.0, 1.0, 0.5, 1.0, 1.0]
NOT_SETTINGS = {"images", "progress", "config"}
PARAMETERS = [
    (align, {"group": "rotation"}, "rotations"),
    (align, {"to": 2}, "image 2"),
    (align, {"to": "previous"}, "the one before"),
    (align, {"sigma": 1.5}, "σ = 1.5 px"),
    (align, {"device": "cpu"}, "on the device cpu"),
    (attend, {"group": "rotation", "steps": 1}, "rotations"),
    (attend, {"beta": 7.5, "steps": 1}, "in 1 iteration of"),
    (attend, {"steps": 2}, "in 2 iterations"),
    (attend, {"method": "ka", "steps": 1}, "kernel attention"),
    (attend, {"k": 3, "steps": 1}, "K = 3"),
    (attend, {"sigma": 1.5, "steps": 1}, ""),
    (attend, {"device": "cpu", "steps": 1}, "on the device cpu"),
    (invariant_mean, {"group": "rotation"}, "rotations"),
    (invariant_mean, {"weights": WEIGHTS}, "given weights"),
    (invariant_mean, {"steps": 2}, "N = 2 updates"),
    (invariant_mean, {"sigma": 1.5}, ""),
    (invariant_mean, {"start": "identity", "steps": 1}, "from the identity"),
    (invariant_mean, {"start": "random", "seed": 7, "steps": 1}, "with seed 7"),
    (invariant_mean, {"device": "cpu"}, "on the device cpu"),
    (cluster, {"k": 3}, "K = 3"),
    (cluster, {"method": "ka", "k": 2}, "‖v_i - v_j‖²"),
    (cluster, {"group": "rotation", "k": 2}, "rotations"),
    (
        cluster,
        {"k": 2, "method": "ti", "sequence": "projective", "iterations": 1},
        "prototype (projective)",
    ),
    (cluster, {**TRAINED, "iterations": 3}, ""),
    (cluster, {**TRAINED, "budget": 0.25}, "within 0.25 CPU seconds"),
    (cluster, {**TRAINED, "seeds": 3}, "from the seeds 0 to 2"),
    (cluster, {**TRAINED, "seed": 7}, "with seed 7"),
    (cluster, {"k": 2, "device": "cpu"}, "on the device cpu"),
]


def name_of(case):
    return f"{case[0].__name__} {list(case[1].items())[-1 if case[1].get('seed') else 0]}"


@pytest.mark.parametrize("case", PARAMETERS, ids=name_of)
def test_every_argument_is_stated(case):
    function, given, words = case
    found = function(DATA, **given)
    assert words in " ".join(found.describe().sentences)
    rows = {row.name.split(" ")[0]: row.value for row in found.describe().settings}
    names = {"method": "model"} if "iterations" in given else {}
    for name, value in given.items():
        assert found.settings[names.get(name, name)] == value
        stated = rows[names.get(name, name)]
        assert stated == format_setting(value) or stated.split(" ")[0] == format_setting(value)


@pytest.mark.parametrize("function", [align, attend, invariant_mean, cluster])
def test_every_parameter_of_a_function_is_tested_above(function):
    tested = {name for called, given, _ in PARAMETERS if called is function for name in given}
    assert tested == set(inspect.signature(function).parameters) - NOT_SETTINGS


def test_a_config_is_stated():
    attended = attend(DATA, config=AttentionConfig(kernel="laplace", steps=1))
    assert "κ = exp(-β d)" in attended.describe().sentences[0]
    trained = cluster(DATA, config=ClusterConfig("kmeans", 2, iterations=2, batch=3))
    assert {"batch (B)": "3"}.items() <= {
        row.name: row.value for row in trained.describe().settings
    }.items()


def test_a_prediction_states_the_settings_of_its_result():
    found = cluster(DATA, **TRAINED, seed=7).predict(DATA).describe()
    assert "K = 2" in found.sentences[0]
    assert "with seed 7" in found.sentences[1]


def test_many_weights_are_summarised():
    images = DATA[:1].expand(30, -1, -1, -1)
    found = invariant_mean(images, weights=np.arange(30), steps=1)
    assert "30 values from 0 to 29" in {row.value for row in found.describe().settings}
    assert "weights: 30 values from 0 to 29" in found.to_html()


def test_an_estimated_number_of_clusters_is_stated():
    different = DATA * torch.linspace(0.5, 1, len(DATA), device="cpu")[:, None, None, None]
    rows = cluster(different, method="kmeans", iterations=2).describe().settings
    assert "true" in {row.value for row in rows if row.name == "k_estimated"}
    assert "an estimated number of clusters" in cluster(DATA).describe().sentences[0]


def test_the_date_is_that_of_the_computation():
    found = align(DATA[:2])
    first = found.describe().settings[-1]
    assert first.name == "started"
    assert found.describe().settings[-1] == first
    assert datetime.fromisoformat(first.value) - datetime.now().astimezone() < timedelta(hours=1)


def test_a_result_of_several_seeds_can_be_repeated_by_its_settings():
    arguments = {**TRAINED, "seeds": 3, "seed": 4}
    one = cluster(DATA, **arguments)
    again = cluster(DATA, **{**arguments, "seed": one.settings["seed"]})
    np.testing.assert_array_equal(one.means, again.means)
    assert one.settings["seed"] == 4
    alone = cluster(DATA, **TRAINED, seed=one.settings["best_seed"])
    np.testing.assert_array_equal(one.means, alone.means)


def test_numbers_of_numpy_are_those_of_python(tmp_path):
    two = np.int64(2)
    found = [
        align(DATA[:3], to=np.int64(1), group="rotation"),
        align(DATA[:3], sigma=np.float32(1)),
        attend(DATA, beta=np.float32(15), steps=np.int64(1), k=two, sigma=np.float32(0)),
        invariant_mean(DATA[:3], steps=np.int64(1), start="random", seed=two, weights=np.ones(3)),
        cluster(DATA, two),
        cluster(DATA, two, "kmeans", iterations=two, seeds=two, seed=two, budget=np.float32(9)),
    ]
    for result in found:
        result.save(tmp_path / "x.npz")
        assert json.loads(json.dumps(dict(result.settings)))


@pytest.mark.parametrize(("call", "words"), [
    (lambda: align(DATA, to=0, sigma=3), "sigma smooths images only before all pairs"),
    (lambda: align(DATA, sigma=-1), "sigma must be between 0 and 8 px; got -1"),
    (lambda: align(DATA, to=True), "to must be a whole number; got True"),
    (lambda: align(DATA, device="cuda:99"), "device must be one of .*cpu; got 'cuda:99'"),
    (lambda: align(DATA, device="gpu"), "device must be one of .*cpu; got 'gpu'"),
    (lambda: attend(DATA, k=2.5), "k must be a whole number; got 2.5"),
    (lambda: attend(DATA, k="2"), "k must be a whole number; got '2'"),
    (lambda: attend(DATA, "se2", method="ka"), "got group, but kernel attention compares pixels"),
    (lambda: attend(DATA, beta=3, config=AttentionConfig()), "got beta, but a config replaces"),
    (lambda: invariant_mean(DATA, seed=1), "seed has no effect with start='pairwise'"),
    (lambda: cluster(DATA, 2.5), "k must be a whole number; got 2.5"),
    (lambda: cluster(DATA, iterations=9), "got iterations, but the method ia trains nothing"),
    (lambda: cluster(DATA, 2, "ka", sequence="affine", seeds=2), "got sequence, seeds, but"),
    (lambda: cluster(DATA, 2, "ka", group="se2"), "got group, but the method ka"),
    (lambda: cluster(DATA, budget=1.0), "got budget, but"),
    (lambda: cluster(DATA, seed=3), r"seed has no effect with the method ia.*load\(name, seed="),
    (lambda: cluster(DATA, 2, "ti", group="affine"), "group is used only by the method ia"),
    (lambda: cluster(DATA, 2, "gmm", sequence="affine"), "got sequence, but the method gmm"),
    (lambda: cluster(DATA, 2, "ti", seeds=0), "seeds must be at least 1; got 0"),
    (lambda: cluster(DATA, 2, "ti", seed=-1), "seed must be at least 0; got -1"),
    (lambda: cluster(DATA, 2, "ti", budget=0), "budget must be more than 0 CPU seconds; got 0"),
    (lambda: cluster(DATA, 2, "ti", budget="1"), "budget must be a number; got '1'"),
    (lambda: attend(DATA, beta="15"), "beta must be a number; got '15'"),
    (lambda: align(DATA, sigma=None), "sigma must be a number; got None"),
    (lambda: invariant_mean(DATA, weights="equal"), "weights must be one number for each image"),
    (lambda: cluster(DATA, 2, "ti", iterations=1.5), "iterations must be a whole number"),
    (lambda: cluster(DATA, k=2, config=ClusterConfig()), "got k, but a config replaces"),
])  # fmt: skip
def test_an_argument_without_effect_or_of_a_wrong_type_is_refused(call, words):
    with pytest.raises(EngineError, match=words):
        call()


def test_the_seed_of_training_does_not_change_the_data():
    data = load("experiment-1")
    found = cluster("experiment-1", 3, "kmeans", iterations=2, seed=4)
    assert torch.equal(found.data.images, data.images)
