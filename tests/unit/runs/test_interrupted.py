"""A seed that is killed and resumed gives bit-identical results to an uninterrupted one."""

import json
import subprocess
import sys

import pytest
import torch

from ia_engine.files import read_tensors
from tests.unit.runs.interrupted import ITERATIONS, KILLED, KILLED_IN_CLONE, TASKS
from tests.waits import MAX_WAIT_S

pytestmark = pytest.mark.cpu_only("seeds are computed on the CPU")


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    """The folder of all seeds; a separate interpreter computes the clone."""
    folder = tmp_path_factory.mktemp("seeds")
    for place in ("here", "clone"):
        command = [sys.executable, "-m", "tests.unit.runs.interrupted", str(folder), place]
        subprocess.run(command, check=True, timeout=MAX_WAIT_S)
    return folder


def read_result(folder, name):
    """The result of a seed without its times, and the tensors after its last iteration."""
    result = json.loads((folder / "results" / f"{TASKS[name].name}.json").read_text())
    del result["seconds"], result["date"]
    return result, read_tensors(folder / "last.safetensors", "pt")[1]


def read_resumed(folder):
    """The iterations of the checkpoints from which the computation resumed."""
    return [int(text) for text in (folder / "resumed").read_text().split()]


def assert_equal(found, expected):
    (result, tensors), (expected_result, expected_tensors) = found, expected
    assert result == expected_result
    assert tensors.keys() == expected_tensors.keys()
    for name, x in tensors.items():
        assert torch.equal(x, expected_tensors[name]), name


@pytest.mark.parametrize("name", TASKS)
def test_a_seed_that_is_killed_at_ten_moments_ends_with_the_same_result(computed, name):
    folder = computed / name
    whole, killed = (read_result(folder / end, name) for end in ("whole", "killed"))
    assert_equal(killed, whole)
    assert whole[0]["figures"]["iterations"] == ITERATIONS
    resumed = read_resumed(folder / "killed")
    assert len(resumed) == len(KILLED) + 1 == 11
    network, clustering = [0, 0, 0, 2, 2, 4, 6, 6, 8, 8, 10], [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert resumed == (network if name == "p4" else clustering)


@pytest.mark.parametrize("name", TASKS)
def test_a_seed_resumes_in_a_new_clone_from_the_committed_checkpoint(computed, name):
    folder = computed / name
    assert_equal(read_result(folder / "clone", name), read_result(folder / "whole", name))
    resumed = read_resumed(folder / "clone")
    assert len(resumed) == len(KILLED_IN_CLONE) + 1
    assert resumed[0] == (6 if name == "p4" else 5), (
        "the first attempt must resume from the shared checkpoint"
    )


@pytest.mark.parametrize("name", TASKS)
def test_no_checkpoint_of_a_finished_seed_remains(computed, name):
    for end in ("whole", "killed", "clone"):
        left = [path.name for path in (computed / name / end).rglob("*.safetensors")]
        assert left == ["last.safetensors"]
