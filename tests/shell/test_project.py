"""`project` saves runs in one file, and opens such a file in another runs folder."""

import json

import pytest
import torch

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.recipes import RECIPES
from ia_engine.datasets.uploads import UploadConfig
from ia_engine.runs.library import FOLDER, Library
from ia_engine.runs.project.manifest import DataSet
from tests.unit.runs.project.project_files import NOTE, save_run, write_bytes


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path / "runs"))
    return Library()


@pytest.fixture
def move(tmp_path, monkeypatch):
    """Return a function that changes to another runs folder, as on another machine."""

    def move():
        monkeypatch.setenv(FOLDER, str(tmp_path / "elsewhere"))
        return Library()

    return move


def read(ended):
    assert ended.code == 0, ended.err
    return [json.loads(line) for line in ended.out]


def test_a_saved_project_opens_in_another_folder_with_names_and_notes(
    shell, library, move, tmp_path
):
    kept = save_run(library, note=NOTE)
    path = tmp_path / "mine.zip"
    (line,) = read(shell("project", "save", path, "--json"))
    assert line == {"id": kept.id, "kind": "mean", "state": "saved", "title": NOTE.name}
    there = move()
    (line,) = read(shell("project", "open", path, "--json"))
    assert (line["id"], line["state"]) == (kept.id, "added")
    (found,) = there.runs()
    assert (found.note, found.record, found.owner) == (NOTE, kept.record, "")
    (line,) = read(shell("project", "open", path, "--json"))
    assert (line["id"], line["state"]) == (kept.id, "known")


def test_chosen_runs_are_saved(shell, library, move, tmp_path):
    save_run(library)
    kept = save_run(library, seed=4)
    path = tmp_path / "one.zip"
    read(shell("project", "save", path, "--run", kept.id, "--json"))
    there = move()
    read(shell("project", "open", path, "--json"))
    assert [run.id for run in there.runs()] == [kept.id]


def test_the_data_sets_of_a_project_are_named_with_what_to_do(shell, library, tmp_path):
    recipe = RECIPES["digits"].to_json()
    upload = ImageSet(torch.zeros(2, 1, 4, 4), ("a", "b"), Recipe("upload", UploadConfig()))
    path = tmp_path / "mine.zip"
    sets = [DataSet(recipe), DataSet(upload.recipe.to_json(), upload)]
    path.write_bytes(write_bytes([save_run(library)], sets))
    ended = shell("project", "open", path)
    assert ended.code == 0
    first, second = ended.err[-2:]
    assert first == f"a data set is not stored: use it with --data '{recipe}'"
    assert second.startswith("a data set of 2 uploaded images is not stored")


def test_a_run_that_is_computing_is_left_out_with_the_reason(shell, library, tmp_path):
    kept = save_run(library, ended="cancelled")
    writer = library.go_on(kept.id)
    ended = shell("project", "save", tmp_path / "mine.zip", "--json")
    (line,) = read(ended)
    assert line["state"] == "left out"
    assert any("still running" in text for text in ended.err)
    writer.end("done")


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (("save", "mine.zip"), "there are no runs to save"),
        (("open", "nowhere.zip"), "FILE must be the path of a project; got 'nowhere.zip'"),
        (("open", "x.zip", "--run", "1"), "use --run only with 'save'"),
        (("delete", "x.zip"), "invalid choice: 'delete'"),
        ((), "required"),
    ],
)
@pytest.mark.usefixtures("library")
def test_wrong_usage_is_reported_in_one_line(shell, argv, reason):
    ended = shell("project", *argv)
    assert (ended.code, ended.out) == (2, [])
    assert reason in ended.err[-1]


def test_a_file_that_is_not_a_project_is_refused_with_one_line(shell, library, tmp_path):
    path = tmp_path / "notes.zip"
    path.write_text("nothing")
    ended = shell("project", "open", path)
    assert ended.code == 2
    assert "notes.zip must be a project" in ended.err[-1]
    assert library.runs() == ()


def test_a_folder_that_does_not_exist_is_refused_before_anything_is_written(
    shell, library, tmp_path
):
    save_run(library)
    ended = shell("project", "save", tmp_path / "nowhere" / "mine.zip")
    assert ended.code == 2
    assert "the folder of FILE must exist" in ended.err[-1]
