"""Projects on Runs: used space, saving, deleting everything of the viewer, and opening."""

import io
import threading
import time

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.library import Library
from ia_engine.runs.project.manifest import DataSet
from pages._ui.runs.current import jobs, library
from pages._ui.state.viewer import keep_upload, upload_of
from tests.app.driving import ROOT, press, words
from tests.unit.runs.project.project_files import NOTE, save_run, write_bytes
from tests.waits import MAX_WAIT_S, wait_until

ANN, BOB = "a" * 22, "b" * 22


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path / "runs"))
    library.cache_clear()
    jobs.clear()
    yield Library()
    library.cache_clear()
    jobs().close()
    jobs.clear()


def open_runs(viewer=ANN):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.session_state["ia_viewer"] = viewer
    app.switch_page("pages/runs.py").run()
    assert not app.exception
    return app


def labels(app):
    return [button.label for button in app.button]


def upload(app, content, name="mine.zip"):
    (uploader,) = app.file_uploader
    uploader.set_value((name, content, "application/zip")).run()
    assert not app.exception
    return app


def test_the_used_space_is_shown_and_an_empty_page_offers_only_to_open_a_project(folder):
    app = open_runs()
    assert "of this browser" not in words(app)
    assert "Delete all my data" not in labels(app)
    assert len(app.file_uploader) == 1
    save_run(folder, owner=ANN)
    app.run()
    assert "1 run of this browser: less than 0.1 MB" in words(app)
    assert [button.label for button in app.get("download_button")] == ["Save project"]


def test_deleting_everything_asks_first_and_names_what_is_lost(folder):
    save_run(folder, owner=ANN)
    folder.delete(save_run(folder, owner=ANN, seed=4).id)
    keep_upload(ANN, "mine", make(RECIPES["blobs"]))
    app = press(open_runs(), "Delete all my data")
    (said,) = [text.value for text in app.warning if "permanently" in text.value]
    assert (
        "1 run of this browser (less than 0.1 MB), 1 deleted run (less than 0.1 MB) and your"
        in said
    )
    assert "uploaded images." in said
    assert "Runs from other browsers and from the command line are kept" in said
    assert len(folder.runs()) == 1, "nothing is deleted before the confirmation"
    press(app, "Keep everything")
    assert not any("permanently" in text.value for text in app.warning)
    assert len(folder.runs()) == 1


def test_everything_of_the_viewer_is_deleted_and_nothing_else(folder):
    save_run(folder, owner=ANN)
    folder.delete(save_run(folder, owner=ANN, seed=4).id)
    bob, shell = save_run(folder, owner=BOB, seed=5), save_run(folder, owner="", seed=6)
    keep_upload(ANN, "mine", make(RECIPES["blobs"]))
    app = press(open_runs(), "Delete all my data")
    press(app, "Delete 2 runs permanently")
    assert {kept.id for kept in folder.runs()} == {bob.id, shell.id}
    assert folder.deleted_folders() == []
    assert upload_of(ANN) is None
    assert "All your runs and your upload have been deleted." in words(app)
    assert "of this browser" not in words(app)
    save_run(folder, owner=ANN, seed=7)
    app.run()
    assert "have been deleted" not in words(app), "this is no longer true"


def test_runs_of_the_viewer_are_stopped_first(folder):
    going = threading.Event()

    def work():
        while True:
            going.set()
            time.sleep(0.01)
            yield 1

    job = jobs().submit(ANN, "a run", work, 9, "mean")
    other = jobs().submit(BOB, "a run", lambda: iter([1]), 1, "mean")
    assert going.wait(MAX_WAIT_S)
    app = press(open_runs(), "Delete all my data")
    assert "1 unfinished run will be stopped" in words(app)
    press(app, "Delete permanently")
    assert job.state == "cancelled"
    assert jobs().list(ANN) == ()
    assert jobs().list(BOB) == (other,)
    wait_until(lambda: other.finished, "the run of the other viewer")


def test_a_project_is_opened_with_names_notes_and_data(folder, tmp_path):
    there = Library(tmp_path / "there")
    recipe = RECIPES["digits"].to_json()
    project = write_bytes([save_run(there, note=NOTE), save_run(there, seed=4)], [DataSet(recipe)])
    app = upload(open_runs(), project)
    assert "Opened mine.zip: 2 runs added." in words(app)
    assert len(folder.runs(ANN)) == 2
    assert "Ten threes" in [link.proto.label for link in app.get("page_link")]
    assert "Sharper than the plain mean. Use it on Monday." in words(app)
    press(app, "Use the data set of this project: digits")
    assert "All pages now use digits" in words(app)
    app.switch_page("pages/data.py").run()
    assert app.query_params["data"] in ("digits", ["digits"])


def test_opening_a_project_again_adds_nothing(folder, tmp_path):
    project = write_bytes([save_run(Library(tmp_path / "there"))])
    app = upload(open_runs(), project)
    upload(app, project)
    assert "Opened mine.zip: 0 runs added, 1 already existed." in words(app)
    assert len(folder.runs(ANN)) == 1


@pytest.mark.parametrize("content", [b"nonsense", b"PK\x03\x04" + bytes(100)])
def test_a_refused_file_is_reported_in_one_sentence(folder, content):
    save_run(folder, owner=ANN)
    app = upload(open_runs(), content, "![](x) <b>.zip")
    (error,) = app.error
    assert "choose another file" in error.value or "download it again" in error.value
    assert "<b>" not in error.value, "the name of the file must be escaped"
    assert len(folder.runs(ANN)) == 1


def test_a_run_has_a_note_that_can_be_edited_and_found(folder):
    kept = save_run(folder, owner=ANN)
    app = open_runs()
    (note,) = app.text_area
    note.set_value("the *sharpest* one")
    press(app, "Save")
    assert folder.open(kept.id).note.text == "the *sharpest* one"
    assert "the *sharpest* one" in words(app)
    app.text_input[0].set_value("sharpest").run()
    assert "1 of 1 runs shown" in words(app)


def test_runs_of_other_browsers_are_listed_only_if_the_operator_allows_it(folder, monkeypatch):
    save_run(folder, owner=ANN, title="mine")
    save_run(folder, owner=BOB, seed=4, title="theirs")
    app = open_runs()
    assert not any(group.key == "whose" for group in app.button_group)
    assert "All on this machine" not in words(app)
    monkeypatch.setenv("IA_ALL_RUNS", "1")
    app.run()
    assert "all 2 runs on this machine" in words(app)
    linked = [link.proto.label for link in app.get("page_link")]
    assert "mine" in linked
    assert "theirs" not in linked
    app.button_group(key="whose").set_value("All on this machine").run()
    assert not app.exception
    linked = [link.proto.label for link in app.get("page_link")]
    assert "theirs" in linked
    assert labels(app).count("Delete") == 1, "only the viewer's own run can be deleted"
    assert len(app.text_area) == 1, "only the viewer's own run can be named"
    assert "another browser" in words(app)


def test_more_than_forty_runs_are_listed_on_request(folder):
    for seed in range(43):
        save_run(folder, owner=ANN, seed=seed, steps=0)
    app = open_runs()
    assert "40 of 43 runs shown" in words(app)
    press(app, "Show more")
    assert "43 of 43 runs shown" in words(app)
    assert "Show more" not in labels(app)


def test_the_saved_project_contains_the_runs_of_the_viewer(folder, tmp_path):
    from pages._ui.runs.project import _make_project

    kept = save_run(folder, owner=ANN, note=NOTE)
    content = _make_project([kept], [])
    assert io.BytesIO(content).read(2) == b"PK"
    app = upload(open_runs(BOB), content)
    assert "1 run added" in words(app)
    assert len(folder.runs(BOB)) == 1
