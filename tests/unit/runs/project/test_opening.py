"""Opening a project restores its runs bit for bit, and adds none that exist already."""

import stat
import sys

import pytest
import torch

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.recipes import RECIPES
from ia_engine.datasets.uploads import UploadConfig
from ia_engine.errors import EngineError
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.kind import find_data, to_given
from ia_engine.runs.library import Library, Note
from ia_engine.runs.project import opening
from ia_engine.runs.project.manifest import DataSet
from ia_engine.runs.project.opening import open_project
from tests.unit.runs.project.project_files import NOTE, save_run, write_bytes

pytestmark = pytest.mark.cpu_only("files would be read onto the default device")


@pytest.fixture
def here(tmp_path):
    return Library(tmp_path / "here")


@pytest.fixture
def there(tmp_path):
    return Library(tmp_path / "there" / "runs")


def read_files(kept):
    files = {path.name: path.read_bytes() for path in kept.folder.iterdir()}
    return {name: files[name] for name in files.keys() - {"lock", "run.json"}}


def test_runs_are_restored_bit_for_bit_in_another_folder(here, there):
    runs = [
        save_run(here, note=NOTE),
        save_run(here, steps=1, seed=4, ended="cancelled"),
        save_run(here, steps=0, seed=5, owner=""),
    ]
    opened = open_project("mine.zip", write_bytes(runs), there, "bob")
    assert opened.known == opened.data == ()
    assert [kept.id for kept in opened.added] == [kept.id for kept in runs]
    for before, after in zip(runs, opened.added, strict=True):
        assert read_files(after) == read_files(before)
        assert after.record == before.record
        assert (after.kind, after.state, after.steps) == (before.kind, before.state, before.steps)
        assert after.note == before.note
        assert after.belongs_to("bob")
    assert {kept.id for kept in there.runs("bob")} == {kept.id for kept in runs}
    assert there.unreadable() == {}
    assert [path for path in there.folder.iterdir() if path.name.startswith(".")] == []


def test_a_project_is_read_from_a_path(here, there, tmp_path):
    path = tmp_path / "mine.zip"
    path.write_bytes(write_bytes([save_run(here)]))
    (kept,) = open_project(path.name, path, there).added
    assert kept.owner == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_opened_runs_are_private(here, there):
    (kept,) = open_project("mine.zip", write_bytes([save_run(here)]), there).added
    assert stat.S_IMODE(kept.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept.folder.iterdir()} == {0o600}


def test_a_run_that_exists_already_is_kept_and_not_duplicated(here, there):
    project = write_bytes([save_run(here, note=NOTE), save_run(here, seed=4)])
    first = open_project("mine.zip", project, there, "bob")
    there.write_note(first.added[0].id, Note("My own name"))
    again = open_project("mine.zip", project, there, "bob")
    assert (again.added, len(again.known)) == ((), 2)
    assert [kept.note.name for kept in there.runs("bob")] == ["", "My own name"]


def test_a_run_without_a_name_gets_that_of_the_project(here, there):
    kept = save_run(here)
    open_project("mine.zip", write_bytes([kept]), there)
    here.write_note(kept.id, NOTE)
    assert open_project("mine.zip", write_bytes([kept]), there).added == ()
    assert there.open(kept.id).note == NOTE


def test_a_run_that_has_changed_since_it_was_saved_is_added_beside_the_local_one(here, there):
    kept = save_run(here, ended="cancelled")
    project = write_bytes([kept])
    (local,) = open_project("mine.zip", project, there).added
    writer = there.go_on(local.id)
    writer.append(kept.arrays(1))
    writer.end("done")
    (added,) = open_project("mine.zip", project, there).added
    assert (added.steps, there.open(local.id).steps) == (2, 3)
    assert added.name != local.name, "a name must identify one run"


def test_a_run_of_another_owner_is_not_seen_and_gets_a_new_name(here, there):
    project = write_bytes([save_run(here)])
    (ann,) = open_project("mine.zip", project, there, "ann").added
    (bob,) = open_project("mine.zip", project, there, "bob").added
    assert bob.name != ann.name
    assert there.open(ann.id).belongs_to("ann")


def test_a_run_never_gets_the_name_of_an_example(here, there):
    folder = save_run(here).folder
    example = folder.rename(folder.with_name(f"{folder.name[:22]}-mush-1"))
    (kept,) = open_project("mine.zip", write_bytes([here.open(example.name)]), there).added
    assert kept.id.startswith(folder.name[:22])
    assert set(kept.name) <= set("0123456789abcdef")
    assert there.find("mush-1") is None


@pytest.fixture
def upload():
    return ImageSet(
        torch.rand(3, 1, 5, 4),
        ("a.png", "b.png", "<c>.png"),
        Recipe("upload", UploadConfig()),
        torch.tensor([1, 0, 1]),
        ("cats", "dogs"),
        notes=("3 pictures",),
    )


def test_a_run_on_uploaded_images_contains_them_in_another_folder(here, there, upload):
    record = Record(upload.recipe.to_json(), "{}", 0, upload.digest, "cpu", "mine")
    writer = here.begin("mean", record, to_given(upload), "ann")
    writer.end("done")
    project = write_bytes([here.open(writer.id)])
    (kept,) = open_project("mine.zip", project, there, "bob").added
    recipe, found = find_data(kept)
    assert recipe == record.recipe
    assert torch.equal(found.images, upload.images)
    assert (found.names, found.classes) == (upload.names, upload.classes)


def test_data_sets_are_restored_with_their_names_labels_and_notes(there, upload):
    recipe = RECIPES["digits"].to_json()
    sets = [DataSet(upload.recipe.to_json(), upload), DataSet(recipe)]
    found, digits = open_project("mine.zip", write_bytes([], sets), there).data
    assert (digits.recipe, digits.data) == (recipe, None)
    assert torch.equal(found.data.images, upload.images)
    assert found.data.labels.tolist() == [1, 0, 1]
    assert (found.data.names, found.data.classes) == (upload.names, upload.classes)
    assert found.data.notes == upload.notes
    assert found.data.digest == upload.digest


def test_a_project_that_does_not_fit_on_the_disk_is_refused(here, there, monkeypatch):
    project = write_bytes([save_run(here)])
    monkeypatch.setattr(
        opening.shutil, "disk_usage", lambda _: opening.shutil._ntuple_diskusage(9, 9, 0)
    )
    with pytest.raises(EngineError, match=r"needs 0 MB, .* but the disk .* free space on it"):
        open_project("mine.zip", project, there)


def test_a_full_disk_leaves_no_files_and_its_message_no_path(here, there, monkeypatch):
    project = write_bytes([save_run(here), save_run(here, seed=4)])
    there.check_writable()

    def fail(folder, owner):
        raise OSError(28, "No space left on device", str(folder))

    monkeypatch.setattr(opening, "_prepare", fail)
    with pytest.raises(
        EngineError, match=r"No space left on device\): make the runs folder"
    ) as found:
        open_project("mine.zip", project, there)
    assert str(there.folder) not in str(found.value)
    assert list(there.folder.iterdir()) == []
