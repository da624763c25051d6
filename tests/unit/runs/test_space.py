"""Used space by owner, and removal of everything that belongs to one owner."""

import pytest

from ia_engine.errors import EngineError
from ia_engine.runs.library import Library
from ia_engine.runs.space import measure_folders, measure_space, remove_runs
from tests.unit.runs.project.project_files import save_run


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "runs")


def add_up(*runs):
    return sum(path.stat().st_size for kept in runs for path in kept.folder.iterdir())


def test_space_is_measured_by_owner(library):
    ann, other = save_run(library, owner="ann"), save_run(library, owner="ann", seed=4)
    bob = save_run(library, owner="bob", seed=5)
    space = measure_space(library, "ann")
    assert (space.runs, space.bytes) == (2, add_up(ann, other))
    every = measure_space(library)
    assert (every.runs, every.bytes) == (3, add_up(ann, other, bob))
    assert measure_folders([bob.folder]) == add_up(bob)


def test_deleted_runs_are_measured_until_they_are_removed(library):
    kept = save_run(library)
    used = add_up(kept)
    library.delete(kept.id)
    space = measure_space(library, "ann")
    assert (space.runs, space.bytes, space.deleted, space.deleted_bytes) == (0, 0, 1, used)
    assert space.total == used


def test_the_measured_space_includes_a_new_step(library):
    kept = save_run(library, ended="cancelled")
    before = measure_space(library, "ann").bytes
    writer = library.go_on(kept.id)
    writer.append(kept.arrays(1))
    assert measure_space(library, "ann").bytes > before
    writer.end("done")


def test_an_empty_folder_uses_no_space(library):
    assert measure_space(library, "ann").total == 0


def test_everything_of_an_owner_is_removed_and_nothing_else(library):
    save_run(library, owner="ann")
    library.delete(save_run(library, owner="ann", seed=4).id)
    (save_run(library, owner="ann", seed=5).folder / "given.safetensors").unlink()
    bob, shell = save_run(library, owner="bob", seed=6), save_run(library, owner="", seed=7)
    theirs = save_run(library, owner="bob", seed=8)
    library.delete(theirs.id)
    remove_runs(library, "ann")
    assert {kept.id for kept in library.runs()} == {bob.id, shell.id}
    assert [folder.name for folder in library.deleted_folders()] == [theirs.id]
    library.restore(theirs.id)
    assert library.open(theirs.id).steps == theirs.steps


def test_a_run_that_is_computing_is_not_removed(library):
    kept = save_run(library, ended="cancelled")
    writer = library.go_on(kept.id)
    remove_runs(library, "ann")
    assert library.open(kept.id).state == "running"
    writer.end("done")
    remove_runs(library, "ann")
    assert library.runs() == ()


def test_a_record_that_cannot_be_read_belongs_to_nobody(library):
    kept = save_run(library)
    (kept.folder / "run.json").write_text("{")
    remove_runs(library, "ann")
    assert list(library.unreadable()) == [kept.id]


def test_runs_that_belong_to_everyone_cannot_be_removed_together(library):
    with pytest.raises(EngineError, match="expected the owner"):
        remove_runs(library, "")
