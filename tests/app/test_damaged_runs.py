"""Damaged runs on the Runs page: each has a row with a description and a Delete button."""

import json

import numpy as np
import pytest
from streamlit.runtime.context import ContextProxy

from ia_engine.runs.folder import Record
from ia_engine.runs.library import Library
from pages._ui.runs.current import library
from tests.app.driving import ROOT, open_page

RUNS = ROOT / "pages" / "runs.py"
REMOTE = "![](http://192.0.2.1/x.png) **bold** <b>"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path))
    library.cache_clear()
    yield tmp_path
    library.cache_clear()


def begin(kind="mean", title="a run", **arrays):
    writer = Library().begin(kind, Record("{}", "{}", 0, "", "cpu", title), {})
    writer.append({name: np.frombuffer(content, np.uint8) for name, content in arrays.items()})
    writer.end("done")
    return writer.id


def change(folder, run, **values):
    path = folder / run / "run.json"
    known = json.loads(path.read_text())
    known.pop("sha256", None)
    known["record"] |= values.pop("record", {})
    path.write_text(json.dumps(known | values))


def test_each_damaged_run_has_its_own_row_with_a_description_and_a_delete_button(folder):
    begin("attention", title="the good one")
    begin(known=b"no zlib", plain=b"no zlib")
    dated, broken = begin(), begin()
    change(folder, dated, record={"created": "yesterday"})
    (folder / broken / "run.json").write_text("{")
    missing = begin("attention")
    (folder / missing / "given.safetensors").unlink()
    app = open_page(RUNS)
    assert not app.exception
    assert not app.error
    assert "the good one" in [link.proto.label for link in app.get("page_link")]
    assert len(app.warning) == 4
    said = [text.value.replace("\\", "") for text in app.warning]
    for reason in ("damaged record", "damaged run.json", "is damaged (", "A file is missing"):
        assert sum(reason in sentence for sentence in said) == 1, reason
    assert all("delete it" in sentence for sentence in said)
    labels = [button.label for button in app.button]
    assert labels.count("Delete") == 5


def test_a_damaged_run_can_be_deleted_from_its_row_and_restored(folder):
    run = begin()
    (folder / run / "run.json").write_text("{")
    app = open_page(RUNS)
    next(button for button in app.button if button.label == "Delete").click().run()
    assert not app.exception
    assert not app.warning
    assert not (folder / run).exists()
    next(button for button in app.button if button.label == "Undo").click().run()
    assert len(app.warning) == 1


def test_the_page_explains_why_a_run_cannot_be_deleted(folder, monkeypatch):
    begin("attention")
    app = open_page(RUNS)

    def refuse(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("pathlib.Path.rename", refuse)
    next(button for button in app.button if button.label == "Delete").click().run()
    assert not app.exception
    assert "could not be deleted (Read" in app.error[0].value.replace("\\", "")


def test_markup_in_the_kind_state_and_title_of_a_run_is_shown_as_text(folder):
    run = begin(REMOTE, title=REMOTE)
    (folder / run / "ended.json").write_text(json.dumps({"state": REMOTE, "error": REMOTE}))
    app = open_page(RUNS)
    assert not app.exception
    shown = [text.value for text in (*app.markdown, *app.caption)]
    hostile = [text for text in shown if "192" in text]
    assert hostile
    for text in hostile:
        assert "![](" not in text
        assert "**bold" not in text
        assert "<b>" not in text


def test_the_page_does_not_show_paths_on_the_server(folder):
    run = begin()
    (folder / run / "run.json").write_text("{")
    app = open_page(RUNS)
    shown = [text.value for kind in (app.markdown, app.caption, app.warning) for text in kind]
    assert not any(str(folder) in text.replace("\\", "") for text in shown)
