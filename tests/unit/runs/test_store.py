import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from safetensors.numpy import save_file

from ia_engine import files
from ia_engine.errors import EngineError
from ia_engine.runs import example as store
from ia_engine.runs.example import load_example, load_run, save_example, save_run
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.attention import stack_steps
from tests.frames import assert_same_frame
from tests.tensors import rand
from tests.waits import MAX_WAIT_S

RECORD = Record("{}", '{"beta": 10}', 3, "abc", "cpu", "Krabben, μ = Ø")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.safetensors"


@pytest.fixture
def arrays():
    numbers = np.random.default_rng(0)
    return {
        "v": numbers.random((3, 4, 1, 8, 8), dtype=np.float32),
        "d2": numbers.random((2, 4, 4), dtype=np.float32),
        "final": np.array(7.0),
    }


def test_a_run_is_restored_as_it_was_saved(path, arrays):
    save_run(path, RECORD, arrays)
    record, loaded = load_run(path)
    assert record == RECORD
    assert loaded.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(loaded[name], array)
        assert (loaded[name].dtype, loaded[name].shape) == (array.dtype, array.shape)


def test_non_contiguous_arrays_are_saved_correctly(path, arrays):
    save_run(path, RECORD, {"v": arrays["v"].T})
    np.testing.assert_array_equal(load_run(path)[1]["v"], arrays["v"].T)


def test_a_missing_file_is_named(path):
    with pytest.raises(EngineError, match=r"run\.safetensors does not exist"):
        load_run(path)


@pytest.mark.parametrize("kept", [0, 5, 40, 300, -1])
def test_a_truncated_file_is_refused(path, arrays, kept):
    save_run(path, RECORD, arrays)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(EngineError, match="damaged"):
        load_run(path)


@pytest.mark.parametrize("content", [b"PK\x03\x04 a zip", b"\x80\x04 a pickle", b"x" * 1000])
def test_a_foreign_file_is_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(EngineError, match="was not saved by this program"):
        load_run(path)


def test_safetensors_from_a_different_program_are_refused(path, arrays):
    save_file(arrays, path)
    with pytest.raises(EngineError, match="not saved by this program"):
        load_run(path)


def test_a_different_format_version_is_refused(path, arrays, monkeypatch):
    monkeypatch.setattr(store, "VERSION", 99)
    save_run(path, RECORD, arrays)
    monkeypatch.undo()
    with pytest.raises(EngineError, match="format version 99"):
        load_run(path)


@pytest.mark.parametrize("record", ["not json", "{}", "3"])
def test_a_damaged_record_is_refused(path, arrays, record):
    header = {"format": "ia-run", "version": "1", "record": record, "scales": "{}"}
    save_file(arrays, path, header)
    with pytest.raises(EngineError, match="damaged record"):
        load_run(path)


def test_a_failed_save_leaves_only_the_old_run(path, arrays, monkeypatch):
    save_run(path, RECORD, arrays)

    def fail(_):
        raise OSError("disk full")

    monkeypatch.setattr(files.os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        save_run(path, replace(RECORD, title="new"), arrays)
    assert load_run(path)[0] == RECORD
    assert list(path.parent.iterdir()) == [path]


def test_a_record_contains_its_date_and_versions():
    assert RECORD.versions.keys() == {
        "invariant-attention-explorer",
        "python",
        "torch",
        "kornia",
        "numpy",
    }
    assert RECORD.created.endswith("+00:00")


def make_step(k, tau=None):
    v, square = rand(3, 1, 4, 4, seed=k), rand(3, 3, seed=k)
    return SimpleNamespace(k=k, v=v, d2=square, tau=tau, W=square, mu=v + 1, seconds=0.5)


def test_steps_are_stacked_with_the_last_mean_at_the_end():
    steps = [make_step(1), make_step(2)]
    arrays = stack_steps(steps, rand(3))
    assert {name: array.shape for name, array in arrays.items()} == {
        "v": (3, 3, 1, 4, 4),
        "d2": (2, 3, 3),
        "W": (2, 3, 3),
        "seconds": (2,),
        "assignments": (3,),
    }
    np.testing.assert_allclose(arrays["v"][-1], steps[-1].mu, rtol=1e-6)


def test_poses_are_saved_if_every_step_has_them():
    tau = rand(3, 3, 3)
    assert stack_steps([make_step(1, tau)], rand(3))["tau"].shape == (1, 3, 3, 3)
    assert "tau" not in stack_steps([make_step(1, tau), make_step(2)], rand(3))


def test_the_shipped_example_contains_the_frames_of_both_methods_and_can_be_saved_and_read_again(
    path,
):
    example = load_example(files.find_shipped("runs/experiment-1.safetensors"))
    assert {method: len(frames) for method, frames in example.frames.items()} == {"ia": 5, "ka": 5}
    for frames in example.frames.values():
        assert [frame.k for frame in frames] == [0, 1, 2, 3, 4]
        assert all(len(frame.arrays["images"]) == len(example.names) == 18 for frame in frames)
    save_example(path, example)
    again = load_example(path)
    assert replace(again, frames={}).__dict__ == replace(example, frames={}).__dict__
    assert list(again.frames) == list(example.frames)
    for method, frames in example.frames.items():
        for one, other in zip(again.frames[method], frames, strict=True):
            assert_same_frame(one, other)


@pytest.mark.cpu_only("another process has its own default device")
def test_runs_can_be_opened_without_importing_torch():
    code = (
        "import sys, ia_engine.runs.example, ia_engine.runs.job; sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=MAX_WAIT_S)
