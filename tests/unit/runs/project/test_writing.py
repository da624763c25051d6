"""A project contains the files of runs as they are stored, without their owner."""

import io
import json

import pytest

from ia_engine.errors import EngineError
from ia_engine.runs.library import Library
from ia_engine.runs.project import writing
from ia_engine.runs.project.writing import write_project
from tests.unit.runs.project.project_files import NOTE, save_run, unpack, write_bytes

pytestmark = pytest.mark.cpu_only("files would be read onto the default device")


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "runs")


def test_a_project_contains_all_files_of_a_run_except_its_lock(library):
    kept = save_run(library, note=NOTE)
    files = unpack(write_bytes([kept]))
    stored = {path.name for path in kept.folder.iterdir()} - {"lock"}
    assert {name.rpartition("/")[2] for name in files} == stored | {"project.json"}
    for name in stored - {"run.json"}:
        assert files[f"runs/{kept.id}/{name}"] == (kept.folder / name).read_bytes(), name


def test_a_project_does_not_contain_the_owner(library):
    files = unpack(write_bytes([save_run(library, owner="ann")]))
    (record,) = (json.loads(files[name]) for name in files if name.endswith("run.json"))
    assert record["owner"] == ""
    assert not any(b"sha256:" in content for content in files.values())


def test_equal_projects_are_equal_files(library):
    kept = save_run(library)
    assert write_bytes([kept]) == write_bytes([kept])


def test_a_run_that_is_computing_is_left_out_with_the_reason(library):
    kept = save_run(library)
    writer = library.go_on(kept.id)
    written = write_project(io.BytesIO(), [kept])
    assert written.runs == ()
    assert "still running" in written.left_out[kept.id]
    writer.end("done")


def test_a_run_that_was_deleted_meanwhile_is_left_out_with_the_reason(library):
    kept, other = save_run(library), save_run(library, seed=4)
    library.delete(kept.id)
    written = write_project(io.BytesIO(), [kept, other])
    assert written.runs == (other.id,)
    assert "could not be read" in written.left_out[kept.id]


def test_a_project_that_is_too_large_is_not_written(library, monkeypatch):
    monkeypatch.setattr(writing, "MAX_BYTES", 100)
    with pytest.raises(EngineError, match="save fewer runs in one project"):
        write_bytes([save_run(library)])
