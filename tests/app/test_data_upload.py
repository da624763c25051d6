import copy
import io
import json
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
from PIL import Image, ImageDraw
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from ia_engine.datasets.uploads import read_upload
from pages._ui.state.data import DataState
from pages._ui.state.dataset import CHOSEN
from pages._ui.upload_reader import release_files
from tests.app.data_page import address, calm, chosen, go, text
from tests.app.driving import finish, press
from tests.crafted import drawings, npy


def drawing(color="white", ink="black", at=(20, 20, 60, 60)):
    picture = Image.new("RGB", (80, 80), color)
    ImageDraw.Draw(picture).rectangle(at, fill=ink)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def zipped(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/") + ".png", data)
    return content.getvalue()


def upload(app, *files):
    kinds = [(name, content, "application/octet-stream") for name, content in files]
    app.file_uploader(key="files").set_value(kinds)
    return calm(app)


def test_the_folders_in_an_uploaded_zip_become_the_classes_of_the_data(page):
    app = go(page(), "Upload")
    assert "You have not uploaded any files yet" in text(app)
    content = zipped(cats__a=drawing(), cats__b=drawing("black", "white"), dogs__a=drawing())
    upload(app, ("pets.zip", content))
    assert "3 images read in 2 classes" in text(app)
    assert chosen(app).classes == ("cats", "dogs")
    assert json.loads(address(app))["config"]["digest"] == chosen(app).digest[:16]
    assert "Your upload" in text(app)


def test_the_name_of_a_refused_file_is_escaped_and_the_other_files_are_read(page):
    app = go(page(), "Upload")
    upload(app, ("ok.png", drawing()), ("<b>![x](y).txt", b"hello"))
    assert "1 image read, without classes" in text(app)
    assert "1 file was refused" in text(app)
    assert r"\<b\>\!\[x\]\(y\)\.txt" in app.warning[0].value


def test_an_upload_without_a_readable_file_leaves_the_data_unchanged(page):
    app = go(page(data="digits"), "Upload")
    upload(app, ("words.txt", b"hello"))
    assert "No file could be read, so the data are unchanged" in app.error[0].value
    assert address(app) == "digits"
    upload(app, ("ok.png", drawing()))
    before = address(app)
    upload(app, ("words.txt", b"hello"))
    assert address(app) == before
    assert "Your upload" in text(app)


def test_background_and_size_can_be_changed_after_the_upload(page):
    app = go(page(), "Upload")
    upload(app, ("ok.png", drawing()))
    assert "1 image had a light border and was inverted" in text(app)
    first = chosen(app)
    next(g for g in app.button_group if g.label == "background").set_value("keep")
    calm(app)
    assert "1 image kept the background" in text(app)
    next(s for s in app.slider if s.label.startswith("h")).set_value(32)
    calm(app)
    assert chosen(app).images.shape[-1] == 32
    assert chosen(app).digest != first.digest
    assert json.loads(address(app))["config"]["background"] == "keep"


def test_floating_point_values_outside_0_to_1_are_scaled_by_the_chosen_rule(page):
    app = go(page(), "Upload")
    values = drawings(2, np.float64, 8.8 / 255) - 3.9
    values[1] /= 2
    upload(app, ("scores.npy", npy(values)))
    assert "scores.npy: float64 values from -3.9 to 4.9 were scaled using the range of" in text(app)
    first = chosen(app)
    assert first.images.max() > 0.9
    next(g for g in app.button_group if g.label == "scale").set_value("image")
    calm(app)
    assert "were scaled image by image" in text(app)
    assert chosen(app).digest != first.digest
    assert json.loads(address(app))["config"]["scale"] == "image"


@pytest.mark.parametrize("value", [0, 7, -3.5])
def test_a_warning_reports_blank_images(page, value):
    app = go(page(), "Upload")
    upload(app, ("ok.png", drawing()), ("blank.npy", npy(np.full((600, 8, 8), value))))
    assert not app.success
    assert "600 images are blank" in app.warning[0].value
    assert "601 images read" in app.warning[0].value
    upload(app, ("ok.png", drawing()))
    assert app.success
    assert not app.warning


def test_values_beyond_single_precision_do_not_affect_other_files(page):
    app = go(page(), "Upload")
    values = np.linspace(0, 3.5e38, 64).reshape(1, 8, 8)
    upload(app, ("ok.png", drawing()), ("large.npy", npy(values)))
    assert len(chosen(app).images) == 2
    upload(app, ("ok.png", drawing()), ("nan.npy", npy(np.full((1, 8, 8), np.nan))))
    assert len(chosen(app).images) == 1
    assert "expected finite numbers; got 64 NaN, the first in image 1, row 1" in text(app)


def test_refused_files_are_released_from_memory(page, monkeypatch):
    """Two copies of every refused file once stayed in memory until the session ended."""
    released = []
    monkeypatch.setattr(
        "pages._ui.data.upload.release_files", lambda key, ids: released.extend(ids)
    )
    app = go(page(), "Upload")
    upload(app, ("ok.png", drawing()), *((f"{i}.pdf", b"%PDF" + bytes(1 << 20)) for i in range(6)))
    assert len(released) == 6
    held = app.session_state[DataState.uploaded.key]
    assert [file.name for file in held.files] == ["ok.png"]
    assert "6 files were refused" in text(app)
    next(g for g in app.button_group if g.label == "background").set_value("keep")
    calm(app)
    assert "1 image kept the background" in text(app)
    assert text(app).count("a PDF document") == 6, "the refused files are still listed"
    upload(app, ("only.pdf", b"%PDF" + bytes(1 << 20)))
    assert "No file could be read" in app.error[0].value
    assert app.session_state[DataState.uploaded.key].files == ()


def test_released_files_are_removed_from_the_server(monkeypatch):
    store = MemoryUploadedFileManager("")
    records = [UploadedFileRec(name, name, "", bytes(99)) for name in ("a", "b")]
    for record in records:
        store.add_file("session", record)
    context = SimpleNamespace(uploaded_file_mgr=store, session_id="session")
    monkeypatch.setattr("pages._ui.upload_reader.get_script_run_ctx", lambda: context)
    file = UploadedFile(records[0], FileURLs())
    monkeypatch.setattr(st, "session_state", {"files": [file]})
    release_files("files", {"a"})
    assert copy.deepcopy(file).getvalue() == b"", "the copy that Streamlit keeps is empty"
    assert [file.file_id for file in store.get_files("session", ["a", "b"])] == ["b"]


def interrupt(files, config, progress):
    """Stop the script while it reads files, as pressing a button does."""
    st.stop()


def test_reading_can_be_cancelled_and_restarted(page, monkeypatch):
    app = go(page(data="digits"), "Upload")
    with monkeypatch.context() as patch:
        patch.setattr("pages._ui.upload_reader.read_upload", interrupt)
        upload(app, ("ok.png", drawing()))
        press(app, "Cancel")
        assert "Reading was cancelled" in app.warning[0].value
    assert address(app) == "digits"
    press(app, "Read again")
    assert "1 image read" in text(app)
    with monkeypatch.context() as patch:
        patch.setattr("pages._ui.upload_reader.read_upload", interrupt)
        next(g for g in app.button_group if g.label == "background").set_value("keep")
        calm(app)
        press(app, "Cancel")
    background = next(g for g in app.button_group if g.label == "background")
    assert background.value == "auto", "the previous setting is restored"
    assert "1 image read" in text(app)


def test_photographs_are_cropped_to_squares_and_keep_their_colours(page):
    app = go(page(), "Upload")
    upload(app, ("ok.png", drawing("white", "red", at=(10, 10, 60, 70))))
    assert "inverted" in text(app)
    kinds = next(g for g in app.button_group if g.label == "The images are")
    assert kinds.value == "drawings"
    assert "If they are photographs, choose" in text(app)
    kinds.set_value("photographs")
    calm(app)
    assert "If they are photographs, choose" not in text(app)
    assert "1 image kept the background" in text(app)
    assert chosen(app).images.shape == (1, 3, 128, 128)
    assert chosen(app).images[0, :, 64, 40].tolist() == [1, 0, 0], "red pixels stay red"
    assert json.loads(address(app))["config"]["cut"] == "square"
    next(g for g in app.button_group if g.label == "cut").set_value("whole")
    calm(app)
    kinds = next(g for g in app.button_group if g.label == "The images are")
    assert kinds.value is None, "the settings belong to neither kind"


def test_transformed_copies_of_uploaded_images_can_be_generated(page):
    app = go(page(), "Upload")
    upload(app, ("a.png", drawing()), ("b.png", drawing(at=(20, 35, 60, 45))))
    next(s for s in app.slider if s.label == "copies").set_value(5)
    calm(app)
    assert len(chosen(app).images) == 10
    assert chosen(app).classes == ("a.png", "b.png")
    turn = next(slider for slider in app.slider if "turn" in slider.label)
    before = chosen(app).digest
    turn.set_value(90.0)
    calm(app)
    assert chosen(app).digest != before


def test_an_upload_remains_available_while_different_data_are_shown(page):
    app = go(page(), "Upload")
    upload(app, ("ok.png", drawing()))
    mine = address(app)
    go(app, "Ready-made")
    app.radio(key="ready").set_value("digits")
    calm(app)
    app.query_params["data"] = mine
    calm(app)
    assert not app.error
    assert "Your upload" in text(app)


def test_an_upload_is_not_available_in_another_session(page):
    mine = address(upload(go(page(), "Upload"), ("ok.png", drawing())))
    other = page(data=mine)
    assert "an upload that is not available" in other.error[0].value.replace("\\", "")
    assert other.button_group(key="way").value == "Upload"
    assert CHOSEN not in other.session_state
    again = upload(other, ("ok.png", drawing()))
    assert not again.error
    assert address(again) == mine, "the same files with the same settings have the same address"


def test_the_page_states_twice_that_runs_store_uploaded_images(page):
    app = upload(go(page(), "Upload"), ("ok.png", drawing()))
    said = [line for line in text(app).splitlines() if "memory" in line]
    assert len(said) == 2, "below the uploader, and below the images"
    for line in said:
        assert "images and their names on the app's machine" in line
        assert "session only" not in line


def test_an_upload_is_read_once_and_its_originals_are_shown(page, monkeypatch):
    read = []

    def count(files, config, progress):
        read.append(config)
        return read_upload(files, config, progress)

    monkeypatch.setattr("pages._ui.upload_reader.read_upload", count)
    app = upload(go(page(), "Upload"), *((f"{i}.png", drawing()) for i in range(8)))
    assert len(read) == 1
    assert "Originals: the first 6 of 8" in text(app)


def test_the_iterations_page_reports_constant_images_before_and_after_a_run(page):
    app = go(page(), "Upload")
    grey = np.full((4, 32, 32), 120, np.uint8)
    upload(app, ("grey.npy", npy(np.concatenate([grey, drawings()[:2]]))))
    app.query_params["steps"] = "1"
    app = app.switch_page("pages/iterations.py").run()
    said = "4 of 6 images are blank or nearly constant"
    assert [said in warning.value for warning in app.warning] == [True]
    finish(press(app, "Run"))
    assert [said in warning.value for warning in app.warning] == [True]
