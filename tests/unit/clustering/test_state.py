"""Files of runs contain the complete state; damaged files and invalid configs are refused."""

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import save

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.state import load_state, save_state
from ia_engine.clustering.training import begin, resume, train
from ia_engine.errors import EngineError
from ia_engine.files import read_tensors
from tests.unit.clustering.scenes import config, shapes


@pytest.mark.cpu_only("files would be read onto the default device")
def test_a_file_contains_the_complete_state(tmp_path):
    images, _ = shapes()
    state = begin(config(sequence="affine,tps", shares=(0.1, 0.2, 0.9)), images, 5)
    save_state(tmp_path / "x.safetensors", state)
    again = load_state(tmp_path / "x.safetensors")
    assert (again.config, again.seed, again.n, again.pace, again.counters) == (
        state.config, 5, 24, state.pace, state.counters,
    )  # fmt: skip
    assert again.tensors.keys() == state.tensors.keys()
    assert all(torch.equal(x, state.tensors[name]) for name, x in again.tensors.items())
    assert [path.name for path in tmp_path.iterdir()] == ["x.safetensors"]


def test_missing_damaged_and_foreign_files_are_refused_with_the_reason(tmp_path):
    with pytest.raises(EngineError, match=r"none.safetensors does not exist"):
        load_state(tmp_path / "none.safetensors")
    (tmp_path / "broken.safetensors").write_bytes(b"not at all")
    with pytest.raises(EngineError, match=r"broken.safetensors is damaged"):
        load_state(tmp_path / "broken.safetensors")
    (tmp_path / "foreign.safetensors").write_bytes(b"\x02\0\0\0\0\0\0\0{}")
    with pytest.raises(EngineError, match=r"foreign.safetensors is not a clustering run"):
        load_state(tmp_path / "foreign.safetensors")


@pytest.mark.parametrize("name", ["order", "generator", "usage.age", "model.comparison.prototypes"])
def test_a_file_without_one_of_its_tensors_is_refused(tmp_path, name):
    state = begin(config(), shapes()[0], 0)
    tensors = {key: x for key, x in state.tensors.items() if key != name}
    save_state(tmp_path / "x.safetensors", replace(state, tensors=tensors))
    with pytest.raises(EngineError, match=f"x.safetensors is damaged and does not contain {name}"):
        load_state(tmp_path / "x.safetensors")


def test_a_state_whose_tensors_do_not_fit_its_model_is_not_resumed():
    images, _ = shapes()
    state = begin(config(model="ti"), images, 0)
    steps = state.tensors["poses.steps"]
    for tensors, got in (({}, "nothing"), ({"poses.steps": steps[:, 0]}, r"\(24,\)")):
        others = {key: x for key, x in state.tensors.items() if key != "poses.steps"}
        wrong = replace(state, tensors={**others, **tensors})
        with pytest.raises(EngineError, match=rf"poses.steps must have the shape .*; got {got}"):
            next(resume(wrong, images))


@pytest.mark.cpu_only("files would be read onto the default device")
def test_a_file_of_the_version_that_did_not_count_steps_can_still_be_read(tmp_path):
    images, _ = shapes()
    *_, step = train(config(iterations=5, period=3), images)
    save_state(tmp_path / "x.safetensors", step.state)
    header, tensors = read_tensors(tmp_path / "x.safetensors", "pt")
    counters = json.loads(header["counters"])
    del counters["steps"]
    (tmp_path / "x.safetensors").write_bytes(
        save(tensors, {**header, "counters": json.dumps(counters)})
    )
    assert load_state(tmp_path / "x.safetensors").counters == step.state.counters
    assert step.state.counters.steps == 2


def test_a_config_is_unchanged_after_conversion_to_json_and_back():
    chosen = config(sequence="color,tps", shares=(0.1, 0.3, 0.8), focus=7.0)
    assert ClusterConfig.from_json(chosen.to_json()) == chosen


@pytest.mark.parametrize("shares", [(0.1,), (0.5, 0.1, 0.9), (0.1, 0.2, 1.5)])
def test_invalid_shares_are_refused_with_the_reason(shares):
    with pytest.raises(EngineError, match="shares must be 3 numbers from 0 to 1 in ascending"):
        ClusterConfig(sequence="affine,tps", shares=shares)


def test_there_is_one_share_for_each_module_and_one_for_the_rate_drop():
    for count in range(6):
        starts = ClusterConfig(sequence=",".join(["affine"] * count)).starts()
        assert len(starts) == count + 1
        assert list(starts) == sorted(starts)
    assert ClusterConfig(model="kmeans").modules == ()


@pytest.mark.cpu_only("files would be read onto the default device")
def test_a_run_of_an_earlier_version_uses_the_signed_morphology(tmp_path):
    images, _ = shapes()
    path = tmp_path / "x.safetensors"
    save_state(path, begin(config(sequence="affine,morphology"), images, 5))
    assert load_state(path).config.sequence == "affine,morphology"
    header, tensors = read_tensors(path, "pt")
    values = json.loads(header["config"])
    assert values.pop("edition") == 2
    path.write_bytes(save(tensors, {**header, "config": json.dumps(values)}))
    old = load_state(path)
    assert old.config.sequence == "affine,morphology-signed"
    assert ClusterConfig.from_json(old.config.to_json()) == old.config
    del values["sequence"]
    assert ClusterConfig.from_json(json.dumps(values)).sequence == "affine,morphology-signed,tps"
